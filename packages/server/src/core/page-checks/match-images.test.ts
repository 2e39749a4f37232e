import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../platform/database/testing.ts';
import { testSecrets } from '../../platform/secrets/testing.ts';
import { testShop } from '../certificates/testing.ts';
import { createMatchImages } from './match-images.ts';
import { DEFAULT_OBSERVE_SETTINGS } from './testing.ts';

let database: TestDatabase;
let productId: string;
beforeAll(async () => {
  database = await testDatabase();
  ({ productId } = await (await testShop(database)).addProduct({ images: 1 }));
  const blob_key = `${'0'.repeat(64)}.jpg`;
  await database.db
    .updateTable('images')
    .set({ blob_key, source_uhash: '1'.repeat(64) })
    .execute();
});
afterAll(() => database?.close());

it('does not keep a caller waiting for an image that is not decoded in time', async () => {
  const opening = Promise.withResolvers<void>();
  const matchImages = createMatchImages({
    db: database.db,
    clock: () => new Date(),
    secrets: testSecrets(),
    trusted: testSecrets().rows,
    fetcher: {
      fetch: async () => ({ kind: 'bytes', body: new Uint8Array(3), finalUrl: '', validators: {} }),
    },
    workers: {
      inspect() {
        opening.resolve();
        return new Promise(() => {});
      },
    },
    settings: DEFAULT_OBSERVE_SETTINGS,
  });
  const caller = new AbortController();
  const matched = matchImages({
    productId,
    live: ['https://shop.example/1.jpg'],
    caller: 'test',
    signal: caller.signal,
  });
  await opening.promise;
  caller.abort(new Error('the caller left'));
  await expect(matched).rejects.toThrow('the caller left');
});

it('decodes only a few images of one caller at a time, however many pages it asks about', async () => {
  let open = 0;
  const matchImages = createMatchImages({
    db: database.db,
    clock: () => new Date(),
    secrets: testSecrets(),
    trusted: testSecrets().rows,
    fetcher: {
      async fetch(url, { takePermit } = {}) {
        await takePermit?.(url, new AbortController().signal);
        return { kind: 'bytes', body: new Uint8Array(3), finalUrl: url, validators: {} };
      },
    },
    workers: {
      async inspect() {
        open += 1;
        return await new Promise(() => {});
      },
    },
    settings: { ...DEFAULT_OBSERVE_SETTINGS, concurrentFetches: 24 },
  });
  const caller = new AbortController();
  const asked = Promise.allSettled(
    Array.from({ length: 5 }, (_, page) =>
      matchImages({
        productId,
        live: [`https://${page}.example/1.jpg`, `https://${page}.example/2.jpg`],
        caller: 'greedy',
        signal: caller.signal,
      }),
    ),
  );
  await expect.poll(() => open).toBe(3);
  // no further ones start
  await delay(300);
  expect(open).toBe(3);
  caller.abort();
  await asked;
});
