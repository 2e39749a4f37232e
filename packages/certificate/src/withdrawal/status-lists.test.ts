import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jwksUrl } from '../keys/key-set.ts';
import {
  createTestIssuer,
  TEST_ISSUER,
  TEST_NOW,
  type TestIssuer,
  testClaims,
  testStatusList,
} from '../testing/issuer.ts';
import { statusListJwksUrl, statusListUri } from './status-list.ts';
import { createStatusLists, type StatusListsOptions } from './status-lists.ts';

const OTHER = 'https://other-certificates.example';
const [proofs, listKey, otherKey, sameName] = (await Promise.all(
  ['key-1', 'lists-1', 'lists-2', 'lists-1'].map((kid) => createTestIssuer(kid)),
)) as [TestIssuer, TestIssuer, TestIssuer, TestIssuer];
const URI = statusListUri(TEST_ISSUER, 7);
const KEYS = statusListJwksUrl(TEST_ISSUER);
const PROOF_KEYS = jwksUrl(TEST_ISSUER);
const issuedAt = TEST_NOW;
const at = (seconds: number) => new Date(TEST_NOW.getTime() + seconds * 1000);

const proofOf = (status: unknown, claims: object = {}, header: Record<string, unknown> = {}) =>
  proofs.sign({ ...testClaims(), ...(status === undefined ? {} : { status }), ...claims }, header);
const entry = (idx: unknown, uri: unknown = URI) => ({ status_list: { idx, uri } });
const listed = (values: Record<number, number> = {}, seconds = 0, changes = {}) =>
  testStatusList(listKey, URI, { issuedAt: at(seconds), values, ...changes });

/** A network with what each address answers; counts what was requested. */
function network(answers: Readonly<Record<string, () => unknown>>) {
  const requested: string[] = [];
  const fetch = async (url: string | URL | Request): Promise<Response> => {
    requested.push(String(url));
    const answer = await answers[String(url)]?.();
    if (answer === undefined) return new Response('', { status: 404 });
    if (answer instanceof Response) return answer;
    return typeof answer === 'string' ? new Response(answer) : Response.json(answer);
  };
  return { fetch, requested };
}

const ONLINE = { [KEYS]: () => listKey.jwks };

function listsOf(
  answers: Readonly<Record<string, () => unknown>>,
  options: Partial<StatusListsOptions> = {},
) {
  const { fetch, requested } = network(answers);
  const lists = createStatusLists({ trustedIssuers: [TEST_ISSUER], fetch, ...options });
  return { lists, requested };
}

