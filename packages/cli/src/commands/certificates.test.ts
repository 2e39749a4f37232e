import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { productCertificate } from '@touchstone/certificate/issue';
import { TEST_PRODUCT } from '@touchstone/certificate/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, idOf, type LoopbackServer, loopbackServer, runCli } from '../testing.ts';

const STORE = '6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b01';
const addresses = {
  baseUrl: 'https://certificates.example',
  namespaceUrl: 'https://certificates.example/ns#',
};
const certificateOf = (n: number, jwt: string) =>
  productCertificate(
    { ...TEST_PRODUCT, productId: idOf(n) },
    { jwt, issuedAt: '2026-03-01T12:00:00.000Z' },
    addresses,
  );
const about = (n: number, cursor: string) => ({
  productId: idOf(n),
  externalProductId: `cup-${n}`,
  url: 'https://shop.example/cup',
  cursor,
});
const current = (n: number, cursor: string, jwt = 'a.b.c') => ({
  status: 'current',
  ...about(n, cursor),
  issuedAt: '2026-03-01T12:00:00.000Z',
  replaceBy: '2026-03-08T12:00:00.000Z',
  certificate: certificateOf(n, jwt),
});
const withdrawn = (n: number, cursor: string) => ({
  status: 'withdrawn',
  ...about(n, cursor),
  state: 'hidden',
});
const end = (cursor: string, failed = 0) => ({
  status: 'end',
  cursor,
  certificates: 0,
  withdrawn: 0,
  failed,
});

let server: LoopbackServer;
let folder: string;
let answers: Answer[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'touchstone-certificates-'));
  server = await loopbackServer(() => answers.shift() ?? { hangUp: true });
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const ndjson = (...lines: readonly object[]): Answer => ({
  headers: { 'content-type': 'application/x-ndjson' },
  body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
});
const asked = () => server.asked.map(({ path }) => new URL(path, server.url).searchParams.get('since'));
const files = async () => (await readdir(folder)).toSorted();

