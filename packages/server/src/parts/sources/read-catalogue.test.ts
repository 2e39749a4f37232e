import { createBytesFetcher } from '@touchstone/fetch';
import { afterEach, expect, it } from 'vitest';
import { httpServer } from '../../../../../test/kit/servers.ts';
import { openCatalogueThreads, readCatalogueOf } from './read-catalogue.ts';

/** Tiny products whose lines might be anywhere: keeping them all takes more memory than a small thread has. */
const HEAVY = `Handle,Title,Image Src,Variant SKU\n${Array.from({ length: 200_000 }, (_, n) => `${n.toString(36)},T,x,${n.toString(36)}`).join('\n')}`;
const LIGHT = 'Handle,Title\ncup,Cup';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

it('a catalogue that exceeds the memory of its thread fails, says so, and costs no other anything', async () => {
  const server = await httpServer((request, response) =>
    response.end(request.url === '/heavy.csv' ? HEAVY : LIGHT),
  );
  const threads = openCatalogueThreads(2, () => {}, 24);
  closers.push(server.close, () => threads.destroy());
  const connectTo = [{ host: 'shop.example', address: '127.0.0.1', toPort: server.port }];
  const fetcher = createBytesFetcher({ userAgent: 'test/1', connectTo, limits: { bodySize: 20_000_000 } });
  const read = async (path: string) => {
    const storeUrl = 'http://shop.example/';
    const task = { url: `http://shop.example${path}`, storeUrl, interval: 0 };
    const readPage = () => Promise.reject(new Error('It has no pages.'));
    const rows = [];
    const never = new AbortController().signal;
    for await (const batch of readCatalogueOf(task, { threads, fetcher, readPage }, never))
      rows.push(...batch.rows);
    return rows;
  };
  const [heavy, beside] = await Promise.allSettled([read('/heavy.csv'), read('/light.csv')]);
  expect(heavy).toMatchObject({
    status: 'rejected',
    reason: { code: 'source_too_heavy', message: expect.stringContaining('memory') },
  });
  expect(beside).toMatchObject({ status: 'fulfilled', value: [{ row: expect.any(Number) }] });
  expect(await read('/light.csv')).toHaveLength(1);
});