describe('a certificate in a status list', () => {
  const values = { 1: 1, 2: 2, 3: 3, 1048575: 1 };
  it.each([
    [0, 'valid', 'not_withdrawn'],
    [1, 'invalid', 'withdrawn'],
    [2, 'suspended', 'suspended'],
    [3, null, 'status_value_unknown'],
    [1_048_574, 'valid', 'not_withdrawn'],
    [1_048_575, 'invalid', 'withdrawn'],
  ] as const)('at place %i is %s: %s', async (index, status, reason) => {
    const { lists } = listsOf({ ...ONLINE, [URI]: () => listed(values) });
    const known = await lists.lookUp(await proofOf(entry(index)), TEST_ISSUER, at(5));
    expect([known.status, known.reason]).toEqual([status, reason]);
    if (status === null) expect(known).toEqual({ status, reason });
    else expect(known).toMatchObject({ listIssuedAt: at(0).toISOString(), nextLook: at(905).toISOString() });
  });

  it('is found for the document as for its proof', async () => {
    const { lists } = listsOf({ ...ONLINE, [URI]: () => listed(values) });
    const document = await proofs.certificate({ claims: { status: entry(1) } });
    for (const proof of [document, JSON.stringify(document)])
      expect(await lists.lookUp(proof, TEST_ISSUER, at(5))).toMatchObject({ reason: 'withdrawn' });
  });

  it('is withdrawn if its key was revoked, at whatever place and in whatever list of its issuer', async () => {
    const revoking = () => listed({}, 0, { revokedKids: ['key-1'] });
    const { lists } = listsOf({ ...ONLINE, [URI]: revoking });
    const revoked = { status: 'invalid', reason: 'key_revoked' };
    const lookUp = async (status: unknown) => lists.lookUp(await proofOf(status), TEST_ISSUER, at(5));
    expect(await lookUp(entry(0))).toMatchObject(revoked);
    // a thief names a list that does not exist, or none
    for (const status of [entry(5, statusListUri(TEST_ISSUER, 8)), undefined])
      expect(await lookUp(status)).toMatchObject(revoked);
  });

  it('is withdrawn if its issuer no longer publishes its key, where no list says anything about it', async () => {
    const revoked = { status: 'invalid', reason: 'key_revoked' };
    const unreachable = { status: null, reason: 'status_list_unreachable' };
    const elsewhere = entry(5, statusListUri(TEST_ISSUER, 8));
    const [kept, dated] = await Promise.all([proofOf(elsewhere), proofOf(undefined)]);
    const lookUp = (published: () => unknown, proof = kept) =>
      listsOf({ ...ONLINE, [PROOF_KEYS]: published }).lists.lookUp(proof, TEST_ISSUER, at(5));
    for (const proof of [kept, dated]) expect(await lookUp(() => otherKey.jwks, proof)).toEqual(revoked);
    expect(await lookUp(() => proofs.jwks)).toEqual(unreachable);
    expect(await lookUp(() => undefined)).toEqual(unreachable);
    // a cache that is older than the proof does not know the key yet
    const cached = () => Response.json(otherKey.jwks, { headers: { age: '600' } });
    expect(await lookUp(cached)).toEqual(unreachable);
    const { lists, requested } = listsOf(
      { [PROOF_KEYS]: () => otherKey.jwks },
      { offline: true, keys: [{ issuers: [TEST_ISSUER], jwks: listKey.jwks }] },
    );
    expect([await lists.lookUp(kept, TEST_ISSUER, at(5)), requested]).toEqual([unreachable, []]);
  });
});

describe('nothing is requested', () => {
  it.each([
    ['without a verified issuer', entry(1), undefined, 'not_looked_at'],
    ['for an issuer that is not trusted', entry(1), OTHER, 'not_looked_at'],
    [
      'for a list at another host',
      entry(1, 'https://evil.example/api/v1/mc4p/status/7'),
      TEST_ISSUER,
      'status_uri_differs',
    ],
    ['for a list of another issuer', entry(1, statusListUri(OTHER, 7)), TEST_ISSUER, 'status_uri_differs'],
    ['for a list with a query', entry(1, `${URI}?x=1`), TEST_ISSUER, 'status_uri_differs'],
    [
      'for a path that leads elsewhere',
      entry(1, `${TEST_ISSUER}/api/v1/mc4p/status/../7`),
      TEST_ISSUER,
      'status_uri_differs',
    ],
    ['for a claim that is null', null, TEST_ISSUER, 'status_claim_malformed'],
    ['for a claim of another kind', { status_assertion: {} }, TEST_ISSUER, 'status_claim_malformed'],
    ['for a place as text', entry('1'), TEST_ISSUER, 'status_claim_malformed'],
    ['for a negative place', entry(-1), TEST_ISSUER, 'status_claim_malformed'],
    ['for half a place', entry(0.5), TEST_ISSUER, 'status_claim_malformed'],
    ['for an address that is no text', entry(1, [URI]), TEST_ISSUER, 'status_claim_malformed'],
    ['for a place outside of any list', entry(1_048_576), TEST_ISSUER, 'status_index_out_of_range'],
  ] as const)('%s', async (_, status, issuer, reason) => {
    const { lists, requested } = listsOf({ ...ONLINE, [URI]: () => listed({ 1: 1 }) });
    expect(await lists.lookUp(await proofOf(status), issuer, at(5))).toEqual({ status: null, reason });
    expect(requested).toEqual([]);
  });

  it('for what is no proof of the issuer, whatever the caller says', async () => {
    const { lists, requested } = listsOf({ ...ONLINE, [URI]: () => listed() });
    const foreign = await proofOf(entry(1), { iss: OTHER });
    for (const proof of [undefined, null, 7, '', 'no proof', '{', {}, [], { proof: { jwt: 7 } }, foreign])
      expect(await lists.lookUp(proof, TEST_ISSUER, at(5))).toEqual({
        status: null,
        reason: 'not_looked_at',
      });
    expect(requested).toEqual([]);
  });
});

