import type { ImportView, ShopifyConnection, Store } from '@touchstone/contract';
import { expect, it } from 'vitest';
import { CliError } from '../cli-error.ts';
import type { ServiceClient } from '../client.ts';
import { shopifyPart } from '../parts/shopify/shopify-status.ts';
import { importPart } from '../parts/sources/import-status.ts';

const AT = '2026-03-01T12:00:00.000Z';
const URL = 'https://shop.example';
const STORE = { id: '6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b01' } as Store;
const PROBLEM = {
  kind: 'name_missing',
  count: 3,
  example: { row: 2, externalProductId: 'cup', reason: 'It has no name.' },
};
const RUNNING: Partial<ImportView> = {
  url: URL,
  state: 'running',
  done: 1_200,
  total: 5_000,
  failed: 3,
  perSecond: 20,
  problems: [PROBLEM],
  skippedPages: 0,
  createdAt: AT,
  begunAt: AT,
};
const DONE: Partial<ImportView> = {
  ...RUNNING,
  state: 'done',
  done: 9,
  failed: 0,
  created: 2,
  updated: 0,
  unchanged: 7,
  revived: 0,
  problems: [],
  finishedAt: AT,
};

/** A service with responses for these operations, and 404 for all others. */
const service = (answers: Readonly<Record<string, unknown>>) =>
  ({
    call: async (id: string) => {
      if (id in answers) return answers[id];
      throw new CliError('There is none.', {
        exitCode: 3,
        code: 'store_unknown',
        cause: Object.assign(new Error('404'), { status: 404 }),
      });
    },
  }) as unknown as ServiceClient;
const imports = (last: object, more: object = {}) =>
  importPart(service({ listImports: { imports: [last] }, ...more }), STORE);

it('reports which catalogue is being read, its progress, since when, and its errors by kind', async () => {
  const getStoreSource = { url: URL, everyHours: 24, nextAt: AT };
  expect(await imports(RUNNING, { getStoreSource })).toEqual({
    name: 'imports',
    value: { source: getStoreSource, last: RUNNING },
    state: 'working',
    says: [
      `${URL} is read every 24 hours, next at ${AT}`,
      `${URL}: being read since ${AT}, 1200 of 5000 products, 3 failed, 20 a second, 190 s left`,
      '3 name_missing, such as row 2, cup: It has no name.',
    ],
    nextSteps: [],
  });
});

it('reports why an import is waiting', async () => {
  const waiting = { ...RUNNING, state: 'waiting', done: 0, failed: 0, perSecond: 0, problems: [] };
  expect(await imports({ ...waiting, begunAt: undefined })).toMatchObject({
    state: 'working',
    says: [`${URL}: waiting to be read since ${AT}`],
  });
  const failure = { code: 'source_busy', detail: 'It is busy.' };
  expect((await imports({ ...waiting, failure })).says).toEqual([
    `${URL}: retried soon, 0 of 5000 products, 0 failed (source_busy: It is busy.)`,
  ]);
});

it('reports how the last import ended, and what to do', async () => {
  expect(await imports({ ...DONE, notInSource: 4, deleted: 1 })).toMatchObject({
    state: 'well',
    says: [
      `${URL}: read to its end at ${AT}, 9 products: 2 new, 7 as before`,
      '3 products of this store are not in the source',
    ],
    nextSteps: [],
  });
  expect(await imports({ ...DONE, failed: 1, problems: [PROBLEM], skippedPages: 5 })).toMatchObject({
    state: 'open',
    nextSteps: [expect.stringMatching(/^Correct the product at the shop/)],
  });
  const failure = { code: 'source_refused', detail: 'The shop refuses us.' };
  expect(await imports({ ...DONE, state: 'failed', failure })).toMatchObject({
    state: 'failed',
    says: [`${URL}: failed at ${AT} after 9 products (source_refused: The shop refuses us.)`],
    nextSteps: [expect.stringContaining(URL)],
  });
});

it('reports what blocks a Shopify shop, and nothing if there is none', async () => {
  expect(await shopifyPart(service({}), STORE)).toMatchObject({ value: null, says: [], state: 'well' });
  const problem = {
    code: 'shopify_token_refused',
    detail: '401',
    nextStep: 'Connect with its new token.',
    since: AT,
  } as const;
  const getShopify: Partial<ShopifyConnection> = {
    shop: 'x.myshopify.com',
    state: 'failing',
    published: 1,
    products: 2,
    failed: 1,
    problem,
  };
  expect(await shopifyPart(service({ getShopify }), STORE)).toMatchObject({
    state: 'failed',
    says: [
      'x.myshopify.com: blocked by a problem; 1 of 2 products carry their certificate',
      `shopify_token_refused since ${AT}: 401`,
      '1 failed',
    ],
    nextSteps: [problem.nextStep, expect.stringContaining('touchstone connect shopify')],
  });
});
