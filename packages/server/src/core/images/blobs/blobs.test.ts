import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useFolder } from '../../../../../../test/kit/folder.ts';
import { type BlobStore, blobKey, parseBlobKey } from './blob-store.ts';
import { openFolderBlobs } from './folder-blobs.ts';
import { openBlobs } from './open-blobs.ts';
import { openS3Blobs } from './s3-blobs.ts';

/** A separate package, so that it is not installed with the service. */
const S3_TOOLS = join(import.meta.dirname, '../../../../../../tools/s3');
const S3_TOOLS_PRESENT = existsSync(join(S3_TOOLS, 'node_modules/s3rver'));

const folder = useFolder('blobs');

function blob(size: number): { key: string; bytes: Buffer } {
  const bytes = randomBytes(size);
  return { key: blobKey(createHash('sha256').update(bytes).digest('hex'), 'image/webp'), bytes };
}

async function read(store: BlobStore, key: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of store.read(key)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function behavesAsBlobStore(open: () => BlobStore): void {
  it('returns what was stored, whatever its size', async () => {
    const store = open();
    for (const size of [1, 70_000, 3_000_000]) {
      const { key, bytes } = blob(size);
      expect(await store.size(key)).toBe(null);
      await store.put(key, bytes);
      expect(await store.size(key)).toBe(size);
      expect((await read(store, key)).equals(bytes)).toBe(true);
    }
    store.close();
  });

  it('accepts the same bytes again, also concurrently', async () => {
    const store = open();
    const { key, bytes } = blob(200_000);
    await Promise.all([store.put(key, bytes), store.put(key, bytes), store.put(key, bytes)]);
    await store.put(key, bytes);
    expect((await read(store, key)).equals(bytes)).toBe(true);
    store.close();
  });
}

async function filesIn(own: string): Promise<string[]> {
  const entries = await readdir(own, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

/** Kills a process while it writes a blob; returns the path of the file that it leaves behind. */
async function killWhileWriting(own: string): Promise<string> {
  const store = JSON.stringify(new URL('./folder-blobs.ts', import.meta.url).href);
  const code = `import { openFolderBlobs } from ${store};
    await openFolderBlobs(${JSON.stringify(own)}).put('${'0'.repeat(64)}.png', Buffer.alloc(500_000_000));`;
  const writer = spawn(process.execPath, ['--input-type=module', '--eval', code], { stdio: 'inherit' });
  const gone = once(writer, 'exit');
  const incoming = join(own, 'incoming');
  await expect.poll(() => readdir(incoming), { interval: 2 }).toHaveLength(1);
  writer.kill('SIGKILL');
  await gone;
  const [name = ''] = await readdir(incoming);
  return join(incoming, name);
}

describe('blobs in a folder', () => {
  behavesAsBlobStore(() => openFolderBlobs(folder));

  it('are never left incomplete, and are readable by the owner only', async () => {
    const own = join(folder, 'own');
    const { key, bytes } = blob(1_000);
    await openFolderBlobs(own).put(key, bytes);
    const files = await filesIn(own);
    expect(files).toEqual([join(own, key.slice(0, 2), key)]);
    expect((await stat(files[0] ?? '')).mode & 0o777).toBe(0o600);
  });

  it('that a killed process left incomplete are deleted, once nobody can still be writing them', async () => {
    const own = join(folder, 'killed');
    const { key, bytes } = blob(1_000);
    const store = openFolderBlobs(own);
    expect(await store.purge(new Date())).toBe(0);
    await store.put(key, bytes);
    const left = await killWhileWriting(own);
    const { mtime } = await stat(left);
    expect(await store.purge(mtime)).toBe(0);
    expect(await store.purge(new Date(mtime.getTime() + 1))).toBe(1);
    expect(await filesIn(own)).toEqual([join(own, key.slice(0, 2), key)]);
  });

  it('are reported as a fault with one code if the folder is not accessible', async () => {
    const { key, bytes } = blob(10);
    await writeFile(join(folder, 'file'), 'not a folder');
    const blobs = await openBlobs({ folder: join(folder, 'file') });
    const unavailable = { code: 'blobs_unavailable', cause: expect.any(Error) };
    await expect(blobs.put(key, bytes)).rejects.toMatchObject(unavailable);
    await expect(buffer(blobs.read(key))).rejects.toMatchObject(unavailable);
  });
});

describe.skipIf(!S3_TOOLS_PRESENT)('blobs in S3 (needs: npm run tools)', () => {
  let server: { run(): Promise<{ port: number }>; close(): Promise<void> };
  let port: number;
  beforeAll(async () => {
    const S3rver = createRequire(join(S3_TOOLS, 'package.json'))('s3rver');
    server = new S3rver({
      address: '127.0.0.1',
      port: 0,
      silent: true,
      directory: join(folder, 's3'),
      configureBuckets: [{ name: 'pictures' }],
    });
    ({ port } = await server.run());
  });
  afterAll(() => server?.close());

  const open = (bucket = 'pictures') =>
    openS3Blobs({
      bucket,
      prefix: 'shop/images/',
      region: 'eu-central-1',
      endpoint: `http://127.0.0.1:${port}`,
      credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    });
  behavesAsBlobStore(open);

  it('are stored under the prefix, with the media type of the image', async () => {
    const { key, bytes } = blob(100);
    await open().put(key, bytes);
    const files = await readdir(join(folder, 's3/pictures/shop/images'));
    expect(files.some((name) => name.startsWith(key))).toBe(true);
    const plain = await fetch(`http://127.0.0.1:${port}/pictures/shop/images/${key}`);
    expect(plain.headers.get('content-type')).toBe('image/webp');
  });

  it('are reported as a fault, not as missing, if the bucket does not exist', async () => {
    const { key, bytes } = blob(10);
    await expect(open('elsewhere').put(key, bytes)).rejects.toThrow();
  });
});

it('a bucket that redirects is not followed with the signature of the keys', async () => {
  const seen: unknown[] = [];
  const [hostile, redirecting] = [createServer(), createServer()];
  for (const server of [hostile, redirecting]) server.listen(0, '127.0.0.1');
  const portOf = (server: Server) => (server.address() as AddressInfo).port;
  await Promise.all([hostile, redirecting].map((server) => server.listening || once(server, 'listening')));
  hostile.on('request', ({ headers }, response) => {
    seen.push(headers.authorization);
    response.end();
  });
  redirecting.on('request', ({ headers }, response) => {
    seen.push(headers.authorization?.slice(0, 4));
    response.writeHead(307, { location: `http://127.0.0.1:${portOf(hostile)}/x` }).end();
  });
  const store = openS3Blobs({
    bucket: 'pictures',
    prefix: '',
    region: 'eu-central-1',
    endpoint: `http://127.0.0.1:${portOf(redirecting)}`,
    credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
  });
  await expect(store.size(blob(1).key)).rejects.toThrow();
  await expect(read(store, blob(1).key)).rejects.toThrow();
  expect(new Set(seen)).toEqual(new Set(['AWS4']));
  store.close();
  for (const server of [hostile, redirecting]) server.close();
});

describe('the name of a blob', () => {
  it('contains the type of its bytes, and nothing else is accepted as a name', () => {
    const { key } = blob(1);
    expect(parseBlobKey(key)).toEqual({ uhash: key.slice(0, 64), mediaType: 'image/webp' });
    for (const name of [
      '',
      'x.webp',
      `../${key}`,
      `${key}/..`,
      key.toUpperCase(),
      key.replace('webp', 'html'),
    ]) {
      expect(parseBlobKey(name)).toBe(null);
    }
  });
});
