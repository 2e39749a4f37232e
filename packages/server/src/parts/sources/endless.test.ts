import { createServer, type ServerResponse } from 'node:http';
import type { ImportView } from '@touchstone/contract';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { listen } from '../../../../../test/kit/servers.ts';
import { type TestService, testService } from '../../testing.ts';

const R = '/api/v1/registry';
const PAGE = 250;
/** Milliseconds within which an import begins. */
const SOON = 10_000;

/** How each host answers a page of `/products.json`; by its name. */
type Behaviour = 'endless' | 'silent' | 'repeating' | 'honest' | 'busy';

let service: TestService;
let port: number;
const held = new Set<ServerResponse>();
/** Requests for pages, by host. */
const asked = new Map<string, number>();
const shop = createServer((request, response) => {
  const host = request.headers.host ?? '';
  const [behaviour] = host.split('-') as [Behaviour];
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
  if (pathname !== '/products.json') {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Shop</title>');
    return;
  }
  const page = Number(searchParams.get('page'));
  asked.set(host, page);
  if (behaviour === 'silent' && page > 1) return void held.add(response);
  if (behaviour === 'busy' && page > 1) return void response.writeHead(429, { 'retry-after': '600' }).end();
  const first = behaviour === 'endless' ? page * PAGE : 0;
  const count = behaviour === 'honest' && page > 1 ? 0 : PAGE;
  const products = Array.from({ length: count }, (_, n) => ({
    id: first + n + 1,
    title: `Cup ${first + n}`,
    handle: `cup-${first + n}`,
    images: [],
  }));
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ products }));
});

let hosts = 0;
const hostOf = (behaviour: Behaviour) => `${behaviour}-${++hosts}.example`;

beforeAll(async () => {
  port = await listen(shop);
  const kinds: Behaviour[] = ['endless', 'silent', 'repeating', 'honest', 'busy'];
  const names = kinds.flatMap((kind) => Array.from({ length: 80 }, (_, n) => `${kind}-${n + 1}.example`));
  service = await testService({
    settings: {
      TOUCHSTONE_FETCH_CONNECT_TO: names.map((name) => `${name}:80=127.0.0.1:${port}`).join(','),
      TOUCHSTONE_IMPORT_INTERVAL_MS: '0',
      TOUCHSTONE_PRODUCTS_PER_MERCHANT: '1000000',
    },
  });
});
afterAll(async () => {
  await service?.dispose();
  shop.closeAllConnections();
  shop.close();
});
beforeEach(() => asked.clear());

interface Ordered {
  readonly id: string;
  readonly host: string;
  readonly merchantId: string;
  readonly storeId: string;
}

const made: Ordered[] = [];

async function merchantOf(): Promise<string> {
  const merchant = await service.operate('POST', `${R}/merchants`, { name: 'M', planCapacity: 9 });
  return (merchant as { id: string }).id;
}

async function order(behaviour: Behaviour, merchantId?: string): Promise<Ordered> {
  const owner = merchantId ?? (await merchantOf());
  const host = hostOf(behaviour);
  const input = { merchantId: owner, name: 'S', url: `http://${host}` };
  const store = (await service.operate('POST', `${R}/stores`, input)) as { id: string };
  const body = { url: `http://${host}`, kind: 'shopify' };
  const view = (await service.operate('POST', `${R}/stores/${store.id}/imports`, body)) as ImportView;
  const ordered = { id: view.id, host, merchantId: owner, storeId: store.id };
  made.push(ordered);
  return ordered;
}

