/**
 * What a tool call costs beside the same verify over HTTP: CPU of the service's process per answer, both measured in
 * alternating rounds of one run. `npm run bench:mcp -- [calls per round]`
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChildReady } from './mcp/service-child.ts';

const CALLS = Number(process.argv[2] ?? 2_000);
const ROUNDS = 8;
const AT_ONCE = 8;
/** Goal: a tool call costs no more than so many times the verify. */
const GOAL = 3;

const PAGE = 'https://shop.example/products/cup';
const JSON_TYPE = { 'content-type': 'application/json' };
const MCP_TYPE = {
  ...JSON_TYPE,
  accept: 'application/json, text/event-stream',
  host: 'certificates.example',
};

interface Way {
  readonly name: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly spent: number[];
}

const folder = await mkdtemp(join(tmpdir(), 'touchstone-bench-'));
const child = fork(join(import.meta.dirname, 'mcp/service-child.ts'), [folder], { stdio: 'inherit' });
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
try {
  const [ready] = (await once(child, 'message')) as [ChildReady];
  const ways = waysOf(await certifiedProduct(ready));
  for (const way of ways) await timeOf(ready.url, way, CALLS);
  for (let i = 0; i < ROUNDS; i++) {
    for (const way of ways) way.spent.push(await timeOf(ready.url, way, CALLS));
  }
  report(ways);
} finally {
  agent.destroy();
  child.send('stop');
  await once(child, 'exit');
  await rm(folder, { recursive: true, force: true });
}

/** Adds a shop with one product, and returns its certificate. */
async function certifiedProduct({ url, operatorKey }: ChildReady): Promise<Record<string, unknown>> {
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { ...JSON_TYPE, authorization: `Bearer ${operatorKey}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as Record<string, unknown>;
  };
  const merchant = await call('POST', '/registry/merchants', { name: 'Potter', planCapacity: 1 });
  const store = await call('POST', '/registry/stores', {
    merchantId: merchant.id,
    name: 'Potter',
    url: 'https://shop.example/',
  });
  const products = [{ externalProductId: 'cup', name: 'Cup', url: PAGE }];
  const { results } = await call('PUT', `/registry/stores/${store.id}/products`, products);
  const [product] = results as { id: string }[];
  return call('GET', `/mc4p/products/${product?.id}/certificate`);
}

function waysOf(document: Record<string, unknown>): Way[] {
  const productId = String(document.productID);
  const call = { name: 'verify_svc_certificate', arguments: { productUrl: PAGE, productId, document } };
  const message = (params: object) =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...call, ...params } });
  const modern = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return [
    {
      name: 'verify over HTTP',
      path: `/api/v1/mc4p/products/${productId}/verify`,
      headers: JSON_TYPE,
      body: JSON.stringify({ productUrl: PAGE, document }),
      spent: [],
    },
    {
      name: 'tool, revision 2026-07-28',
      path: '/mcp',
      headers: {
        ...MCP_TYPE,
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': call.name,
      },
      body: message({ _meta: modern }),
      spent: [],
    },
    {
      name: 'tool, revision 2025-11-25',
      path: '/mcp',
      headers: { ...MCP_TYPE, 'mcp-protocol-version': '2025-11-25' },
      body: message({}),
      spent: [],
    },
  ];
}

/** CPU of the service in microseconds per answer. */
async function timeOf(url: string, way: Way, calls: number): Promise<number> {
  const before = await cpu();
  let left = calls;
  const worker = async () => {
    while (left-- > 0) await answered(url, way);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return ((await cpu()) - before) / calls;
}

async function cpu(): Promise<number> {
  child.send('cpu');
  const [spent] = await once(child, 'message');
  return Number(spent);
}

/** An answer that is not "verified" would be measured for nothing. */
function answered(url: string, { path, headers, body }: Way): Promise<void> {
  return new Promise((resolve, reject) => {
    const length = { 'content-length': Buffer.byteLength(body) };
    const sent = httpRequest(`${url}${path}`, { method: 'POST', agent, headers: { ...headers, ...length } });
    sent.on('error', reject);
    sent.on('response', async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      if (response.statusCode === 200 && text.includes('"status":"verified"')) resolve();
      else reject(new Error(`${response.statusCode} ${text.slice(0, 500)}`));
    });
    sent.end(body);
  });
}

function report(ways: readonly Way[]): void {
  const median = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;
  const [verify] = ways;
  const base = median(verify?.spent ?? []);
  for (const { name, spent } of ways) {
    const cost = median(spent);
    console.log(`${name.padEnd(28)} ${cost.toFixed(0).padStart(6)} µs CPU   ${(cost / base).toFixed(2)} ×`);
  }
  const worst = Math.max(...ways.map(({ spent }) => median(spent))) / base;
  console.log(worst <= GOAL ? `within the goal of ${GOAL} ×` : `over the goal of ${GOAL} ×`);
  process.exitCode = worst <= GOAL ? 0 : 1;
}
