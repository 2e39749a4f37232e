import { execFileSync } from 'node:child_process';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createKeySet } from '../keys/key-set.ts';
import { decodeBase64url, encodeBase64url } from '../proof/base64url.ts';
import { createTestIssuer, TEST_ISSUER, TEST_NOW, testStatusList } from '../testing/issuer.ts';
import { encodeStatusList, signStatusList } from './make-status-list.ts';
import { MAX_STATUS_LIST_TOKEN, readStatusList } from './read-status-list.ts';
import { entryAt, isStatusListUri, STATUS_LIST_BYTES, setEntry, statusListUri } from './status-list.ts';

const issuer = await createTestIssuer('lists-1');
const stranger = await createTestIssuer('lists-2');
const keySet = createKeySet(issuer.jwks);
const uri = statusListUri(TEST_ISSUER, 7);
const issuedAt = TEST_NOW;
const read = (token: unknown, now = TEST_NOW) => readStatusList(token, { keySet, uri, now });
const after = (seconds: number) => new Date(TEST_NOW.getTime() + seconds * 1000);
const listOf = (bytes: Uint8Array) => ({ status_list: { bits: 2, lst: encodeBase64url(bytes) } });
const zeros = (length: number) => deflateSync(new Uint8Array(length));
const token = (changes: Partial<Parameters<typeof testStatusList>[2]> = {}) =>
  testStatusList(issuer, uri, { issuedAt, ...changes });

