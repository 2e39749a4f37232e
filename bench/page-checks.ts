/**
 * What page checks cost: CPU of the service's process per answer, its reading threads included and PostgreSQL not, beside
 * a bare HTTP server that answers as many bytes, measured in alternating rounds of one run; and how many processors reading
 * takes when pages come at once. `npm run bench:page-checks -- [another checkout]`
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const CHECKOUT = resolve(process.argv[2] ?? join(import.meta.dirname, '..'));
const ROUNDS = 6;
const AT_ONCE = 8;
const HOST = 'http://shop.example';
const JSON_TYPE = { 'content-type': 'application/json' };
const CHECK_PATH = '/api/v1/mc4p/page-checks';

type Json = Record<string, unknown>;

interface Way {
  readonly name: string;
  readonly calls: number;
  readonly child: ChildProcess;
  readonly url: string;
  /** Of the n-th call. */
  readonly page: (n: number) => string;
  readonly verdict: string;
  readonly spent: number[];
}

const pages = new Map<string, string>();
const shop = createServer((request, response) => {
  const page = pages.get(request.url?.replace(/\?.*/, '') ?? '');
  response
    .writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' })
    .end(page);
}).listen(0, '127.0.0.1');
await once(shop, 'listening');

const folder = await mkdtemp(join(tmpdir(), 'touchstone-bench-'));
const settings = {
  TOUCHSTONE_FETCH_CONNECT_TO: `shop.example=127.0.0.1:${(shop.address() as AddressInfo).port}`,
  TOUCHSTONE_FETCH_PER_CALLER: '1000000',
  TOUCHSTONE_FETCH_PER_HOST: '1000000',
  TOUCHSTONE_FETCH_TOTAL: '1000000',
  TOUCHSTONE_PAGE_CHECK_MB_PER_CALLER: '1000',
  TOUCHSTONE_TRUST_PROXY: '127.0.0.0/8',
};
const children: ChildProcess[] = [];
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
let counter = 0;
try {
  const service = await started('mcp/service-child.ts', [folder, JSON.stringify(settings)], CHECKOUT);
  const genuine = await certifiedProduct(service.ready as { url: string; operatorKey: string });
  const { url } = service.ready;
  const cup = `${HOST}/products/cup`;
  pages.set('/products/cup', pageOf([genuine]));
  for (const [path, size] of [
    ['/products/crowd', 63],
    ['/products/flood', 255],
  ] as const) {
    pages.set(path, pageOf([...crowdOf(genuine, size, path), genuine]));
  }
  const answer = await post(url, CHECK_PATH, { url: cup });
  const echo = await started(
    'page-checks/echo-child.ts',
    [String(answer.length)],
    join(import.meta.dirname, '..'),
  );
  const on = { child: service.child, url };
  const fixed = (path: string) => () => HOST + path;
  const fresh = () => `${cup}?ref=${counter++}`;
  const ways: Way[] = [
    {
      name: 'bare HTTP',
      calls: 2_000,
      child: echo.child,
      url: echo.ready.url,
      page: () => cup,
      verdict: 'xxx',
      spent: [],
    },
    {
      name: 'cached, one certificate',
      calls: 400,
      ...on,
      page: fixed('/products/cup'),
      verdict: 'verified',
      spent: [],
    },
    {
      name: 'cached, 64 certificates',
      calls: 100,
      ...on,
      page: fixed('/products/crowd'),
      verdict: '"verdict"',
      spent: [],
    },
    {
      name: 'cached, 256 certificates',
      calls: 50,
      ...on,
      page: fixed('/products/flood'),
      verdict: '"verdict"',
      spent: [],
    },
    { name: 'fetched, one certificate', calls: 100, ...on, page: fresh, verdict: 'verified', spent: [] },
  ];
  for (const way of ways) await timeOf(way);
  for (let i = 0; i < ROUNDS; i++) for (const way of ways) way.spent.push(await timeOf(way));
  report(ways);
  await reportCores(service.child, url);
} finally {
  agent.destroy();
  shop.closeAllConnections();
  shop.close();
  for (const child of children) {
    child.send('stop');
    await once(child, 'exit');
  }
  await rm(folder, { recursive: true, force: true });
}

async function started(file: string, args: readonly string[], checkout: string) {
  const child = fork(join(checkout, 'bench', file), [...args], { stdio: 'inherit' });
  children.push(child);
  const [ready] = (await once(child, 'message')) as [{ url: string }];
  return { child, ready };
}

