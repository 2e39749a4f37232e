/**
 * Compares the most frequent calls in this checkout with another one: processor time of the service per answer, alternating within one
 * run, so that other load affects both equally. `npm run bench:checkouts -- <folder of the other checkout, installed> [calls per
 * measurement]`
 */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { costOf } from './kit/cost.ts';
import { type Request, request } from './kit/load.ts';
import { alternate, type Measure, median, ratioOf } from './kit/rounds.ts';
import { cost, round } from './kit/row.ts';
import { type Service, startService, THIS_CHECKOUT } from './kit/server.ts';
import { certificatePath, VERIFIED, verifyRequest } from './kit/shop.ts';
import { toolRequest } from './rows/mcp.ts';

const [other = '', calls = '400'] = process.argv.slice(2);
if (other === '') throw new Error('Name the folder of the other checkout.');
const ROUNDS = 25;
/** Minimum ratio of the other checkout's processor time to this one's, for every call. */
const GOAL = 0.95;

const pages = new Map<string, string>();
const shop = createServer(({ url = '' }, response) => {
  response.writeHead(200, { 'content-type': 'text/html' }).end(pages.get(url));
}).listen(0, '127.0.0.1');
await once(shop, 'listening');
const folder = await mkdtemp(join(tmpdir(), 'touchstone-bench-'));
const closers: (() => Promise<unknown>)[] = [];
try {
  const theirs = await measuresOf(resolve(other));
  const ours = await measuresOf(THIS_CHECKOUT);
  const names = Object.keys(ours);
  const pairs = names.flatMap((name) => [
    [`there ${name}`, theirs[name] as Measure],
    [`here ${name}`, ours[name] as Measure],
  ]);
  const figures = await alternate(ROUNDS, Object.fromEntries(pairs) as Record<string, Measure>);
  console.log(
    'Processor time of an answer: there, here, and the ratio (over 1: better here; half of the rounds)',
  );
  let worst = Number.POSITIVE_INFINITY;
  for (const name of names) {
    const [there = [], here = []] = [figures[`there ${name}`], figures[`here ${name}`]];
    const { figure, least, most } = ratioOf(there, here);
    worst = Math.min(worst, figure);
    const costs = [there, here].map((spent) => cost(median(spent)).padStart(9)).join(' ');
    console.log(`${name.padEnd(30)} ${costs}  ${round(figure)} (${round(least)} to ${round(most)})`);
  }
  console.log(worst >= GOAL ? `within the goal of ${GOAL}` : `below the goal of ${GOAL}`);
} finally {
  for (const close of closers.toReversed()) await close();
  shop.closeAllConnections();
  shop.close();
  await rm(folder, { recursive: true, force: true });
}

async function measuresOf(root: string): Promise<Record<string, Measure>> {
  const service = await startService({
    root,
    folder: join(folder, String(closers.length)),
    settings: {
      TOUCHSTONE_FETCH_CONNECT_TO: `shop.example=127.0.0.1:${(shop.address() as AddressInfo).port}`,
      TOUCHSTONE_PAGE_CACHE_SECONDS: '86400',
    },
  });
  closers.push(service.close);
  return Object.fromEntries(
    Object.entries(await requestsOf(service)).map(([name, asked]) => {
      const onEnd = (close: () => Promise<unknown>) => void closers.push(close);
      // a page check takes many times as long as a cached certificate
      const fewer = name.startsWith('page check') ? 4 : 1;
      return [name, costOf({ onEnd }, service, [asked], { calls: Math.ceil(Number(calls) / fewer) })];
    }),
  );
}

/** The calls, about a product of a new shop, whose page contains its certificate. */
async function requestsOf(service: Service): Promise<Record<string, Request>> {
  const { call, port, url } = service;
  const merchant = await call('POST', '/registry/merchants', { name: 'Potter', planCapacity: 1 });
  const address = { merchantId: merchant.id, name: 'Potter', url: 'http://shop.example/' };
  const store = await call('POST', '/registry/stores', address);
  const path = `/products/cup-${port}`;
  const pageUrl = `http://shop.example${path}`;
  const rows = [{ externalProductId: 'cup', name: 'Cup', url: pageUrl }];
  const { results } = await call('PUT', `/registry/stores/${store.id}/products`, rows);
  const productId = String((results as { id: string }[])[0]?.id);
  const get = certificatePath(productId);
  const answer = await fetch(url + get);
  const etag = answer.headers.get('etag') ?? '';
  const document = (await answer.json()) as Record<string, unknown>;
  pages.set(path, pageWith(document));
  const report = await call('POST', '/mc4p/page-checks', { url: pageUrl });
  const tool = ['verify_svc_certificate', { productUrl: pageUrl, productId, document }, VERIFIED] as const;
  return {
    certificate: request('GET', get, { holds: '"proof"' }),
    'certificate, 304': request('GET', get, { headers: { 'if-none-match': etag }, status: 304 }),
    verify: verifyRequest({ productId, pageUrl, document }).request,
    'verify as a tool, 2026-07-28': toolRequest('2026-07-28', ...tool),
    'verify as a tool, 2025-11-25': toolRequest('2025-11-25', ...tool),
    'certificate by a tool': toolRequest('2026-07-28', 'get_product_certificate', { productId }, '"proof"'),
    'page check, kept': request('POST', '/api/v1/mc4p/page-checks', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: pageUrl }),
      holds: '"verdict":"verified"',
    }),
    'page check, earlier': request('GET', `/api/v1/mc4p/page-checks/${report.id}`, { holds: '"verdict"' }),
  };
}

function pageWith(document: unknown): string {
  const filler = '<p>A cup, turned by hand, glazed twice.</p>'.repeat(500);
  return `<!doctype html><title>Cup</title><h1>Cup</h1><p>€ 12.00</p>
    <script type="application/ld+json">${JSON.stringify(document)}</script>${filler}`;
}
