import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflateSync } from 'node:zlib';
import {
  createTestIssuer,
  TEST_ISSUER,
  TEST_NOW,
  TEST_PRODUCT,
  type TestIssuer,
} from '@touchstone/certificate/testing';
import { createStatusLists } from '@touchstone/certificate/withdrawal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useFolder } from '../kit/folder.ts';
import { ROOT } from '../kit/imports.ts';
import { NO_PYTHON, PYTHON, PYTHON_ENV, WHY_NO_PYTHON } from '../kit/python.ts';
import { httpServer } from '../kit/servers.ts';
import {
  createListIssuer,
  LIST_ENTRIES,
  LIST_ISSUED_AT,
  LIST_KEYS_URL,
  LIST_URI,
  type ListChanges,
  statusList,
} from '../kit/status-lists.ts';
import type { Program } from '../scenarios/transports/program.ts';
import { startPython } from '../scenarios/transports/python.ts';

const run = promisify(execFile);
const INDEX = 4_711;
const claim = { status: { status_list: { idx: INDEX, uri: LIST_URI } } };

describe.skipIf(NO_PYTHON !== null)(`the Python package, about withdrawal${WHY_NO_PYTHON}`, () => {
  const folder = useFolder('python-withdrawal');
  let issuer: TestIssuer;
  let lists: Awaited<ReturnType<typeof createListIssuer>>;
  let python: Program;
  beforeAll(async () => {
    [issuer, lists] = await Promise.all([createTestIssuer(), createListIssuer()]);
    python = startPython();
  });
  afterAll(() => python?.close());

  interface Answer {
    readonly status: string;
    readonly checks: Readonly<Record<string, readonly [boolean | null, string]>>;
    readonly warnings: readonly string[];
    readonly errors: readonly string[];
    readonly withdrawal: { readonly status: string | null; readonly reason: string };
  }
  /** @param texts - by address; what is not there cannot be reached */
  const verify = async (
    document: object,
    texts: Readonly<Record<string, string>> | undefined,
    now = TEST_NOW,
  ): Promise<Answer> => {
    const request = {
      kind: 'document',
      document,
      pageUrl: TEST_PRODUCT.url,
      productId: TEST_PRODUCT.productId,
      keys: [{ issuers: [TEST_ISSUER], jwks: issuer.jwks }],
      now: now.toISOString(),
      ...(texts === undefined ? {} : { lists: texts }),
    };
    const answer = (await python.ask(request)) as Answer;
    const [isSigned] = answer.checks.signatureValid ?? [];
    if (texts !== undefined)
      expect(answer.withdrawal).toMatchObject(await bySdk(document, isSigned === true, texts, now));
    return answer;
  };
  /** The same texts as the core sees them: each list at its address, and at hand before. */
  const bySdk = async (
    document: object,
    isSigned: boolean,
    texts: Readonly<Record<string, string>>,
    now: Date,
  ) => {
    const fetch = async (url: unknown) => {
      const text = texts[String(url)];
      return text === undefined ? new Response('', { status: 404 }) : new Response(text);
    };
    const prefetched = Object.entries(texts).flatMap(([uri, text]) =>
      uri.includes('/status/') ? [text] : [],
    );
    const sdk = createStatusLists({ trustedIssuers: [TEST_ISSUER], fetch, prefetched });
    const { status, reason } = await sdk.lookUp(document, isSigned ? TEST_ISSUER : undefined, now);
    return { status, reason };
  };
  const keysText = (more: object = {}) =>
    JSON.stringify({ ...lists.jwks, claim_required_from: LIST_ISSUED_AT + 1, ...more });
  const withList = (token: string) => ({ [LIST_KEYS_URL]: keysText(), [LIST_URI]: token });
  const certificate = (claims: object = claim) => issuer.certificate({ claims: { ...claims } });

  it('tells valid, withdrawn and suspended, by the index or by a revoked key', async () => {
    const document = await certificate();
    const ask = async (changes: ListChanges) => verify(document, withList(await lists.sign(changes)));
    const valid = await ask({
      values: [
        [INDEX - 1, 1],
        [INDEX + 1, 2],
      ],
    });
    expect(valid.withdrawal).toEqual({
      status: 'valid',
      reason: 'not_withdrawn',
      listIssuedAt: '2026-03-01T12:00:00Z',
      nextLook: '2026-03-01T12:15:00Z',
    });
    expect([valid.status, valid.warnings, valid.errors]).toEqual(['verified', [], []]);

    const withdrawn = await ask({ values: [[INDEX, 1]] });
    expect(withdrawn).toMatchObject({
      status: 'failed',
      withdrawal: { status: 'invalid', reason: 'withdrawn' },
      errors: ['certificate_withdrawn'],
    });
    expect(withdrawn.checks.boundToDomain).toEqual([false, 'certificate_withdrawn']);

    const suspended = await ask({ values: [[INDEX, 2]] });
    expect(suspended).toMatchObject({
      status: 'verified',
      withdrawal: { status: 'suspended', reason: 'suspended' },
      warnings: ['certificate_suspended'],
    });

    const revoked = await ask({ claims: { revoked_kids: [issuer.kid] } });
    const byKey = { status: 'failed', withdrawal: { status: 'invalid', reason: 'key_revoked' } };
    expect(revoked).toMatchObject(byKey);
    // another list of the issuer at hand says so too, also about a proof without the claim
    const uri = `${TEST_ISSUER}/api/v1/mc4p/status/8`;
    const other = await lists.sign({ claims: { sub: uri, revoked_kids: [issuer.kid] } });
    const atHand = { ...withList(await lists.sign()), [uri]: other };
    for (const one of [document, await issuer.certificate()])
      expect(await verify(one, atHand)).toMatchObject(byKey);
  });

  it('does not look for a proof whose signature is bad, nor at an address of the proof’s own', async () => {
    const list = await lists.sign({ values: [[INDEX, 1]] });
    const stranger = await createTestIssuer(issuer.kid);
    const forged = await stranger.certificate({ claims: claim });
    expect((await verify(forged, withList(list))).withdrawal).toEqual({
      status: null,
      reason: 'not_looked_at',
    });
    expect((await verify(await certificate(), undefined)).withdrawal.reason).toBe('not_looked_at');
    for (const uri of [
      'https://evil.example/api/v1/mc4p/status/7',
      `${LIST_URI}?time=1`,
      `${LIST_URI}/`,
      `${TEST_ISSUER}/api/v1/mc4p/status/07`,
      `${TEST_ISSUER}/api/v1/mc4p/status/2147483648`,
    ]) {
      const foreign = await certificate({ status: { status_list: { idx: INDEX, uri } } });
      const found = await verify(foreign, {
        ...withList(list),
        [uri]: await lists.sign({ claims: { sub: uri } }),
      });
      expect([uri, found.checks.certificateIntegrity]).toEqual([uri, [false, 'status_uri_differs']]);
      expect(found.status).toBe('failed');
    }
  });

  it('a proof without the claim is unknown, and false if it was issued since the claim is required', async () => {
    const without = await issuer.certificate();
    const old = await verify(without, { [LIST_KEYS_URL]: keysText() });
    expect(old).toMatchObject({
      status: 'verified',
      withdrawal: { status: null, reason: 'status_claim_absent' },
    });
    const required = await verify(without, {
      [LIST_KEYS_URL]: keysText({ claim_required_from: LIST_ISSUED_AT }),
    });
    expect(required).toMatchObject({ status: 'failed', errors: ['status_claim_required'] });
    for (const status of [
      null,
      [],
      {},
      { status_list: { uri: LIST_URI } },
      { status_list: { idx: -1, uri: LIST_URI } },
      { status_list: { idx: 0.5, uri: LIST_URI } },
      { status_list: { idx: '1', uri: LIST_URI } },
    ]) {
      const malformed = await verify(await certificate({ status }), withList(await lists.sign()));
      expect([status, malformed.errors]).toEqual([status, ['status_claim_malformed']]);
    }
  });

  it('every fault of a list is unknown with its reason, and neither passes nor fails', async () => {
    const document = await certificate();
    const good = await lists.sign();
    const [head = '', body = '', signature = ''] = good.split('.');
    const proofKey = await issuer.sign(
      {
        sub: LIST_URI,
        iat: LIST_ISSUED_AT,
        exp: LIST_ISSUED_AT + 86_400,
        ttl: 900,
        status_list: statusList(Buffer.alloc(262_144)),
      },
      { typ: 'statuslist+jwt' },
    );
    const thief = await createListIssuer('list-key-1');
    const bomb = deflateSync(Buffer.alloc(64 * 1024 * 1024)).toString('base64url');
    const cut = deflateSync(Buffer.alloc(262_144)).subarray(0, 100).toString('base64url');
    const signed = (claims: object, header: object = {}) =>
      lists.sign({ claims: { ...claims }, header: { ...header } });
    const cases: readonly (readonly [string, string])[] = [
      ['status_list_malformed', '<html>'],
      ['status_list_malformed', `${head}.${body}`],
      ['status_list_malformed', `${head}.${body}=.${signature}`],
      ['status_list_too_large', 'A'.repeat(700_001)],
      ['status_list_signature_invalid', `${head}.${body.slice(0, -8)}AAAAAAAA.${signature}`],
      ['status_list_signature_invalid', await thief.sign()],
      ['status_list_key_unknown', proofKey],
      ['status_list_type_wrong', await signed({}, { typ: 'product-certificate+jwt' })],
      ['status_list_malformed', await signed({}, { jku: 'https://evil.example/' })],
      ['status_list_subject_differs', await signed({ sub: `${TEST_ISSUER}/api/v1/mc4p/status/8` })],
      ['status_list_expired', await signed({ iat: LIST_ISSUED_AT - 86_500, exp: LIST_ISSUED_AT - 100 })],
      [
        'status_list_not_yet_valid',
        await signed({ iat: LIST_ISSUED_AT + 600, exp: LIST_ISSUED_AT + 87_000 }),
      ],
      ['status_list_malformed', await signed({ exp: undefined })],
      [
        'status_list_malformed',
        await signed({ status_list: { bits: 1, lst: statusList(Buffer.alloc(131_072)).lst } }),
      ],
      ['status_list_malformed', await signed({ status_list: { bits: 2, lst: cut } })],
      ['status_list_malformed', await signed({ status_list: { bits: 2, lst: `${cut}!` } })],
      ['status_list_too_large', await signed({ status_list: { bits: 2, lst: bomb } })],
      ['status_list_malformed', await signed({ status_list: statusList(Buffer.alloc(262_143)) })],
      ['status_value_unknown', await lists.sign({ values: [[INDEX, 3]] })],
    ];
    for (const [reason, token] of cases) {
      const found = await verify(document, withList(token));
      expect([reason, token.slice(0, 40), found.withdrawal.status, found.withdrawal.reason]).toEqual([
        reason,
        token.slice(0, 40),
        null,
        reason,
      ]);
      expect([found.status, found.errors]).toEqual(['verified', []]);
    }
    const beyond = await certificate({ status: { status_list: { idx: LIST_ENTRIES, uri: LIST_URI } } });
    expect((await verify(beyond, withList(good))).withdrawal.reason).toBe('status_index_out_of_range');
    expect((await verify(document, { [LIST_URI]: good })).withdrawal.reason).toBe('status_list_unreachable');
  });

  it('no list that was cut or altered anywhere is believed', async () => {
    const document = await certificate();
    const good = await lists.sign({ values: [[INDEX, 1]] });
    for (let place = 0; place < good.length; place += 1 + Math.floor(good.length / 150)) {
      const letter = good[place] === 'A' ? 'B' : 'A';
      for (const token of [
        good.slice(0, place),
        `${good.slice(0, place)}${letter}${good.slice(place + 1)}`,
      ]) {
        const { withdrawal } = await verify(document, withList(token));
        expect([place, withdrawal.status]).toEqual([place, null]);
      }
    }
  });

  it('as a command: exits with 1, 2 or 3, with lists from files', async () => {
    const tokens: Record<string, string> = {
      valid: await lists.sign(),
      withdrawn: await lists.sign({ values: [[INDEX, 1]] }),
      suspended: await lists.sign({ values: [[INDEX, 2]] }),
      unknown: await lists.sign({ values: [[INDEX, 3]] }),
    };
    const files = { certificate: await certificate(), jwks: issuer.jwks };
    for (const [name, value] of Object.entries(files))
      await writeFile(join(folder, `${name}.json`), JSON.stringify(value));
    await writeFile(join(folder, 'list-keys.json'), keysText());
    for (const [name, token] of Object.entries(tokens)) await writeFile(join(folder, `${name}.jwt`), token);
    const command = (...more: readonly string[]) => {
      const args = [
        'certificate.json',
        '--issuer',
        TEST_ISSUER,
        '--jwks',
        'jwks.json',
        '--page-url',
        TEST_PRODUCT.url,
      ];
      const all = [join(ROOT, 'examples/verify.py'), ...args, '--now', TEST_NOW.toISOString(), ...more];
      return run(PYTHON, all, { cwd: folder, env: PYTHON_ENV }).then(
        () => 0,
        ({ code }: { code: number }) => code,
      );
    };
    const given = ['--status-keys', 'list-keys.json', '--status-list'];
    expect(await command(...given, 'valid.jwt', '--withdrawal', 'required')).toBe(0);
    expect(await command(...given, 'withdrawn.jwt')).toBe(1);
    expect(await command(...given, 'withdrawn.jwt', '--withdrawal', 'none')).toBe(0);
    expect(await command(...given, 'suspended.jwt')).toBe(2);
    expect(await command(...given, 'unknown.jwt')).toBe(0);
    expect(await command(...given, 'unknown.jwt', '--withdrawal', 'required')).toBe(3);
    expect(await command('--withdrawal', 'required')).toBe(3);
    expect(await command(...given, 'absent.jwt')).toBe(64);
    expect(await command('--withdrawal', 'perhaps')).toBe(64);
  });

  it('as a command, fetches keys and list from the trusted issuer, and follows no redirect', async () => {
    const asked: string[] = [];
    let token = '';
    let isMoved = false;
    const server = await httpServer((request, response) => {
      asked.push(request.url ?? '');
      if (isMoved) return void response.writeHead(302, { location: '/elsewhere' }).end();
      response.end(request.url?.endsWith('jwks.json') ? keysText() : token);
    });
    try {
      const own = `http://127.0.0.1:${server.port}`;
      const uri = `${own}/api/v1/mc4p/status/7`;
      const document = await certificate({ iss: own, status: { status_list: { idx: INDEX, uri } } });
      await writeFile(join(folder, 'local.json'), JSON.stringify(document));
      await writeFile(join(folder, 'jwks.json'), JSON.stringify(issuer.jwks));
      token = await lists.sign({ values: [[INDEX, 1]], claims: { sub: uri } });
      const args = ['local.json', '--issuer', own, '--jwks', 'jwks.json', '--page-url', TEST_PRODUCT.url];
      const all = [
        join(ROOT, 'examples/verify.py'),
        ...args,
        '--now',
        TEST_NOW.toISOString(),
        '--fetch-status',
      ];
      const told = async () => {
        const ran = run(PYTHON, all, { cwd: folder, env: PYTHON_ENV });
        const { stdout } = await ran.catch((error: { stdout: string }) => error);
        return (JSON.parse(stdout) as Answer).withdrawal;
      };
      expect(await told()).toMatchObject({ status: 'invalid', reason: 'withdrawn' });
      expect(asked).toEqual(['/api/v1/mc4p/status/7', '/api/v1/.well-known/status-list-jwks.json']);
      isMoved = true;
      expect(await told()).toMatchObject({ status: null, reason: 'status_list_unreachable' });
      expect(asked).not.toContain('/elsewhere');
    } finally {
      await server.close();
    }
  });

  it('inflates no more than a list has: a gigabyte of zeros costs less than 10 MB', async () => {
    const script = `import sys, zlib, base64, resource; from touchstone_certificate.status_list import decode_entries
packer, megabyte = zlib.compressobj(9), bytes(1 << 20)
parts = [packer.compress(megabyte) + packer.flush(zlib.Z_FULL_FLUSH) for _ in range(2)]
lst = base64.urlsafe_b64encode(parts[0] + parts[1] * 1023).rstrip(b"=").decode()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(decode_entries(2, lst)[1], resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)`;
    const { stdout } = await run(PYTHON, ['-c', script], { env: PYTHON_ENV });
    const [reason, grown] = stdout.trim().split(' ');
    expect(reason).toBe('status_list_too_large');
    expect(Number(grown)).toBeLessThan(10 * 1024);
  });

  it('reads lists of 1, 2, 4 and 8 bits by the same rule', async () => {
    const script = `import json, base64, zlib; from touchstone_certificate.status_list import decode_entries, entry_at
def packed(bits, data): return base64.urlsafe_b64encode(zlib.compress(bytes(data))).rstrip(b"=").decode()
print(json.dumps([[entry_at(decode_entries(bits, packed(bits, data))[0], bits, i) for i in range(4)] for bits, data in [(1, [0xB9, 0xA3]), (2, [0xC9, 0x44, 0xF9]), (4, [0xC9, 0x44]), (8, [1, 2, 3])]]))`;
    const { stdout } = await run(PYTHON, ['-c', script], { env: PYTHON_ENV });
    // the first two are the draft's own short examples (sections 4.1 and 4.2)
    expect(JSON.parse(stdout)).toEqual([
      [1, 0, 0, 1],
      [1, 2, 0, 3],
      [9, 12, 4, 4],
      [1, 2, 3, null],
    ]);
  });
});
