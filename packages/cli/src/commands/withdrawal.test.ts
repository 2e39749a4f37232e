import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { useFolder } from '../../../../test/kit/folder.ts';
import {
  createTestIssuer,
  TEST_NOW,
  TEST_PRODUCT,
  testStatusList,
} from '../../../certificate/src/testing/issuer.ts';
import { statusListUri } from '../../../certificate/src/withdrawal/index.ts';
import { type Answer, type LoopbackServer, loopbackServers, runCli } from '../testing.ts';

const folder = useFolder('withdrawal');
const proofs = await createTestIssuer('proofs');
const lists = await createTestIssuer('lists');
const serve = loopbackServers();
const INDEX = { valid: 0, invalid: 1, suspended: 2 };
const LIST = '/api/v1/mc4p/status/7';

let service: LoopbackServer;
/** What the issuer answers for its list, in place of the list. */
let instead: Answer | undefined;
let out: string;
let counter = 0;

beforeEach(async () => {
  instead = undefined;
  out = join(folder, String(counter++));
  let token = '';
  service = await serve(({ path }) => {
    if (path === '/api/v1/.well-known/jwks.json') return { body: proofs.jwks };
    if (path === '/api/v1/.well-known/status-list-jwks.json') return { body: lists.jwks };
    return path === LIST ? (instead ?? { body: token }) : { status: 404 };
  });
  token = await listToken();
});

function listToken(signer = lists): Promise<string> {
  const values = Object.fromEntries(Object.values(INDEX).map((value) => [value, value]));
  const issuedAt = new Date(TEST_NOW.getTime() - 60_000);
  return testStatusList(signer, statusListUri(service.url, 7), { issuedAt, values });
}

/** A file with a proof of this place in the list. */
async function proofFile(status: keyof typeof INDEX, changes: object = {}): Promise<string> {
  const list = { idx: INDEX[status], uri: statusListUri(service.url, 7) };
  const claims = { iss: service.url, status: { status_list: list }, ...changes };
  const certificate = await proofs.certificate({ claims });
  const path = join(folder, `${counter++}.jwt`);
  await writeFile(path, (certificate.proof as { jwt: string }).jwt);
  return path;
}

async function verified(file: string, ...more: readonly string[]) {
  const argv = ['verify', file, '--page-url', TEST_PRODUCT.url, '--issuer', service.url, ...more];
  const ran = await runCli([...argv, '--json'], { now: TEST_NOW });
  const { withdrawal, conclusion } = ran.json() as Record<string, { [name: string]: unknown }>;
  const { out: words } = await runCli(argv, { now: TEST_NOW });
  return {
    code: ran.code,
    status: withdrawal?.status,
    reason: withdrawal?.reason,
    concluded: conclusion?.code,
    words,
  };
}

const asked = (path: string) => service.asked.filter((one) => one.path === path).length;

describe('touchstone verify, of a certificate that may have been withdrawn', () => {
  it('says first that it is, and ends with the exit code of it', async () => {
    expect(await verified(await proofFile('valid'))).toMatchObject({ code: 0, status: 'valid' });
    expect(await verified(await proofFile('invalid'))).toMatchObject({
      code: 1,
      concluded: 'withdrawn',
      words: expect.stringMatching(/^WITHDRAWN {2}/),
    });
    const suspended = await verified(await proofFile('suspended'));
    expect(suspended).toMatchObject({ code: 2, concluded: 'suspended' });
    expect(suspended.words).toMatch(/^SUSPENDED {2}[\s\S]*withdrawal +The shop does not publish/);
    expect(suspended.words).not.toContain('copy');
  });

  it('never takes a list that cannot be read for “not withdrawn”, nor for “withdrawn”', async () => {
    const file = await proofFile('invalid');
    const foreign = await listToken(proofs);
    const answers: readonly (readonly [Answer, string])[] = [
      [{ status: 503 }, 'status_list_unreachable'],
      [{ status: 302, headers: { location: `${service.url}${LIST}?moved` } }, 'status_list_unreachable'],
      [{ hangUp: true }, 'status_list_unreachable'],
      [{ body: 'x'.repeat(5_000_000) }, 'status_list_too_large'],
      [{ body: foreign }, 'status_list_key_unknown'],
    ];
    for (const [answer, reason] of answers) {
      instead = answer;
      const told = await verified(file);
      expect([told.code, told.status, told.reason]).toEqual([0, null, reason]);
      expect(told.words).toContain('not known:');
      const required = await verified(file, '--withdrawal', 'required');
      expect([required.code, required.concluded]).toEqual([3, 'withdrawal_unknown']);
    }
    expect(asked(`${LIST}?moved`)).toBe(0);
  });

  it('looks at nothing if told so, with keys from a file, or for a bad signature', async () => {
    const jwks = join(folder, `${counter++}.json`);
    await writeFile(jwks, JSON.stringify(proofs.jwks));
    const file = await proofFile('invalid');
    expect(await verified(file, '--withdrawal', 'none')).toMatchObject({ code: 0, reason: 'not_looked_at' });
    expect(await verified(file, '--jwks', jwks)).toMatchObject({ code: 0, reason: 'not_looked_at' });
    const text = await readFile(file, 'utf8');
    const bad = join(folder, `${counter++}.jwt`);
    await writeFile(bad, text.replace(/\.[^.]{6}([^.]*)$/, '.AAAAAA$1'));
    expect(await verified(bad)).toMatchObject({ code: 1, reason: 'not_looked_at' });
    expect(service.asked.filter(({ path }) => path.includes('status'))).toEqual([]);
    expect(await verified(file, '--jwks', jwks, '--withdrawal', 'if-reachable')).toMatchObject({ code: 1 });
  });
});