describe('certificates pull', () => {
  const pull = (...more: string[]) =>
    runCli(
      [
        'certificates',
        'pull',
        STORE,
        '--out',
        folder,
        '--key',
        'k',
        '--service',
        server.url,
        '--json',
        ...more,
      ],
      { waits: [], now: new Date('2026-03-02T12:00:00.000Z') },
    );
  const index = async () =>
    (JSON.parse(await readFile(join(folder, 'index.json'), 'utf8')) as { certificates: object[] })
      .certificates;

  it('writes text that cannot end a script element of a page that includes the file', async () => {
    const line = current(1, 'c1');
    const certificate = {
      ...line.certificate,
      additionalProperty: [{ '@type': 'PropertyValue', name: '</script><!-- é &', value: '2' }],
    };
    answers = [ndjson({ ...line, certificate }, end('c1'))];
    expect(await pull()).toMatchObject({ code: 0, err: '' });
    const text = await readFile(join(folder, `${idOf(1)}.json`), 'utf8');
    expect(text).toMatch(/^[^<>&]+$/);
    expect(JSON.parse(text)).toEqual(certificate);
  });

  it('writes each certificate unchanged, and continues from its cursor the next time', async () => {
    answers = [
      ndjson(current(1, 'c1'), current(2, 'c2'), end('c2')),
      ndjson(current(1, 'c3', 'd.e.f'), withdrawn(2, 'c4'), end('c4')),
    ];
    const first = await pull();
    expect(first.json()).toMatchObject({ written: 2, present: 0, removed: 0, cursor: 'c2' });
    expect(first.code).toBe(0);
    const text = await readFile(join(folder, `${idOf(1)}.json`), 'utf8');
    expect(text).toBe(JSON.stringify(certificateOf(1, 'a.b.c')));
    expect((await pull()).json()).toMatchObject({ written: 1, removed: 1, cursor: 'c4' });
    expect(await files()).toEqual([`${idOf(1)}.json`, 'index.json', 'pulled.json']);
    expect(asked()).toEqual([null, 'c2']);
  });

  it('resumes a broken connection after the last complete line', async () => {
    const cut = ndjson(current(1, 'c1'));
    answers = [cut, { hangUp: true }, ndjson(current(2, 'c2'), end('c2'))];
    expect((await pull()).json()).toMatchObject({ written: 2 });
    expect(asked()).toEqual([null, 'c1', 'c1']);
  });

  it('downloads everything again with --all, keeps unchanged files, and removes those that are no longer listed', async () => {
    answers = [ndjson(current(1, 'c1'), current(2, 'c2'), end('c2')), ndjson(current(1, 'c1'), end('c1'))];
    await pull();
    await writeFile(join(folder, 'of-mine.txt'), '');
    expect((await pull('--all')).json()).toMatchObject({ written: 0, present: 1, removed: 1 });
    expect(await files()).toEqual([`${idOf(1)}.json`, 'index.json', 'of-mine.txt', 'pulled.json']);
    expect(asked()).toEqual([null, null]);
  });

  it('says how to start over when the service no longer accepts its cursor; one given as an option is a usage error', async () => {
    answers = [ndjson(current(1, 'c1'), end('c1'))];
    await pull();
    const stale: Answer = {
      status: 400,
      body: { title: 'Bad Request', status: 400, detail: 'Of a later time.', code: 'bad_request' },
    };
    answers = [stale, stale];
    expect((await pull()).json()).toMatchObject({
      error: { code: 'bad_request', hint: expect.stringContaining(' --all') },
    });
    answers = [stale, stale];
    expect([(await pull()).code, (await pull('--since', 'c9')).code]).toEqual([3, 64]);
  });

  it('waits and retries after a fault midway; a lasting one ends it', async () => {
    const aborted = { status: 'aborted', code: 'signer_unavailable', detail: 'Not now.', cursor: 'c1' };
    answers = [ndjson(current(1, 'c1'), aborted), ndjson(end('c1', 2))];
    const pulled = await pull();
    expect(pulled.json()).toMatchObject({ written: 1, failed: 2 });
    expect(pulled.code).toBe(1);
    answers = Array.from({ length: 20 }, () => ndjson(aborted));
    expect((await pull()).code).toBe(3);
  });

  it('keeps an index of where each certificate is, and when it ends', async () => {
    answers = [
      ndjson(current(1, 'c1'), current(2, 'c2'), end('c2')),
      ndjson(withdrawn(1, 'c3'), current(3, 'c4'), end('c4')),
    ];
    const replaceBy = '2026-03-08T12:00:00.000Z';
    expect((await pull()).json()).toMatchObject({ certificates: 2, ended: 0, replaceBy });
    expect(await index()).toEqual(
      [1, 2].map((n) => ({
        productId: idOf(n),
        externalProductId: `cup-${n}`,
        url: 'https://shop.example/cup',
        file: `${idOf(n)}.json`,
        replaceBy,
      })),
    );
    await pull();
    expect(await index()).toMatchObject([{ productId: idOf(2) }, { productId: idOf(3) }]);
  });

  it('reports certificates that have ended, with another exit code', async () => {
    const replaceBy = '2026-03-02T11:59:59.000Z';
    answers = [ndjson({ ...current(1, 'c1'), replaceBy }, current(2, 'c2'), end('c2'))];
    const pulled = await pull();
    expect([pulled.code, pulled.json()]).toMatchObject([1, { certificates: 2, ended: 1, replaceBy }]);
  });

  it('continues after an interruption from its index, whether or not a line was cut off', async () => {
    const many = Array.from({ length: 500 }, (_, n) => current(n % 10, `c${n + 1}`));
    answers = [ndjson(...many, current(1, 'c501')), ...Array.from({ length: 6 }, () => ({ hangUp: true }))];
    expect((await pull()).code).toBe(3);
    await appendFile(join(folder, 'index.changes'), '{"productId":"');
    answers = [ndjson(withdrawn(9, 'c502'), end('c502'))];
    expect((await pull()).json()).toMatchObject({ certificates: 9, removed: 1 });
    expect(asked().at(-1)).toBe('c500');
    expect(await files()).not.toContain('index.changes');
  });

  it('asks for everything if the folder has no index', async () => {
    await writeFile(join(folder, 'pulled.json'), JSON.stringify({ storeId: STORE, cursor: 'c' }));
    answers = [ndjson(current(1, 'c1'), end('c1'))];
    expect((await pull()).json()).toMatchObject({ written: 1, certificates: 1 });
    expect(asked()).toEqual([null]);
  });

  it('asks for the target folder, and accepts it as --to', async () => {
    const args = ['certificates', 'pull', STORE, '--key', 'k', '--service', server.url];
    const refused = await runCli(args);
    expect([refused.code, refused.err]).toEqual([64, expect.stringContaining('--out certificates/')]);
    answers = [ndjson(end('c1'))];
    expect((await runCli([...args, '--to', folder])).code).toBe(0);
  });

  it('refuses the folder of another store', async () => {
    await writeFile(join(folder, 'pulled.json'), JSON.stringify({ storeId: idOf(9), cursor: 'c' }));
    const refused = await pull();
    expect(refused.code).toBe(64);
    expect(refused.err).toContain(idOf(9));
  });
});