/** Adds a shop with one product, and returns its certificate. */
async function certifiedProduct(ready: { url: string; operatorKey: string }): Promise<Json> {
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${ready.url}/api/v1${path}`, {
      method,
      headers: { ...JSON_TYPE, authorization: `Bearer ${ready.operatorKey}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as Json;
  };
  const merchant = await call('POST', '/registry/merchants', { name: 'Potter', planCapacity: 1 });
  const store = await call('POST', '/registry/stores', {
    merchantId: merchant.id,
    name: 'Potter',
    url: `${HOST}/`,
  });
  const products = [{ externalProductId: 'cup', name: 'Cup', url: `${HOST}/products/cup` }];
  const { results } = await call('PUT', `/registry/stores/${store.id}/products`, products);
  const [product] = results as { id: string }[];
  return call('GET', `/mc4p/products/${product?.id}/certificate`);
}

/** Nodes that say all that a genuine one says, each of another product and for this page, and that nobody signed. */
function crowdOf(genuine: Json, size: number, path: string): Json[] {
  const own = String(genuine.productID);
  const text = JSON.stringify(genuine).replaceAll('/products/cup"', `${path}"`);
  return Array.from({ length: size }, (_, n) => {
    const id = own.replace(/^.{8}/, String(n).padStart(8, '0'));
    const node = JSON.parse(text.replaceAll(own, id)) as { proof: { jwt: string } };
    const [header, payload = '', signature] = node.proof.jwt.split('.');
    const claims = Buffer.from(payload, 'base64url').toString().replaceAll(own, id);
    const made = Buffer.from(claims.replaceAll('/products/cup"', `${path}"`)).toString('base64url');
    return {
      ...node,
      padding: 'x'.repeat(2_000),
      proof: { ...node.proof, jwt: `${header}.${made}.${signature}` },
    };
  });
}

function pageOf(nodes: readonly Json[]): string {
  const blocks = nodes.map((node) => JSON.stringify(node)).join(',');
  return `<!doctype html><title>Cup</title><script type="application/ld+json">[${blocks}]</script><h1>Cup</h1><p>€ 12.00</p>`;
}

/** CPU in microseconds per answer. */
async function timeOf({ child, url, page, verdict, calls }: Way): Promise<number> {
  const before = await cpuOf(child);
  let left = calls;
  const worker = async () => {
    while (left-- > 0) {
      const text = await post(url, CHECK_PATH, { url: page(left) });
      // another answer would be measured for nothing
      if (!text.includes(verdict)) throw new Error(text.slice(0, 500));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return ((await cpuOf(child)) - before) / calls;
}

async function cpuOf(child: ChildProcess): Promise<number> {
  child.send('cpu');
  const [spent] = await once(child, 'message');
  return Number(spent);
}

function post(url: string, path: string, body: Json, headers: Record<string, string> = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const text = JSON.stringify(body);
    const length = { 'content-length': Buffer.byteLength(text) };
    const sent = httpRequest(url + path, {
      method: 'POST',
      agent,
      headers: { ...JSON_TYPE, ...headers, ...length },
    });
    sent.on('error', reject);
    sent.on('response', async (response) => {
      let answer = '';
      for await (const chunk of response) answer += chunk;
      if (response.statusCode === 200) resolve(answer);
      else reject(new Error(`${response.statusCode} ${answer.slice(0, 500)}`));
    });
    sent.end(text);
  });
}

function report(ways: readonly Way[]): void {
  const base = median(ways[0]?.spent ?? []);
  for (const { name, spent } of ways) {
    const cost = median(spent);
    const spread = `${Math.min(...spent).toFixed(0)}–${Math.max(...spent).toFixed(0)}`;
    console.log(
      `${name.padEnd(28)} ${cost.toFixed(0).padStart(7)} µs CPU (${spread})  ${(cost / base).toFixed(1)} × bare HTTP`,
    );
  }
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;
}

/** Processors that the service keeps busy while it reads large pages, one at a time and eight at once. */
async function reportCores(child: ChildProcess, url: string): Promise<void> {
  const cards = Array.from(
    { length: 6_000 },
    (_, n) => `<li><a href="/p/${n}">Cup ${n}</a><b>€ ${n},00</b></li>`,
  );
  pages.set('/products/large', `<!doctype html><title>Cup</title><h1>Cup</h1><ul>${cards.join('')}</ul>`);
  for (const atOnce of [1, 8]) {
    const [began, before] = [performance.now(), await cpuOf(child)];
    const callers = Array.from({ length: atOnce }, async (_, caller) => {
      const from = { 'x-forwarded-for': `198.51.${100 + caller}.1` };
      for (let n = 0; n < 24 / atOnce; n++) {
        await post(url, CHECK_PATH, { url: `${HOST}/products/large?ref=${counter++}` }, from);
      }
    });
    await Promise.all(callers);
    const busy = ((await cpuOf(child)) - before) / 1_000 / (performance.now() - began);
    console.log(
      `large pages, ${atOnce} at once: ${busy.toFixed(2)} of ${availableParallelism()} processors busy`,
    );
  }
}