describe('touchstone status-lists pull', () => {
  const pull = (...sources: readonly string[]) =>
    runCli(['status-lists', 'pull', ...sources, '--issuer', service.url, '--out', out], { now: TEST_NOW });

  it('keeps the lists that certificates name, with which verify works without a network', async () => {
    const file = await proofFile('invalid');
    const ran = await pull(file);
    expect([ran.code, ran.out]).toEqual([
      0,
      expect.stringMatching(/1 of 1[\s\S]*1 min old[\s\S]*23 h 59 min/),
    ]);
    const before = service.asked.filter(({ path }) => path.includes('status')).length;
    expect(await verified(file, '--status-lists', out)).toMatchObject({ code: 1, concluded: 'withdrawn' });
    expect(service.asked.filter(({ path }) => path.includes('status')).length).toBe(before);
    expect((await pull()).code).toBe(0);
  });

  it('replaces no list by one that it cannot verify', async () => {
    await pull('7');
    instead = { body: await listToken(proofs) };
    const ran = await pull('7');
    expect([ran.code, ran.out]).toEqual([1, expect.stringContaining('status_list_key_unknown')]);
    expect(await verified(await proofFile('valid'), '--status-lists', out)).toMatchObject({
      status: 'valid',
    });
    instead = { status: 503 };
    expect((await pull('7')).code).toBe(3);
    await service.close();
    expect((await pull('7')).code).toBe(3);
  });

  it('fetches nothing that is no list of the issuer', async () => {
    for (const source of ['0', 'https://elsewhere.example/api/v1/mc4p/status/7', `${service.url}${LIST}?x`])
      expect((await pull(source)).code).toBe(64);
    const uri = 'https://elsewhere.example/api/v1/mc4p/status/7';
    const file = await proofFile('valid', { status: { status_list: { idx: 0, uri } } });
    expect((await pull(file)).code).toBe(64);
    expect((await pull()).code).toBe(64);
    expect(service.asked).toEqual([]);
  });
});

describe('commands that withdraw', () => {
  const ID = TEST_PRODUCT.productId;
  const AT = '2026-03-01T12:00:00.000Z';
  const env = { TOUCHSTONE_KEY: 'tsk_0' };
  const product = {
    id: ID,
    storeId: ID,
    externalProductId: 'cup',
    name: 'Cup',
    url: TEST_PRODUCT.url,
    visible: false,
    disabled: false,
    state: 'hidden',
    attributes: [],
    images: [],
    createdAt: AT,
    updatedAt: AT,
    withdrawnAt: AT,
  };
  const registry = () =>
    serve(({ path }) => {
      if (path.endsWith('/withdraw')) return { body: product };
      if (path.endsWith('/merge')) return { body: { lists: [], waiting: 0 } };
      if (path.includes('/withdrawals'))
        return {
          body: {
            withdrawals: [
              {
                id: '1',
                merchantId: ID,
                productId: ID,
                productName: 'The kettle',
                externalProductId: 'kettle-1',
                deleted: 'product',
                cause: 'by_hand',
                reason: 'recall',
                byKey: ID,
                byRole: 'merchant',
                byLabel: 'till',
                at: AT,
              },
            ],
          },
        };
      return {
        body: {
          id: ID,
          kind: 'withdraw',
          merchantId: ID,
          storeId: ID,
          state: 'done',
          since: AT,
          done: 2,
          changed: 2,
        },
      };
    });

  it('withdraw one product with a reason, and say that it is for good and what happens next', async () => {
    const server = await registry();
    const argv = ['products', 'withdraw', ID, '--reason', 'recall', '--service', server.url];
    const { code, out: words } = await runCli(argv, { env });
    expect(server.asked.map(({ path, body }) => [path, JSON.parse(body)])).toEqual([
      [`/api/v1/registry/products/${ID}/withdraw`, { reason: 'recall' }],
    ]);
    expect([code, words]).toEqual([
      0,
      expect.stringMatching(/withdrawn for good\.\nIt is hidden[\s\S]*unhide/),
    ]);
    const again = await runCli([...argv, '--reissue'], { env });
    expect(again.out).toContain('new certificates at once');
  });

  it('withdraw many only after confirmation, however few, and offer no undo', async () => {
    const server = await registry();
    const argv = ['products', 'withdraw', ID, ID.replace('0b', '1b'), '--store', ID, '--service', server.url];
    const alone = await runCli(argv, { env });
    expect([alone.code, server.asked]).toEqual([64, []]);
    expect((await runCli(argv, { env, terminal: true, stdin: 'n\n' })).code).toBe(2);
    const done = await runCli([...argv, '--reason', 'recall'], { env, terminal: true, stdin: 'y\n' });
    expect([done.code, done.out]).toEqual([0, '2 products were withdrawn.\n']);
    expect(JSON.parse(server.asked[0]?.body ?? '')).toMatchObject({ action: 'withdraw', reason: 'recall' });
  });

  it('list what was withdrawn, when, why and by whom; merge published lists', async () => {
    const server = await registry();
    const { code, out: words } = await runCli(['withdrawals', '--store', ID, '--service', server.url], {
      env,
    });
    expect([code, words]).toEqual([
      0,
      expect.stringMatching(
        /2026-03-01.*by hand.*kettle-1 The kettle \(product deleted by now\).*recall.*by API key till/,
      ),
    ]);
    const merging = ['status-lists', 'merge', '-', '--service', server.url];
    expect(await runCli(merging, { env, stdin: 'token\n' })).toMatchObject({ code: 0 });
    expect(server.asked.at(-1)?.body).toBe('{"token":"token"}');
  });
});
