import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createKeySet, verifyProductCertificate } from '@touchstone/certificate';
import { comparePageUrls, pageKeys } from '@touchstone/certificate/binding';
import { createStatusLists, entryAt, readStatusList } from '@touchstone/certificate/withdrawal';
import { afterAll, describe, expect, it } from 'vitest';
import { runCli } from '../../packages/cli/src/testing.ts';
import { pageDigest } from '../../packages/server/src/parts/publish/copy-paths.ts';
import { useFolder } from '../kit/folder.ts';
import { httpServer } from '../kit/servers.ts';
import { BASE_URL, type Json, openScene, type Scene, useScene } from '../kit/service.ts';

const folder = useFolder('publish');
const TYPES = [
  [/^\/api\/v1\/mc4p\/products\//, 'application/ld+json'],
  [/\.json$/, 'application/json'],
] as const;

/** A plain file server, as in front of a CDN. */
async function serveFolder(root: string) {
  return httpServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://static.example');
    void readFile(join(root, pathname)).then(
      (bytes) => {
        const type = TYPES.find(([pattern]) => pattern.test(pathname))?.[1] ?? 'text/plain';
        response.writeHead(200, { 'content-type': type, 'access-control-allow-origin': '*' }).end(bytes);
      },
      () => response.writeHead(404).end(),
    );
  });
}

const certificatePath = (id: string) => `api/v1/mc4p/products/${id}/certificate`;
const pagePath = (url: string) => `api/v1/mc4p/certificates/by-page/${pageDigest(url)}.json`;

async function isCurrent(scene: Scene): Promise<void> {
  // a status list that changes orders its copy
  await expect
    .poll(async () => (await scene.operate('GET', '/status-lists')).waiting, { interval: 50 })
    .toBe(0);
  await expect
    .poll(async () => (await scene.operate('GET', '/publication')).state, { interval: 50 })
    .toBe('current');
}

async function jsonIn(root: string, path: string): Promise<Json> {
  return JSON.parse(await readFile(join(root, path), 'utf8')) as Json;
}

