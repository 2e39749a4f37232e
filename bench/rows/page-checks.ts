import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { costOf } from '../kit/cost.ts';
import { type Request, request } from '../kit/load.ts';
import { alternate, median, ratioOf } from '../kit/rounds.ts';
import { cost, type Row } from '../kit/row.ts';
import type { Bench, BenchContext } from '../kit/run.ts';
import { type Service, startBare, startService } from '../kit/server.ts';

const ROUNDS = 12;
const HOST = 'http://shop.example';
const PATH = '/api/v1/mc4p/page-checks';
const CROWD = '/products/cup?ref=crowd';
const FLOOD = '/products/cup?ref=flood';
const VERDICT = '"verdict":"';
const PLENTY = '1000000';

type Json = Record<string, unknown>;

/** Page checks, compared with a bare server with the same bodies: of a cached page, with one certificate or many, and of a fetched page. */
export const pageChecks: Bench = async (context) => {
  const pages = await startShop(context);
  const service = await startService({
    folder: join(context.folder, 'service'),
    settings: {
      TOUCHSTONE_FETCH_CONNECT_TO: `shop.example=127.0.0.1:${pages.port}`,
      TOUCHSTONE_FETCH_PER_CALLER: PLENTY,
      TOUCHSTONE_FETCH_PER_HOST: PLENTY,
      TOUCHSTONE_FETCH_TOTAL: PLENTY,
      TOUCHSTONE_PAGE_CHECK_MB_PER_CALLER: '2000',
    },
  });
  context.onEnd(service.close);
  const genuine = await certificateOf(service);
  pages.put('/products/cup', [genuine]);
  pages.put(CROWD, [...crowdOf(genuine, 63), genuine]);
  pages.put(FLOOD, [...crowdOf(genuine, 255), genuine]);
  const file = join(context.folder, 'report.json');
  await writeFile(
    file,
    JSON.stringify(await service.call('POST', '/mc4p/page-checks', { url: `${HOST}/products/cup` })),
  );
  const echo = await startBare('echo.ts', file);
  context.onEnd(echo.close);
  const cup = check('/products/cup', '"verdict":"verified"');
  const fresh = Array.from({ length: (ROUNDS + 1) * 40 }, (_, n) => check(`/products/cup?ref=${n}`, VERDICT));
  const figures = await alternate(ROUNDS, {
    echo: costOf(context, echo, [{ ...cup, holds: '' }], { calls: 400 }),
    one: costOf(context, service, [cup], { calls: 200 }),
    crowd: costOf(context, service, [check(CROWD, VERDICT)], { calls: 60 }),
    flood: costOf(context, service, [check(FLOOD, VERDICT)], { calls: 60 }),
    // each address once, since cached pages are not fetched
    fetched: () => {
      const some = fresh.splice(0, 40);
      return costOf(context, service, some, { calls: some.length })();
    },
  });
  const row = (name: string, spent: readonly number[], bound: number): Row => ({
    name,
    against: 'bare HTTP echo, same bodies',
    ratio: ratioOf(spent, figures.echo),
    goal: ['<=', bound],
    detail: `CPU of an answer: ${cost(median(spent))}, echo ${cost(median(figures.echo))}`,
  });
  return [
    row('page check, kept', figures.one, 30),
    row('page check, kept, 64 certificates', figures.crowd, 100),
    row('page check, kept, 256 certificates', figures.flood, 120),
    row('page check, fetched and read', figures.fetched, 200),
  ];
};

async function startShop({ onEnd }: BenchContext) {
  const pages = new Map<string, string>();
  const server = createServer(({ url = '' }, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(pages.get(url) ?? pages.get(url.replace(/\?.*/, '')));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onEnd(async () => {
    server.closeAllConnections();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    put(path: string, nodes: readonly Json[]) {
      const block = `<script type="application/ld+json">${JSON.stringify(nodes)}</script>`;
      pages.set(path, `<!doctype html><title>Cup</title>${block}<h1>Cup</h1><p>€ 12.00</p>`);
    },
  };
}

async function certificateOf({ call }: Service): Promise<Json> {
  const merchant = await call('POST', '/registry/merchants', { name: 'Potter', planCapacity: 1 });
  const store = await call('POST', '/registry/stores', {
    merchantId: merchant.id,
    name: 'Potter',
    url: `${HOST}/`,
  });
  const product = { externalProductId: 'cup', name: 'Cup', url: `${HOST}/products/cup` };
  const { results } = await call('PUT', `/registry/stores/${store.id}/products`, [product]);
  return call('GET', `/mc4p/products/${(results as { id: string }[])[0]?.id}/certificate`);
}

/** Nodes like a genuine one, each for another product, with unsigned proofs. */
function crowdOf(genuine: Json, size: number): Json[] {
  const own = String(genuine.productID);
  const text = JSON.stringify(genuine);
  return Array.from({ length: size }, (_, n) => {
    const id = own.replace(/^.{8}/, String(n).padStart(8, '0'));
    const node = JSON.parse(text.replaceAll(own, id)) as { proof: { jwt: string } };
    const [header, payload = '', signature] = node.proof.jwt.split('.');
    const claims = Buffer.from(payload, 'base64url').toString().replaceAll(own, id);
    const jwt = [header, Buffer.from(claims).toString('base64url'), signature].join('.');
    return { ...node, padding: 'x'.repeat(2_000), proof: { ...node.proof, jwt } };
  });
}

function check(path: string, holds: string): Request {
  const headers = { 'content-type': 'application/json' };
  return request('POST', PATH, { headers, body: JSON.stringify({ url: HOST + path }), holds });
}
