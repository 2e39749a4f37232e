/**
 * Compares the most frequent calls in this checkout with another one: CPU time of the service's process per response, and responses per
 * second, alternating within one run, so that other load affects both equally.
 * `npm run bench:checkouts -- <folder of the other checkout, installed> [calls per measurement]`
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../test/kit/servers.ts';
import { median } from './kit/rounds.ts';
import { isReady } from './kit/server.ts';

const [other = '', calls = '3000'] = process.argv.slice(2);
if (other === '') throw new Error('Name the folder of the other checkout.');
const CALLS = Number(calls);
const MEASUREMENTS = 15;
const CONCURRENCY = 8;
/** Minimum ratio of the other checkout's CPU time to this one's, for every call. */
const GOAL = 0.95;

const OPERATOR_KEY = 'bench-operator-key-of-this-run';
const JSON_TYPE = { 'content-type': 'application/json' };
const MCP_HEADERS = {
  ...JSON_TYPE,
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2025-11-25',
};

interface Call {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Text that a response must contain, to avoid measuring a wrong one. */
  readonly holds: string;
}

interface Measurement {
  readonly cpu: number;
  readonly perSecond: number;
}

interface Checkout {
  readonly url: string;
  readonly child: ChildProcess;
  readonly calls: readonly Call[];
  readonly measured: Map<string, Measurement[]>;
}

const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY });
const pages = new Map<string, string>();
const shop = createServer((request, response) => {
  const page = pages.get(request.url ?? '');
  response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(page);
}).listen(0, '127.0.0.1');
await once(shop, 'listening');
const folder = await mkdtemp(join(tmpdir(), 'touchstone-bench-'));
const checkouts: Checkout[] = [];
try {
  for (const root of [resolve(other), resolve(import.meta.dirname, '..')]) checkouts.push(await open(root));
  const [theirs, ours] = checkouts as [Checkout, Checkout];
  for (let round = -1; round < MEASUREMENTS; round++) {
    for (const [index, { name }] of theirs.calls.entries()) {
      // the order alternates, too
      const order = round % 2 === 0 ? [theirs, ours] : [ours, theirs];
      for (const checkout of order) {
        const measurement = await measure(checkout.url, checkout.calls[index] as Call);
        // the first round is a warm-up
        if (round >= 0) checkout.measured.set(name, [...(checkout.measured.get(name) ?? []), measurement]);
      }
    }
  }
  report(theirs, ours);
} finally {
  agent.destroy();
  shop.close();
  for (const { child } of checkouts) child.kill('SIGTERM');
  await Promise.all(checkouts.map(({ child }) => child.exitCode ?? once(child, 'exit')));
  await rm(folder, { recursive: true, force: true });
}

async function open(root: string): Promise<Checkout> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [join(root, 'packages/cli/bin/touchstone.js'), 'serve'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      TOUCHSTONE_PORT: String(port),
      TOUCHSTONE_DATA_DIR: join(folder, String(port)),
      TOUCHSTONE_OPERATOR_KEY: OPERATOR_KEY,
      TOUCHSTONE_LOG_LEVEL: 'warn',
      TOUCHSTONE_FETCH_CONNECT_TO: `shop.example=127.0.0.1:${(shop.address() as AddressInfo).port}`,
      TOUCHSTONE_PAGE_CACHE_SECONDS: '86400',
    },
  });
  for (let patience = 300; !(await isReady(url)); patience--) {
    if (patience === 0 || child.exitCode !== null) throw new Error(`${root} does not start.`);
    await delay(100);
  }
  return { url, child, calls: callsOf(await certifiedProduct(url, port)), measured: new Map() };
}