describe('static copies in a folder', async () => {
  const root = join(folder, 'static');
  const scene = await useScene({ TOUCHSTONE_PUBLISH_TO: root, TOUCHSTONE_CERTIFICATES_AHEAD: 'true' });
  const store = await scene.store('shop.example');
  const unproven = await scene.store('unproven.example', { proven: false });

  it('have the bytes of the service, by id and, on proven hosts only, by page; keys included', async () => {
    const kettle = await store.product('kettle');
    const other = await unproven.product('kettle');
    await isCurrent(scene);
    for (const id of [kettle.id, other.id]) {
      const { text } = await scene.call('GET', `/${certificatePath(id)}`);
      expect(await readFile(join(root, certificatePath(id)), 'utf8')).toBe(text);
    }
    const { text } = await scene.call('GET', '/api/v1/.well-known/jwks.json');
    expect(await readFile(join(root, 'api/v1/.well-known/jwks.json'), 'utf8')).toBe(text);
    expect(await jsonIn(root, pagePath(kettle.url))).toMatchObject([{ productID: kettle.id }]);
    expect(existsSync(join(root, pagePath(other.url)))).toBe(false);
  });

  it('have the status lists and their keys, and each change of a list', async () => {
    const { lists } = (await scene.operate('GET', '/status-lists')) as unknown as {
      lists: { list: number }[];
    };
    const paths = [
      'api/v1/.well-known/status-list-jwks.json',
      ...lists.map(({ list }) => `api/v1/mc4p/status/${list}`),
    ];
    const differing = async () => {
      const read = paths.map(async (path) => {
        const { text } = await scene.call('GET', `/${path}`);
        return (await readFile(join(root, path), 'utf8').catch(() => '')) === text ? [] : [path];
      });
      return (await Promise.all(read)).flat();
    };
    await expect.poll(differing).toEqual([]);
    const [path = ''] = paths.slice(-1);
    const before = await readFile(join(root, path), 'utf8');
    await scene.service.database.query('insert into status_changes (is_bulk) values (false)');
    await expect.poll(() => readFile(join(root, path), 'utf8')).not.toBe(before);
    await expect.poll(differing).toEqual([]);
  });

  it('list what a lookup by address would choose from, in its order', async () => {
    const plain = await store.product('mug');
    const variant = await store.product('mug-red', { url: `${plain.url}?variant=2` });
    await isCurrent(scene);
    const page = `${plain.url}?variant=2&utm_source=x`;
    const [key = ''] = pageKeys(page);
    const list = (await jsonIn(root, pagePath(key))) as unknown as { url: string; productID: string }[];
    expect(list.map(({ productID }) => productID)).toEqual([variant.id, plain.id]);
    const found = await scene.call('GET', `/api/v1/mc4p/certificates?url=${encodeURIComponent(page)}`);
    expect(list.find(({ url }) => comparePageUrls(url, page).equal)).toEqual(found.json);
  });

  it('follow each change: a proof is nowhere once the service answers it no more', async () => {
    const { id, url } = await store.product('jug');
    await isCurrent(scene);
    const lists = () => existsSync(join(root, pagePath(url)));
    const hasProof = async () => 'proof' in (await jsonIn(root, certificatePath(id)));
    expect([await hasProof(), lists()]).toEqual([true, true]);

    await scene.operate('PATCH', `/products/${id}`, { visible: false });
    await expect.poll(lists).toBe(false);
    expect(await hasProof()).toBe(false);

    await scene.operate('PATCH', `/products/${id}`, { visible: true });
    await expect.poll(lists).toBe(true);
    const moved = url.replace('jug', 'pitcher');
    await store.product('jug', { url: moved });
    await expect.poll(() => existsSync(join(root, pagePath(moved))), { timeout: 60_000 }).toBe(true);
    await expect.poll(lists).toBe(false);

    await scene.operate('PATCH', `/merchants/${store.merchantId}`, { paused: true });
    await expect.poll(() => existsSync(join(root, pagePath(moved)))).toBe(false);
    await expect.poll(hasProof).toBe(false);
    await scene.operate('PATCH', `/merchants/${store.merchantId}`, { paused: false });
    await expect.poll(hasProof).toBe(true);

    await scene.operate('DELETE', `/products/${id}`);
    await expect.poll(() => existsSync(join(root, certificatePath(id)))).toBe(false);
    await expect.poll(() => existsSync(join(root, pagePath(moved)))).toBe(false);
  });

  it('are made from the database, whatever the node remembers', async () => {
    const { id } = await store.product('vase');
    await isCurrent(scene);
    const hasProof = async () => 'proof' in (await jsonIn(root, certificatePath(id)));
    expect(await hasProof()).toBe(true);
    const remembered = setInterval(() => void scene.call('GET', `/${certificatePath(id)}`), 50);
    try {
      // as another node would, of which this one has not heard yet
      const { database } = scene.service;
      await database.query('update products set visible = false where id = $1', [id]);
      await database.query(
        'update published_certificates set orders = orders + 1, due_at = to_timestamp(0) where product_id = $1',
        [id],
      );
      await database.query(
        "update jobs set orders = orders + 1, state = 'ready', due_at = now() where queue = 'publish' and subject = $1 and state <> 'running'",
        [store.merchantId],
      );
      await expect.poll(hasProof).toBe(false);
    } finally {
      clearInterval(remembered);
    }
  });

  it('are told by `touchstone publish`, which writes all anew if it is asked to', async () => {
    const cli = (...words: string[]) =>
      runCli(['publish', ...words], {
        env: { TOUCHSTONE_SERVICE: scene.service.url, TOUCHSTONE_KEY: scene.service.operatorKey ?? '' },
      });
    await isCurrent(scene);
    // at once: a copy may be written meanwhile
    await rename(join(root, 'api'), join(root, '..', 'lost'));
    const told = await cli('--all', '--to', root);
    expect([told.code, told.out]).toEqual([
      0,
      expect.stringContaining(`certificates at ${root}; the copies are current`),
    ]);
    expect((await readdir(join(root, 'api/v1/mc4p/products'))).length).toBeGreaterThan(2);
    expect(await cli('--to', '/elsewhere')).toMatchObject({ code: 64, err: expect.stringContaining(root) });
  });

  it('of a withdrawn certificate are replaced by the next one, or removed, and their list calls it invalid', async () => {
    const { id } = await store.product('recalled');
    await isCurrent(scene);
    const proofOf = async () =>
      (await jsonIn(root, certificatePath(id))).proof as { jwt: string } | undefined;
    const before = await proofOf();
    const [, payload = ''] = before?.jwt.split('.') ?? [];
    const { status } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as {
      status: { status_list: { idx: number; uri: string } };
    };
    const { idx, uri } = status.status_list;
    const copy = join(root, new URL(uri).pathname);
    const { url } = scene.service;
    const keySet = createKeySet(
      await (await fetch(`${url}/api/v1/.well-known/status-list-jwks.json`)).json(),
    );
    const valueIn = async () => {
      const list = await readStatusList(await readFile(copy, 'utf8'), { keySet, uri, now: new Date() });
      return typeof list === 'string' ? list : entryAt(list.entries, idx);
    };
    // stated: within seconds
    const soon = { timeout: 10_000 };
    await scene.operate('POST', `/products/${id}/withdraw`, { reissue: true });
    await expect.poll(valueIn, soon).toBe(1);
    await expect.poll(async () => (await proofOf())?.jwt ?? before?.jwt, soon).not.toBe(before?.jwt);

    await scene.operate('POST', `/products/${id}/withdraw`, {});
    await expect.poll(proofOf, soon).toBeUndefined();
    await isCurrent(scene);
  });

  it('let verifiers work while the service is down, and tell them what was withdrawn', async () => {
    const { id, url } = await store.product('bowl');
    const plate = await store.product('plate');
    const hidden = await scene.certificate(plate.id);
    await isCurrent(scene);
    await scene.operate('PATCH', `/products/${plate.id}`, { visible: false });
    await isCurrent(scene);
    await scene.service.close();
    const server = await serveFolder(root);
    afterAll(server.close);

    const document = (await (await fetch(`${server.url}/${certificatePath(id)}`)).json()) as Json;
    const jwks = await (await fetch(`${server.url}/api/v1/.well-known/jwks.json`)).json();
    const result = await verifyProductCertificate(document, {
      pageUrl: url,
      trustedIssuers: [BASE_URL],
      jwks,
      now: new Date(),
    });
    expect(result.status).toBe('verified');

    const lists = createStatusLists({
      trustedIssuers: [BASE_URL],
      fetch: (address, init) => fetch(String(address).replace(BASE_URL, server.url), init),
    });
    expect((await lists.lookUp(document, BASE_URL, new Date())).status).toBe('valid');
    expect((await lists.lookUp(hidden, BASE_URL, new Date())).status).toBe('suspended');
  });
});