describe('certificates', () => {
  const COUNTS = {
    state: 'done',
    certificates: 740,
    done: 740,
    left: 0,
    total: 740,
    failed: 0,
    perSecond: 0,
  };
  const certificates = (...more: string[]) =>
    runCli(['certificates', STORE, '--key', 'k', '--service', server.url, ...more], { waits: [] });

  it('reports that all are issued', async () => {
    answers = [{ body: COUNTS }];
    const told = await certificates();
    expect(told.out).toBe('740 certificates issued; nothing left to issue\n');
    expect(told.code).toBe(0);
    expect(server.asked[0]?.path).toBe(`/api/v1/registry/stores/${STORE}/certificates/progress`);
  });

  it('reports how many are missing, and why', async () => {
    const at = '2026-03-01T12:00:00.000Z';
    const lastFailure = { code: 'signer_unavailable', detail: 'Not now.', at, attempts: 1 };
    answers = [
      { body: { ...COUNTS, state: 'waiting', done: 40, left: 700, failed: 1, since: at, lastFailure } },
    ];
    const told = await certificates();
    expect(told.out).toContain(`40 of 740 products processed since ${at}, 700 left (0 a second)`);
    expect(told.out).toContain('No node is working on it');
    expect(told.out).toContain(`signer_unavailable at ${at}: Not now.`);
    expect(told.code).toBe(1);
  });

  it('reports what is in progress', async () => {
    answers = [{ body: { ...COUNTS, state: 'working', done: 40, left: 700, perSecond: 812.5 } }];
    const told = await certificates();
    expect(told.out).toContain('700 left (812.5 a second)');
    expect(told.code).toBe(2);
  });

  it('waits with --watch until none is missing', async () => {
    answers = [{ body: { ...COUNTS, state: 'working', done: 700, left: 40 } }, { body: COUNTS }];
    expect((await certificates('--watch')).code).toBe(0);
    expect(server.asked).toHaveLength(2);
  });
});

describe('certificates history', () => {
  const PROOF = {
    issuedAt: '2026-03-01T12:00:00.000Z',
    expiresAt: '2026-03-08T12:00:00.000Z',
    kid: 'k1',
    state: 'valid',
    reason: 'first',
  };
  const page = (proofs: readonly object[], nextCursor?: string): Answer => ({
    body: { productId: idOf(1), keptDays: 8, proofs, ...(nextCursor === undefined ? {} : { nextCursor }) },
  });
  const history = (...more: string[]) =>
    runCli(['certificates', 'history', idOf(1), '--key', 'k', '--service', server.url, ...more], {
      waits: [],
    });

  it('lists every proof, from all pages, with why it was made', async () => {
    const changed = { ...PROOF, kid: 'k2', state: 'current', reason: 'changed', changed: ['name', 'images'] };
    answers = [page([changed], '7'), page([PROOF])];
    const told = await history();
    expect(told.out).toBe(`2026-03-01T12:00:00.000Z to 2026-03-08T12:00:00.000Z  served now
  changed: name, images; key k2
2026-03-01T12:00:00.000Z to 2026-03-08T12:00:00.000Z  replaced, valid until it expires
  the first; key k1
`);
    expect(told.code).toBe(0);
    expect(server.asked.map(({ path }) => path)).toEqual([
      `/api/v1/registry/products/${idOf(1)}/proofs?limit=100`,
      `/api/v1/registry/products/${idOf(1)}/proofs?cursor=7&limit=100`,
    ]);
  });

  it('says that there is none', async () => {
    answers = [page([])];
    expect((await history()).out).toBe('No proof was issued in the last 8 days.\n');
    answers = [page([])];
    expect((await history('--json')).json()).toEqual({ productId: idOf(1), keptDays: 8, proofs: [] });
  });
});
