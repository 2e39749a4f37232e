import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LoopbackServer, loopbackServer, runCli } from '../testing.ts';

const STORE = '6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b01';
const id = (n: number) => `${String(n).repeat(8)}-43f8-4f1d-9c53-5a4c1f5f0b01`;
const bytesOf = (n: number) => Buffer.from(`signed file ${n}`);
const uhashOf = (n: number) => createHash('sha256').update(bytesOf(n)).digest('hex');
const image = (n: number, url: string) => ({
  id: id(n),
  url,
  productId: STORE,
  externalProductId: `cup-${n}`,
  state: 'not_served',
  signedFile: {
    url: `https://certificates.example/base/api/v1/mc4p/blobs/${uhashOf(n)}.jpg`,
    uhash: uhashOf(n),
    mediaType: 'image/jpeg',
    timeStamp: 'none',
  },
});
const COUNTS = {
  total: 4,
  done: 4,
  failed: 0,
  waiting: 0,
  retrying: 0,
  certified: 4,
  signedByUs: 4,
  notServed: 3,
  noImage: 0,
  perSecond: 0,
};
const IMAGES = [
  image(1, 'https://shop.example/files/cup.jpg?v=1'),
  image(2, 'https://shop.example/files/cup.jpg?v=2'),
  image(3, 'https://cdn.example/mug.png'),
];

let server: LoopbackServer;
let folder: string;
let broken: ReadonlySet<string>;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'touchstone-pull-'));
  broken = new Set();
  server = await loopbackServer(({ path }) => {
    if (path.includes('/progress')) return { body: COUNTS };
    if (path.includes('/blobs/')) {
      const n = [1, 2, 3].find((one) => path.includes(uhashOf(one))) ?? 0;
      return broken.has(String(n)) ? { body: Buffer.from('other bytes') } : { body: bytesOf(n) };
    }
    // two pages of the list
    return path.includes('cursor=')
      ? { body: { images: IMAGES.slice(2) } }
      : { body: { images: IMAGES.slice(0, 2), nextCursor: id(2) } };
  });
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const pull = (...more: string[]) =>
  runCli([
    'images',
    'pull',
    STORE,
    '--to',
    folder,
    '--service',
    server.url,
    '--key',
    'k'.repeat(20),
    ...more,
  ]);
const fetched = () => server.asked.filter(({ path }) => path.includes('/blobs/')).length;

describe('touchstone images pull', () => {
  it('downloads the signed files by host and path, without overwriting one with another', async () => {
    const { code, out, err } = await pull();
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('3 files downloaded');
    const names = (await readdir(folder, { recursive: true })).filter((name) => /\.(jpg|png)$/.test(name));
    expect(names.toSorted()).toEqual([
      'cdn.example/mug.png',
      'shop.example/files/cup-22222222.jpg',
      'shop.example/files/cup.jpg',
    ]);
    expect(await readFile(join(folder, 'shop.example/files/cup-22222222.jpg'))).toEqual(bytesOf(2));
    expect(
      server.asked.map(({ path }) => path).filter((path) => path.includes('state=not_served')),
    ).toHaveLength(2);
    // whatever its own base URL, the service is called at the address that was given
    expect(server.asked.every(({ path }) => !path.startsWith('/base'))).toBe(true);
  });

  it('continues after an interruption: complete files are kept, others are downloaded', async () => {
    await pull();
    await writeFile(join(folder, 'cdn.example/mug.png'), 'half of');
    const before = fetched();
    const ran = await pull('--json');
    expect(fetched() - before).toBe(1);
    expect(ran.json()).toMatchObject({ folder, pulled: 1, present: 2, failed: 0 });
    expect((ran.json().files as { file: string; outcome: string }[]).at(-1)).toMatchObject({
      imageId: id(3),
      externalProductId: 'cup-3',
      url: 'https://cdn.example/mug.png',
      file: 'cdn.example/mug.png',
      outcome: 'pulled',
    });
    expect(await readFile(join(folder, 'cdn.example/mug.png'))).toEqual(bytesOf(3));
  });

  it('keeps only the signed bytes, says which files failed, and downloads the rest', async () => {
    broken = new Set(['2']);
    const { code, out } = await pull();
    expect(code).toBe(1);
    expect(out).toContain('2 files downloaded');
    expect(out).toMatch(/failed shop\.example\/files\/cup-22222222\.jpg: .*Other bytes arrived/);
    expect(await readdir(join(folder, 'shop.example/files'))).toEqual(['cup.jpg']);
  });

  it('downloads all of them on request, and requires a target folder', async () => {
    await pull('--all');
    expect(server.asked.some(({ path }) => path.includes('state=signed'))).toBe(true);
    expect((await runCli(['images', 'pull', STORE, '--key', 'k'.repeat(20)])).code).toBe(64);
  });

  it('stops on request', async () => {
    const stopped = await runCli(
      ['images', 'pull', STORE, '--to', folder, '--service', server.url, '--key', 'k'.repeat(20)],
      { stop: AbortSignal.abort() },
    );
    expect(stopped.code).toBe(3);
  });
});