describe('a proof without the claim', () => {
  it.each([
    [undefined, 'status_claim_absent'],
    [issuedAt.getTime() / 1000 + 1, 'status_claim_absent'],
    [issuedAt.getTime() / 1000, 'status_claim_required'],
    ['soon', 'status_claim_absent'],
  ] as const)('is a fault from the date on that the keys of the lists name: %s', async (from, reason) => {
    const { lists } = listsOf({ [KEYS]: () => ({ ...listKey.jwks, claim_required_from: from }) });
    expect(await lists.lookUp(await proofOf(undefined), TEST_ISSUER, at(5))).toEqual({
      status: null,
      reason,
    });
  });

  it('is not told to be genuine while these keys cannot be read', async () => {
    const { lists } = listsOf({});
    expect(await lists.lookUp(await proofOf(undefined), TEST_ISSUER, at(5))).toEqual({
      status: null,
      reason: 'status_list_unreachable',
    });
  });
});

describe('a list that cannot be used', () => {
  it.each<[string, () => unknown]>([
    ['status_list_unreachable', () => undefined],
    ['status_list_unreachable', () => Promise.reject(new TypeError('fetch failed'))],
    ['status_list_malformed', () => 'no list'],
    ['status_list_too_large', () => 'x'.repeat(700_001)],
    ['status_list_too_large', () => 'x'.repeat(1_000_001)],
    ['status_list_expired', () => listed({}, -90_000)],
    ['status_list_not_yet_valid', () => listed({}, 90_000)],
    [
      'status_list_subject_differs',
      () => testStatusList(listKey, statusListUri(TEST_ISSUER, 8), { issuedAt }),
    ],
    ['status_list_key_unknown', () => testStatusList(otherKey, URI, { issuedAt: at(-60) })],
    ['status_list_signature_invalid', () => testStatusList(sameName, URI, { issuedAt })],
    ['status_list_type_wrong', () => listed({}, 0, { header: { typ: 'product-certificate+jwt' } })],
  ])('says nothing, and is not requested again for 30 s: %s', async (reason, answer) => {
    const { lists, requested } = listsOf({ ...ONLINE, [URI]: answer });
    const proof = await proofOf(entry(5));
    for (const seconds of [5, 6, 34])
      expect(await lists.lookUp(proof, TEST_ISSUER, at(seconds))).toEqual({ status: null, reason });
    expect(requested.filter((url) => url === URI)).toHaveLength(1);
    await lists.lookUp(proof, TEST_ISSUER, at(35));
    expect(requested.filter((url) => url === URI)).toHaveLength(2);
  });

  it('is not followed to another address', async () => {
    const modes: (string | undefined)[] = [];
    const fetch = async (url: string | URL | Request, init?: RequestInit) => {
      modes.push(init?.redirect);
      return String(url) === KEYS
        ? Response.json(listKey.jwks)
        : new Response('', { status: 302, headers: { location: 'https://evil.example' } });
    };
    const lists = createStatusLists({ trustedIssuers: [TEST_ISSUER], fetch });
    expect(await lists.lookUp(await proofOf(entry(5)), TEST_ISSUER, at(5))).toMatchObject({
      reason: 'status_list_unreachable',
    });
    expect(modes.every((mode) => mode === 'manual')).toBe(true);
  });

  it('does not take the place of one that still counts, whose age is told', async () => {
    let answer: () => unknown = () => listed({ 5: 1, 6: 2 });
    const { lists, requested } = listsOf({ ...ONLINE, [URI]: () => answer() });
    const proof = await proofOf(entry(5));
    await lists.lookUp(proof, TEST_ISSUER, at(0));
    const older = { status: 'invalid', reason: 'withdrawn', listIssuedAt: at(0).toISOString() };
    for (const [seconds, served] of [
      [900, () => undefined],
      [1000, () => 'no list'],
      // from a cache on the way that has an older one
      [2000, () => listed({}, -60)],
      [86_459, () => undefined],
    ] as const) {
      answer = served as () => unknown;
      expect(await lists.lookUp(proof, TEST_ISSUER, at(seconds))).toMatchObject(older);
    }
    expect(requested.filter((url) => url === URI)).toHaveLength(5);
    const others = await proofOf(entry(6));
    expect(await lists.lookUp(others, TEST_ISSUER, at(86_459))).toMatchObject({ status: 'suspended' });
    // withdrawn for good, also where no newer list says so; nothing else outlasts its list
    expect(await lists.lookUp(proof, TEST_ISSUER, at(86_500))).toMatchObject(older);
    for (const index of [6, 7])
      expect(await lists.lookUp(await proofOf(entry(index)), TEST_ISSUER, at(86_500))).toEqual({
        status: null,
        reason: 'status_list_expired',
      });
  });

  it('names a revoked key after it has ended, but not before it was issued', async () => {
    let answer: () => unknown = () => listed({}, 0, { revokedKids: ['key-1'] });
    const { lists } = listsOf({ ...ONLINE, [URI]: () => answer() });
    const proof = await proofOf(entry(5));
    const reason = async (seconds: number) => (await lists.lookUp(proof, TEST_ISSUER, at(seconds))).reason;
    expect(await reason(0)).toBe('key_revoked');
    answer = () => undefined;
    expect(await reason(90_000)).toBe('key_revoked');
    expect(await reason(-600)).toBe('status_list_not_yet_valid');
  });
});