const look = ({ id }: Ordered) => service.operate('GET', `${R}/imports/${id}`) as Promise<ImportView>;
/** Waits for the events of an import until they satisfy a condition. */
async function until(ordered: Ordered, condition: (view: ImportView) => boolean): Promise<ImportView> {
  const response = await fetch(`${service.url}${R}/imports/${ordered.id}/events`, {
    headers: { authorization: `Bearer ${service.operatorKey}` },
  });
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk);
    const data = [...text.matchAll(/^data: (.*)$/gm)].at(-1)?.[1];
    const view = data === undefined ? undefined : (JSON.parse(data) as ImportView);
    // leaving the loop closes the connection
    if (view !== undefined && condition(view)) return view;
  }
  throw new Error(text);
}
const end = (ordered: Ordered) => until(ordered, ({ finishedAt }) => finishedAt !== undefined);
const beginning = (ordered: Ordered) => until(ordered, ({ begunAt }) => begunAt !== undefined);
const waited = ({ createdAt, begunAt = '' }: ImportView) => Date.parse(begunAt) - Date.parse(createdAt);

/** Endless imports are ended, so that they do not disturb the next test. */
afterEach(async () => {
  for (const { storeId } of made.splice(0)) await service.operate('DELETE', `${R}/stores/${storeId}`);
  for (const response of held) response.destroy();
  held.clear();
});

it.each(['endless', 'silent'] as const)(
  'an import begins within ten seconds while %s catalogues of more merchants than there are slots are read',
  async (behaviour) => {
    const greedy = [];
    for (let n = 0; n < 3; n += 1) greedy.push(await order(behaviour));
    await Promise.all(greedy.map(beginning));
    const honest = await order('honest');
    const view = await end(honest);
    expect(view).toMatchObject({ state: 'done', created: PAGE });
    expect(waited(view)).toBeLessThan(SOON);
    const views = await Promise.all(greedy.map(look));
    expect(views.every(({ finishedAt }) => finishedAt === undefined)).toBe(true);
  },
);

it('a merchant with fifty imports has one at a time, and delays no other merchant', async () => {
  const merchantId = await merchantOf();
  const many = [];
  for (let n = 0; n < 50; n += 1) many.push(await order('endless', merchantId));
  await Promise.race(many.map(beginning));
  const honest = await order('honest');
  const running = () =>
    service.database.query(
      "select subject from jobs where queue = 'imports' and state = 'running' and owner = $1",
      [merchantId],
    );
  const counts: number[] = [];
  const view = await until(honest, ({ finishedAt }) => {
    void running().then((rows) => counts.push(rows.length));
    return finishedAt !== undefined;
  });
  expect(view.state).toBe('done');
  // two slots: one is free, whatever the other merchant orders, so that it waits for no turn of the fifty to end
  const begun = (await Promise.all(many.map(look))).flatMap(({ begunAt }) => begunAt ?? []);
  const meanwhile = begun.filter((at) => at > view.createdAt && at < (view.begunAt ?? ''));
  expect(meanwhile.length).toBeLessThanOrEqual(1);
  expect(Math.max(...counts)).toBe(1);
});

it('an endless catalogue is read in turns until its merchant has as many products as it may', async () => {
  const ordered = await order('endless');
  await service.operate('PATCH', `${R}/merchants/${ordered.merchantId}`, { productLimit: 1_000 });
  const view = await end(ordered);
  expect(view).toMatchObject({ state: 'failed', created: 1_000, failure: { code: 'source_too_many' } });
  expect(view.problems).toMatchObject([{ kind: 'product_limit' }]);
  expect(asked.get(ordered.host)).toBeLessThan(20);
});

it('a list that repeats its products ends with the page that brings nothing new, and says so', async () => {
  const ordered = await order('repeating');
  const view = await end(ordered);
  expect(view).toMatchObject({ state: 'done', created: PAGE, failed: 1 });
  expect(view.problems).toMatchObject([{ kind: 'source_repeats', example: { row: 0 } }]);
  expect(asked.get(ordered.host)).toBe(2);
});

it('a shop that asks for a long wait is continued later, and holds no slot until then', async () => {
  const ordered = await order('busy');
  const view = await until(ordered, ({ failure }) => failure !== undefined);
  expect(view).toMatchObject({ state: 'waiting', created: PAGE, failure: { code: 'source_busy' } });
  const [job] = await service.database.query(
    "select state, due_at > now() + interval '500 seconds' as late from jobs where subject = $1",
    [ordered.id],
  );
  expect(job).toEqual({ state: 'scheduled', late: true });
});