describe('a status list', () => {
  it('says of every place what was set there, and 0 of all others', async () => {
    const entries = new Uint8Array(STATUS_LIST_BYTES);
    const set = new Map([0, 1, 3, 4, 5_000, 1_048_574, 1_048_575].map((at, i) => [at, (i % 3) + 1] as const));
    for (const [at, value] of set) setEntry(entries, at, value);
    setEntry(entries, 4, 1);
    set.set(4, 1);
    const compressed = await encodeStatusList(entries);
    const signer = {
      kid: issuer.kid,
      sign: async (data: Uint8Array) => {
        const [header = '', payload = ''] = new TextDecoder().decode(data).split('.');
        const text = (part: string) => new TextDecoder().decode(decodeBase64url(part) ?? undefined);
        const jws = await issuer.signRaw(text(header), text(payload));
        return decodeBase64url(jws.slice(jws.lastIndexOf('.') + 1)) as Uint8Array;
      },
    };
    const content = { uri, issuedAt, compressed, revokedKids: ['b', 'a', 'b'] };
    const list = await read(await signStatusList(content, signer, keySet));
    if (typeof list === 'string') throw new Error(list);
    for (const [at, value] of set) expect([at, entryAt(list.entries, at)]).toEqual([at, value]);
    expect(list.entries.reduce((sum, byte) => sum + Number(byte !== 0), 0)).toBe(4);
    expect([...list.revokedKids]).toEqual(['a', 'b']);
    expect([list.ttl, list.expiresAt - list.issuedAt]).toEqual([900, 86_400]);
    await expect(signStatusList(content, { ...signer, kid: 'other' }, keySet)).rejects.toThrow(
      'status_list_key_unknown',
    );
  });

  it('has no place outside of it, and no other size', async () => {
    const entries = new Uint8Array(STATUS_LIST_BYTES);
    for (const index of [-1, 0.5, 1_048_576]) expect(() => setEntry(entries, index, 1)).toThrow(RangeError);
    await expect(encodeStatusList(new Uint8Array(STATUS_LIST_BYTES - 1))).rejects.toThrow(RangeError);
  });

  it.each([
    ['status_list_malformed', 'no text', 7],
    ['status_list_malformed', 'two parts', 'e30.e30'],
    ['status_list_malformed', 'four parts', token().then((one) => `${one}.e30`)],
    ['status_list_malformed', 'padding', token().then((one) => `${one}=`)],
    ['status_list_malformed', 'a parameter more', token({ header: { jku: 'https://x.example' } })],
    ['status_list_malformed', 'another algorithm', token({ header: { alg: 'none' } })],
    ['status_list_type_wrong', 'the type of a proof', token({ header: { typ: 'product-certificate+jwt' } })],
    ['status_list_type_wrong', 'no type', token({ header: { typ: undefined } })],
    ['status_list_key_unknown', 'an unknown key', testStatusList(stranger, uri, { issuedAt })],
    [
      'status_list_signature_invalid',
      'a stranger’s key of the same name',
      testStatusList(stranger, uri, { issuedAt, header: { kid: 'lists-1' } }),
    ],
    [
      'status_list_malformed',
      'claims that are a list',
      issuer.signRaw(JSON.stringify({ alg: 'RS256', kid: 'lists-1', typ: 'statuslist+jwt' }), '[]'),
    ],
    ['status_list_malformed', 'no address', token({ claims: { sub: undefined } })],
    ['status_list_subject_differs', 'another address', token({ claims: { sub: `${uri}1` } })],
    ['status_list_malformed', 'no end', token({ claims: { exp: undefined } })],
    ['status_list_malformed', 'an end before its beginning', token({ claims: { exp: 5 } })],
    ['status_list_malformed', 'a time as text', token({ claims: { iat: '5' } })],
    ['status_list_malformed', 'a ttl as text', token({ claims: { ttl: '900' } })],
    ['status_list_malformed', 'kids that are no texts', token({ claims: { revoked_kids: [1] } })],
    ['status_list_malformed', 'a single kid', token({ claims: { revoked_kids: 'key-1' } })],
    ['status_list_malformed', 'no list', token({ claims: { status_list: null } })],
    [
      'status_list_malformed',
      'another number of bits',
      token({ claims: { status_list: { bits: 1, lst: encodeBase64url(zeros(STATUS_LIST_BYTES)) } } }),
    ],
    ['status_list_malformed', 'too few entries', token({ claims: listOf(zeros(STATUS_LIST_BYTES - 1)) })],
    ['status_list_too_large', 'too many entries', token({ claims: listOf(zeros(STATUS_LIST_BYTES + 1)) })],
    [
      'status_list_malformed',
      'a cut stream',
      token({ claims: listOf(zeros(STATUS_LIST_BYTES).subarray(0, -1)) }),
    ],
    ['status_list_malformed', 'no stream', token({ claims: listOf(new Uint8Array(300)) })],
    ['status_list_malformed', 'an empty stream', token({ claims: listOf(new Uint8Array()) })],
    ['status_list_too_large', 'a long token', 'x'.repeat(MAX_STATUS_LIST_TOKEN + 1)],
    ['status_list_malformed', 'a token as long as allowed', 'x'.repeat(MAX_STATUS_LIST_TOKEN)],
  ] as const)('is refused as %s: %s', async (fault, _, given) => {
    expect(await read(await given)).toBe(fault);
  });

  it.each([
    [-61, 'status_list_not_yet_valid'],
    [-60, null],
    [86_400 + 59, null],
    [86_400 + 60, 'status_list_expired'],
  ] as const)(
    'counts from 60 s before it was issued until 60 s after it expires: %i s',
    async (seconds, fault) => {
      const list = await read(await token(), after(seconds));
      expect(typeof list === 'string' ? list : null).toBe(fault);
    },
  );

  it.each([
    [0, 60],
    [59, 60],
    [61, 61],
    [86_401, 86_400],
    [undefined, 900],
  ])('that asks to be reused for %s s is reused for %i s', async (ttl, reused) => {
    expect(await read(await token({ claims: { ttl } }))).toMatchObject({ ttl: reused });
  });

  it('of random entries, the largest there is, is read', async () => {
    const entries = new Uint8Array(STATUS_LIST_BYTES);
    for (let at = 0; at < entries.length; at += 65_536)
      crypto.getRandomValues(entries.subarray(at, at + 65_536));
    const largest = await token({ claims: listOf(await encodeStatusList(entries)) });
    expect(largest.length).toBeLessThan(MAX_STATUS_LIST_TOKEN);
    expect(await read(largest)).toMatchObject({ entries });
  });

  it('that would inflate to 350 MB costs less than 10 MB, and one of 1 GB is too long to be one', async () => {
    const bomb = listOf(zeros(350_000_000));
    const hostile = await token({ claims: bomb });
    expect(hostile.length).toBeLessThan(MAX_STATUS_LIST_TOKEN);
    expect((bomb.status_list.lst.length * 1000) / 350).toBeGreaterThan(MAX_STATUS_LIST_TOKEN);
    const { inflated, cost } = JSON.parse(
      execFileSync(process.execPath, [new URL('../../test/inflate-bomb.ts', import.meta.url).pathname], {
        input: bomb.status_list.lst,
        encoding: 'utf8',
        maxBuffer: 1_000_000,
      }),
    );
    expect(inflated).toBe('too_large');
    expect(cost).toBeLessThan(10_000_000);
    expect(await read(hostile)).toBe('status_list_too_large');
  });
});