it('nothing is written among files that are not copies of this service', async () => {
  const root = join(folder, 'foreign');
  await mkdir(root);
  await writeFile(join(root, 'index.html'), 'of somebody else');
  const scene = await openScene({ TOUCHSTONE_PUBLISH_TO: root });
  try {
    const failure = async () => (await scene.operate('GET', '/publication')).failure;
    await expect
      .poll(failure)
      .toMatchObject({ detail: expect.stringContaining('not copies of this service') });
    expect(await readdir(root)).toEqual(['index.html']);
    await rm(join(root, 'index.html'));
    await writeFile(join(root, 'touchstone.json'), '{"issuer":"https://other.example"}');
    await scene.operate('POST', '/publication');
    await expect.poll(failure).toMatchObject({ detail: expect.stringContaining('of https://other.example') });
    expect(await readdir(root)).toEqual(['touchstone.json']);
    // what failed before is not what is told of the attempt that was asked for
    await rm(join(root, 'touchstone.json'));
    const { url, operatorKey: key = '' } = scene.service;
    const told = await runCli(['publish', '--all'], {
      env: { TOUCHSTONE_SERVICE: url, TOUCHSTONE_KEY: key },
    });
    expect(told).toMatchObject({ code: 0, out: expect.stringContaining('the copies are current') });
  } finally {
    await scene.close();
  }
});

const S3_TOOLS = join(import.meta.dirname, '../../tools/s3');
it.skipIf(!existsSync(join(S3_TOOLS, 'node_modules/s3rver')))(
  'copies in a bucket lie below the prefix, with type and cache headers (needs: npm run tools)',
  async () => {
    const S3rver = createRequire(join(S3_TOOLS, 'package.json'))('s3rver');
    const server = new S3rver({
      address: '127.0.0.1',
      port: 0,
      silent: true,
      directory: join(folder, 's3'),
      configureBuckets: [{ name: 'copies' }],
    });
    const { port } = (await server.run()) as { port: number };
    const bucket = `http://127.0.0.1:${port}/copies`;
    const scene = await openScene({
      TOUCHSTONE_CERTIFICATES_AHEAD: 'true',
      TOUCHSTONE_PUBLISH_TO: 's3://copies/of/service',
      AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
    });
    try {
      const store = await scene.store('shop.example');
      const { id, url } = await store.product('kettle');
      await isCurrent(scene);
      const own = await scene.call('GET', `/${certificatePath(id)}`);
      const copy = await fetch(`${bucket}/of/service/${certificatePath(id)}`);
      expect(await copy.text()).toBe(own.text);
      for (const name of ['content-type', 'cache-control'])
        expect(copy.headers.get(name)).toBe(own.headers.get(name));
      expect(copy.headers.get('x-amz-meta-etag')).toBe(own.headers.get('etag'));
      expect((await fetch(`${bucket}/of/service/${pagePath(url)}`)).status).toBe(200);
      await scene.operate('DELETE', `/products/${id}`);
      for (const path of [certificatePath(id), pagePath(url)])
        await expect.poll(async () => (await fetch(`${bucket}/of/service/${path}`)).status).toBe(404);
      expect(await readdir(join(folder, 's3/copies'))).toEqual(['of']);
    } finally {
      await scene.close();
      await server.close();
    }
  },
);
