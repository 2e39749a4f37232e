import { OPERATIONS, type Operation, pathOf } from '@touchstone/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { type TestService, testService } from '../../testing.ts';
import { goodBody, keptBy, type SignedIn, signedIn, type WholeMerchant, wholeMerchant } from './testing.ts';

let service: TestService;
let mine: WholeMerchant;
let theirs: WholeMerchant;
let session: SignedIn;
beforeAll(async () => {
  service = await testService();
  [mine, theirs] = [
    await wholeMerchant(service, 'mine.example'),
    await wholeMerchant(service, 'theirs.example'),
  ];
  session = await signedIn(service, mine.key);
});
afterAll(() => service.dispose());

const forMerchants = OPERATIONS.filter(
  ({ access, id }) => access === 'merchant' && id !== 'receiveShopifyWebhook',
);

/** Calls an operation with a browser session, for the resources in `ids`. */
async function call(
  operation: Operation,
  ids: WholeMerchant['ids'],
  query = '',
  body = goodBody(operation, ids),
) {
  const response = await fetch(`${service.url}${pathOf(operation, ids)}${query}`, {
    method: operation.method,
    headers: {
      cookie: session.cookie,
      origin: service.url,
      'x-csrf-token': session.csrfToken,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

it('answers every call about another merchant’s objects as if they did not exist, with a session too', async () => {
  const concerned = forMerchants.filter(({ params }) => params !== undefined);
  const before = await keptBy(service);
  const answers: [string, number][] = [];
  for (const operation of concerned) answers.push([operation.id, (await call(operation, theirs.ids)).status]);
  expect(answers.length).toBeGreaterThan(40);
  expect(answers).toEqual(concerned.map(({ id }) => [id, 404]));
  expect(await keptBy(service)).toBe(before);
});

/** Names of things in query and body, by operation: `createStore body.merchantId`. */
function namesOfThings(operation: Operation): string[] {
  return (['query', 'body'] as const).flatMap((part) => {
    const schema = operation[part];
    if (schema === undefined) return [];
    const found = new Set<string>();
    JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), (key, value) => {
      if (key === 'properties') for (const name of Object.keys(value)) found.add(name);
      return value;
    });
    // those of shops, chains and other services are theirs to give
    const names = [...found].filter((name) =>
      /^(?:merchant|product|image|store|webhook|key)Ids?$/.test(name),
    );
    return names.map((name) => `${operation.id} ${part}.${name}`);
  });
}

it('accepts no reference to another merchant’s objects in a query or body', async () => {
  const { merchant_id: merchant, product_id: product, image_id: image } = theirs.ids;
  const of = (id: string) => forMerchants.find((operation) => operation.id === id) as Operation;
  const owned = { ...mine.ids };
  const attempts: Record<string, () => Promise<{ status: number; text: string }>> = {
    'createStore body.merchantId': () => call(of('createStore'), { ...owned, merchant_id: merchant ?? '' }),
    'createWebhook body.merchantId': () =>
      call(of('createWebhook'), { ...owned, merchant_id: merchant ?? '' }),
    'actOnProducts body.productIds': () => call(of('actOnProducts'), { ...owned, product_id: product ?? '' }),
    'retryFailedImages body.imageIds': () =>
      call(of('retryFailedImages'), { ...owned, image_id: image ?? '' }),
    'listImages query.productId': () => call(of('listImages'), owned, `?productId=${product}`),
    'listStores query.merchantId': () => call(of('listStores'), owned, `?merchantId=${merchant}`),
    'listRegistryChanges query.merchantId': () =>
      call(of('listRegistryChanges'), owned, `?merchantId=${merchant}`),
    'listWebhooks query.merchantId': () => call(of('listWebhooks'), owned, `?merchantId=${merchant}`),
    'listWithdrawals query.merchantId': () => call(of('listWithdrawals'), owned, `?merchantId=${merchant}`),
    'listWithdrawals query.productId': () => call(of('listWithdrawals'), owned, `?productId=${product}`),
    'listWithdrawals query.storeId': () =>
      call(of('listWithdrawals'), owned, `?storeId=${theirs.ids.store_id}`),
  };
  // all parameters of the contract that identify a resource are tried
  expect(Object.keys(attempts).toSorted()).toEqual(forMerchants.flatMap(namesOfThings).toSorted());
  const thingsOfTheirs = async () =>
    Promise.all(
      ['products', 'images', 'stores', 'webhooks', 'jobs'].map((table) =>
        service.database.query(`select count(*), md5(string_agg(t::text, ' ' order by t::text)) from ${table} t
          where t::text like any (array['%${merchant}%', '%${product}%', '%${image}%'])`),
      ),
    );
  const before = await thingsOfTheirs();
  for (const [name, attempt] of Object.entries(attempts)) {
    const { status, text } = await attempt();
    expect([name, [200, 202, 404].includes(status)]).toEqual([name, true]);
    // the answer reveals nothing of the other merchant, not even that it exists
    for (const told of ['theirs.example', product, image])
      expect([name, text.includes(String(told))]).toEqual([name, false]);
    expect([name, await thingsOfTheirs()]).toEqual([name, before]);
  }
});