describe('10,000 lists that were altered, cut or swapped', () => {
  it('are all refused, and none is an exception', async () => {
    const honest = await token({ values: { 5: 1, 9: 2 } });
    const others = [
      await testStatusList(issuer, statusListUri(TEST_ISSUER, 8), { issuedAt }),
      await testStatusList(stranger, uri, { issuedAt }),
      await token({ issuedAt: after(-90_000) }),
      await token({ issuedAt: after(90_000) }),
    ];
    const parts = (one: string) => one.split('.') as [string, string, string];
    const change = fc
      .oneof(
        fc.nat(honest.length - 1).map((at) => honest.slice(0, at)),
        fc
          .tuple(fc.nat(honest.length - 1), fc.constantFrom(...'AZaz09-_.= '))
          .map(([at, digit]) => honest.slice(0, at) + digit + honest.slice(at + 1)),
        fc
          .tuple(fc.nat(honest.length - 1), fc.string())
          .map(([at, text]) => honest.slice(0, at) + text + honest.slice(at)),
        fc.constantFrom(...others),
        fc
          .tuple(
            fc.constantFrom(honest, ...others),
            fc.constantFrom(honest, ...others),
            fc.constantFrom(honest, ...others),
          )
          .map((three) => three.map((one, part) => parts(one)[part]).join('.')),
      )
      .filter((one) => one !== honest);
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(change, async (altered) => {
        expect(await read(altered)).toBeTypeOf('string');
        refused += 1;
      }),
      { numRuns: 10_000 },
    );
    expect(refused).toBe(10_000);
    expect(await read(honest)).toBeTypeOf('object');
  });
});

it.each([
  [`${TEST_ISSUER}/api/v1/mc4p/status/1`, true],
  [`${TEST_ISSUER}/api/v1/mc4p/status/2147483647`, true],
  [`${TEST_ISSUER}/api/v1/mc4p/status/2147483648`, false],
  [`${TEST_ISSUER}/api/v1/mc4p/status/0`, false],
  [`${TEST_ISSUER}/api/v1/mc4p/status/07`, false],
  [`${TEST_ISSUER}/api/v1/mc4p/status/7/`, false],
  [`${TEST_ISSUER}/api/v1/mc4p/status/7?x`, false],
  [`${TEST_ISSUER}/api/v1/mc4p/status/`, false],
  [`${TEST_ISSUER}.evil.example/api/v1/mc4p/status/7`, false],
  [`https://CERTIFICATES.example/api/v1/mc4p/status/7`, false],
])('%s is an address of a list of the issuer: %s', (address, isOne) => {
  expect(isStatusListUri(address, TEST_ISSUER)).toBe(isOne);
});

it('counts for a day at the most, whatever end it names: a stolen key makes no list that lasts', async () => {
  const day = issuedAt.getTime() + 86_400_000;
  const long = await token({ claims: { exp: Math.floor(day / 1000) * 10 } });
  expect(await read(long, new Date(day))).toHaveProperty('expiresAt', Math.floor(day / 1000));
  expect(await read(long, new Date(day + 60_000))).toBe('status_list_expired');
});
