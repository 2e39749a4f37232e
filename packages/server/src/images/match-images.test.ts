import { afterAll, beforeAll, expect, it } from 'vitest';
import { DEFAULT_OBSERVE_SETTINGS } from '../observe/settings.ts';
import { testShop } from '../service/testing.ts';
import { type TestDatabase, testDatabase } from '../storage/testing.ts';
import { createMatchImages } from './match-images.ts';

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

it('does not keep a caller waiting for an image that is not opened in time', async () => {
  const opening = Promise.withResolvers<void>();
  const matchImages = createMatchImages({
    db: database.db,
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