describe('a list', () => {
  it('is reused for its ttl, then fetched again, and the newer one decides', async () => {
    let served = listed({});
    const { lists, requested } = listsOf({ ...ONLINE, [URI]: () => served });
    const proof = await proofOf(entry(5));
    const status = async (seconds: number) => (await lists.lookUp(proof, TEST_ISSUER, at(seconds))).status;
    expect(await status(10)).toBe('valid');
    served = listed({ 5: 2 }, 20);
    expect(await status(909)).toBe('valid');
    expect(requested).toHaveLength(2);
    expect(await status(910)).toBe('suspended');
    served = listed({ 5: 0 }, 911);
    expect(await status(1810)).toBe('valid');
    expect(requested.filter((url) => url === URI)).toHaveLength(3);
  });

  it('is fetched once for all that ask at the same time', async () => {
    const waiting = Promise.withResolvers<void>();
    const { lists, requested } = listsOf({
      ...ONLINE,
      [URI]: async () => {
        await waiting.promise;
        return listed({ 5: 1 });
      },
    });
    const proof = await proofOf(entry(5));
    const asked = Array.from({ length: 50 }, () => lists.lookUp(proof, TEST_ISSUER, at(5)));
    waiting.resolve();
    expect(new Set((await Promise.all(asked)).map(({ reason }) => reason))).toEqual(new Set(['withdrawn']));
    expect(requested.filter((url) => url === URI)).toHaveLength(1);
  });

  it('that was fetched before counts until it expires, without any request', async () => {
    const { lists, requested } = listsOf(
      { ...ONLINE, [URI]: () => listed() },
      {
        offline: true,
        keys: [{ issuers: [TEST_ISSUER], jwks: listKey.jwks }],
        prefetched: [await listed({ 5: 1 }, -60), await listed({ 5: 1, 6: 2 }), 'no list'],
      },
    );
    const lookUp = async (index: number, seconds: number) =>
      lists.lookUp(await proofOf(entry(index)), TEST_ISSUER, at(seconds));
    const told = { listIssuedAt: at(0).toISOString(), nextLook: at(86_400).toISOString() };
    expect(await lookUp(5, 86_459)).toEqual({ status: 'invalid', reason: 'withdrawn', ...told });
    expect(await lookUp(6, 80_000)).toEqual({ status: 'suspended', reason: 'suspended', ...told });
    expect(await lookUp(7, 80_000)).toEqual({ status: 'valid', reason: 'not_withdrawn', ...told });
    expect(await lookUp(7, 86_460)).toEqual({ status: null, reason: 'status_list_expired' });
    expect(requested).toEqual([]);
  });

  it('that was fetched before is refetched after its ttl where there is a network', async () => {
    const { lists } = listsOf(
      { ...ONLINE, [URI]: () => listed({ 5: 1 }, 890) },
      { prefetched: [await listed()] },
    );
    const proof = await proofOf(entry(5));
    expect(await lists.lookUp(proof, TEST_ISSUER, at(899))).toMatchObject({ status: 'valid' });
    expect(await lists.lookUp(proof, TEST_ISSUER, at(900))).toMatchObject({ status: 'invalid' });
  });

  it('that was fetched before says nothing if it was damaged, cut or expired', async () => {
    const good = await listed({ 5: 1 });
    for (const [token, reason] of [
      [`${good.slice(0, -3)}AAA`, 'status_list_signature_invalid'],
      [good.slice(0, -42), 'status_list_signature_invalid'],
      [await listed({ 5: 1 }, -90_000), 'status_list_expired'],
      ['', 'status_list_unreachable'],
    ] as const) {
      const options = {
        offline: true,
        keys: [{ issuers: [TEST_ISSUER], jwks: listKey.jwks }],
        prefetched: [token],
      };
      const lists = createStatusLists({ trustedIssuers: [TEST_ISSUER], ...options });
      expect(await lists.lookUp(await proofOf(entry(5)), TEST_ISSUER, at(5))).toEqual({
        status: null,
        reason,
      });
    }
  });

  it('is given up with the oldest if there are many, so that the memory is bounded', async () => {
    const uris = Array.from({ length: 66 }, (_, i) => statusListUri(TEST_ISSUER, i + 1));
    const served = Object.fromEntries(
      uris.map((uri) => [uri, () => testStatusList(listKey, uri, { issuedAt })]),
    );
    const { lists, requested } = listsOf({ ...ONLINE, ...served });
    for (const uri of uris) await lists.lookUp(await proofOf(entry(0, uri)), TEST_ISSUER, at(5));
    await lists.lookUp(await proofOf(entry(0, uris[65])), TEST_ISSUER, at(5));
    await lists.lookUp(await proofOf(entry(0, uris[0])), TEST_ISSUER, at(5));
    expect(requested.slice(-2)).toEqual([uris[65], uris[0]]);
    expect(requested).toHaveLength(68);
  });
});