/** Adds a shop with one product on a page with its certificate, and returns the certificate. */
async function certifiedProduct(url: string, port: number): Promise<Record<string, unknown>> {
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { ...JSON_TYPE, authorization: `Bearer ${OPERATOR_KEY}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as Record<string, unknown>;
  };
  const merchant = await call('POST', '/registry/merchants', { name: 'Potter', planCapacity: 1 });
  const store = await call('POST', '/registry/stores', {
    merchantId: merchant.id,
    name: 'Potter',
    url: 'http://shop.example/',
  });
  const path = `/products/cup-${port}`;
  const rows = [{ externalProductId: 'cup', name: 'Cup', url: `http://shop.example${path}` }];
  const { results } = await call('PUT', `/registry/stores/${store.id}/products`, rows);
  const [product] = results as { id: string }[];
  const document = await call('GET', `/mc4p/products/${product?.id}/certificate`);
  pages.set(path, pageWith(document));
  return document;
}

function pageWith(document: unknown): string {
  const filler = '<p>A cup, turned by hand, glazed twice.</p>'.repeat(500);
  return `<!doctype html><title>Cup</title><h1>Cup</h1><p>€ 12.00</p>
    <script type="application/ld+json">${JSON.stringify(document)}</script>${filler}`;
}

function callsOf(document: Record<string, unknown>): Call[] {
  const productId = String(document.productID);
  const page = String(document.url);
  const verify = { productUrl: page, document };
  const tool = { name: 'verify_svc_certificate', arguments: { ...verify, productId } };
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: tool };
  const post = { method: 'POST', headers: JSON_TYPE } as const;
  return [
    {
      name: 'warm certificate',
      method: 'GET',
      path: `/api/v1/mc4p/products/${productId}/certificate`,
      headers: {},
      holds: '"proof"',
    },
    {
      ...post,
      name: 'verify',
      path: `/api/v1/mc4p/products/${productId}/verify`,
      body: JSON.stringify(verify),
      holds: '"status":"verified"',
    },
    {
      ...post,
      name: 'page check, cached',
      path: '/api/v1/mc4p/page-checks',
      body: JSON.stringify({ url: page }),
      holds: '"verdict":"verified"',
    },
    {
      ...post,
      name: 'verify as a tool',
      path: '/mcp',
      headers: MCP_HEADERS,
      body: JSON.stringify(message),
      holds: '"status":"verified"',
    },
  ];
}

async function measure(url: string, call: Call): Promise<Measurement> {
  const before = await cpuSeconds(url);
  const begun = performance.now();
  // a cached page check takes many times as long as a cached certificate
  let left = call.path.endsWith('/page-checks') ? CALLS >> 2 : CALLS;
  const total = left;
  const worker = async () => {
    while (left-- > 0) await answered(url, call);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  const seconds = (performance.now() - begun) / 1_000;
  return { cpu: (((await cpuSeconds(url)) - before) / total) * 1e6, perSecond: total / seconds };
}

async function cpuSeconds(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1]);
}

function answered(url: string, { method, path, headers, body, holds }: Call): Promise<void> {
  return new Promise((done, reject) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const sent = httpRequest(`${url}${path}`, { method, agent, headers: { ...headers, ...length } });
    sent.on('error', reject);
    sent.on('response', async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      if (response.statusCode === 200 && text.includes(holds)) done();
      else reject(new Error(`${path}: ${response.statusCode} ${text.slice(0, 500)}`));
    });
    sent.end(body);
  });
}

function report(theirs: Checkout, ours: Checkout): void {
  console.log('µs of CPU per answer and answers a second: there, here, and the ratio (over 1: better here)');
  let worst = Number.POSITIVE_INFINITY;
  for (const { name } of theirs.calls) {
    const there = medians(theirs.measured.get(name) ?? []);
    const here = medians(ours.measured.get(name) ?? []);
    const ratio = there.cpu / here.cpu;
    worst = Math.min(worst, ratio);
    const speed = here.perSecond / there.perSecond;
    console.log(
      `${name.padEnd(20)} ${there.cpu.toFixed(0).padStart(6)} ${here.cpu.toFixed(0).padStart(6)} µs ${ratio.toFixed(2)}` +
        `   ${there.perSecond.toFixed(0).padStart(6)} ${here.perSecond.toFixed(0).padStart(6)} /s ${speed.toFixed(2)}`,
    );
  }
  console.log(worst >= GOAL ? `within the goal of ${GOAL}` : `below the goal of ${GOAL}`);
}

function medians(all: readonly Measurement[]): Measurement {
  return { cpu: median(all.map(({ cpu }) => cpu)), perSecond: median(all.map(({ perSecond }) => perSecond)) };
}