describe('the lists of two issuers', () => {
  it('never cross: neither a key nor a list of one says anything of a proof of the other', async () => {
    const issuers = [TEST_ISSUER, OTHER] as const;
    const keyOf = { [TEST_ISSUER]: listKey, [OTHER]: sameName } as Record<string, TestIssuer>;
    const any = fc.constantFrom(...issuers);
    await fc.assert(
      fc.asyncProperty(any, any, any, any, async (iss, named, listedBy, signedBy) => {
        const uri = statusListUri(named, 7);
        // whoever serves the address of a list of `iss` has this to say
        const token = await testStatusList(keyOf[signedBy] as TestIssuer, statusListUri(listedBy, 7), {
          issuedAt,
          values: { 5: 2 },
          revokedKids: ['key-9'],
        });
        const { lists, requested } = listsOf(
          {
            [KEYS]: () => listKey.jwks,
            [statusListJwksUrl(OTHER)]: () => sameName.jwks,
            [statusListUri(iss, 7)]: () => token,
          },
          { trustedIssuers: issuers },
        );
        const proof = await proofOf(entry(5, uri), { iss });
        const { status } = await lists.lookUp(proof, iss, at(5));
        const isOwn = named === iss && listedBy === iss && signedBy === iss;
        expect(status).toBe(isOwn ? 'suspended' : null);
        expect(requested.every((url) => url.startsWith(iss))).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  it('share keys only if the caller says so', async () => {
    const uri = statusListUri(OTHER, 7);
    const token = await testStatusList(listKey, uri, { issuedAt, values: { 5: 1 } });
    const proof = await proofOf(entry(5, uri), { iss: OTHER });
    for (const [keys, reason] of [
      [[{ issuers: [TEST_ISSUER, OTHER], jwks: listKey.jwks }], 'withdrawn'],
      [[{ issuers: [TEST_ISSUER], jwks: listKey.jwks }], 'status_list_unreachable'],
    ] as const) {
      const { lists } = listsOf({ [uri]: () => token }, { trustedIssuers: [TEST_ISSUER, OTHER], keys });
      expect(await lists.lookUp(proof, OTHER, at(5))).toMatchObject({ reason });
    }
  });
});
