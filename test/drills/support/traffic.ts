import { setTimeout as delay } from 'node:timers/promises';

/** A node of the service. */
export interface Node {
  readonly url: string;
  readonly operatorKey: string;
}

/** Milliseconds within which a change appears on the other nodes. */
const PROPAGATION = 1_000;
/** Milliseconds between two requests of the same kind to a node. */
const EVERY = 100;
/** Products that stay as they are, for requests that are answered from memory. */
const WARM = 8;

interface Product {
  readonly id: string;
  readonly external: string;
  document: unknown;
  /** Values acknowledged, and begun, of its name. */
  acknowledged: number;
  begun: number;
}

/** What a load balancer's clients would see. */
export interface Outage {
  /** Milliseconds of the longest time without an answer, of warm GETs and verifications. */
  warm: number;
  /** When each node acknowledged a write last, and first after `since`. */
  firstWrite: Map<string, number>;
}

export interface Traffic {
  readonly counts: Record<'writes' | 'refused' | 'hidden' | 'warm' | 'stale warnings', number>;
  /** Proofs of hidden products that were served too late. */
  readonly stale: readonly string[];
  /** Has every node answer each of the warm requests, then starts to measure an outage. */
  measure(): Promise<Outage>;
  stop(): Promise<void>;
  /** Acknowledged writes that the service no longer knows. */
  lost(): Promise<string[]>;
}

/** Writes, hides and reads on all nodes at once, continuously, remembering what was acknowledged. */
export async function startTraffic(nodes: readonly Node[], products: number): Promise<Traffic> {
  const [first] = nodes as [Node];
  const merchant = (await call(first, 'POST', '/merchants', { name: 'M', planCapacity: products })) as Id;
  const store = (await call(first, 'POST', '/stores', {
    merchantId: merchant.id,
    name: 'S',
    url: 'https://shop.example',
  })) as Id;
  const row = (external: string, name: string) => ({
    externalProductId: external,
    name,
    url: `https://shop.example/p/${external}`,
  });
  const put = (node: Node, rows: unknown[]) =>
    call(node, 'PUT', `/stores/${store.id}/products`, rows) as Promise<{ results: Id[] }>;
  const all: Product[] = [];
  for (let from = 0; from < products; from += 100) {
    const names = Array.from({ length: Math.min(100, products - from) }, (_, index) => `p${from + index}`);
    const { results } = await put(
      first,
      names.map((name) => row(name, '0')),
    );
    for (const [index, { id }] of results.entries())
      all.push({ id, external: names[index] ?? '', document: null, acknowledged: 0, begun: 0 });
  }
  for (const product of all.slice(0, WARM)) {
    for (const node of nodes) product.document = (await certificate(node, product.id)).json;
  }

  const counts = { writes: 0, refused: 0, hidden: 0, warm: 0, 'stale warnings': 0 };
  const stale: string[] = [];
  let outage: Outage = { warm: 0, firstWrite: new Map() };
  let isOver = false;
  const loops: Promise<void>[] = [];
  const repeat = (every: number, work: () => Promise<void>) => {
    loops.push(
      (async () => {
        while (!isOver) {
          const begun = performance.now();
          await work();
          await delay(Math.max(0, every - (performance.now() - begun)));
        }
      })(),
    );
  };
  const warm = all.slice(0, WARM);
  const written = all.slice(WARM, 2 * WARM);
  const rest = all.slice(2 * WARM);
  const hidden: { readonly product: Product; readonly by: Node; at: number }[] = [];

  for (const [place, node] of nodes.entries()) {
    // warm requests: out from the first that is not answered to the next that is
    for (const kind of ['get', 'verify'] as const) {
      let lastAnswer = performance.now();
      let number = 0;
      repeat(EVERY, async () => {
        number += 1;
        const product = warm[number % WARM] as Product;
        const { status, json } =
          kind === 'get' ? await certificate(node, product.id) : await verify(node, product);
        const now = performance.now();
        counts.warm += 1;
        if (status === 200) {
          const warnings = (json as { warnings?: string[] }).warnings ?? [];
          if (warnings.some((one) => one.startsWith('registry_stale'))) counts['stale warnings'] += 1;
          // what a slow answer adds counts, the pause between two requests does not
          outage.warm = Math.max(outage.warm, now - Math.max(lastAnswer, 0) - EVERY);
          lastAnswer = now;
        }
      });
    }
    // writes, each node its own products
    let turn = 0;
    const mine = written.filter((_, index) => index % nodes.length === place);
    repeat(EVERY, async () => {
      turn += 1;
      const product = mine[turn % mine.length] as Product;
      product.begun += 1;
      const value = product.begun;
      try {
        await put(node, [row(product.external, String(value))]);
        product.acknowledged = value;
        counts.writes += 1;
        if (!outage.firstWrite.has(node.url)) outage.firstWrite.set(node.url, performance.now());
      } catch {
        counts.refused += 1;
      }
    });
    // products are warmed on all nodes, hidden on one, and asked of all
    repeat(4 * EVERY, async () => {
      const product = rest.pop();
      if (product === undefined) return;
      for (const one of nodes) await certificate(one, product.id);
      try {
        await call(node, 'PATCH', `/products/${product.id}`, { visible: false });
      } catch {
        counts.refused += 1;
        return;
      }
      hidden.push({ product, by: node, at: performance.now() });
      counts.hidden += 1;
    });
    let asked = 0;
    repeat(EVERY / 2, async () => {
      // the latest most often
      const recent = asked % 2 === 0 ? hidden.at(-1 - ((asked / 2) % 20)) : hidden[asked % hidden.length];
      asked += 1;
      if (recent === undefined) return;
      const begun = performance.now();
      const { status, json } = await certificate(node, recent.product.id);
      const allowed = recent.at + (recent.by === node ? 0 : PROPAGATION);
      if (status === 200 && begun > allowed && Object.hasOwn(json as object, 'proof'))
        stale.push(
          `${recent.product.external} on ${node.url}, ${Math.round(begun - recent.at)} ms after ${recent.by.url} had acknowledged`,
        );
    });
  }

  return {
    counts,
    stale,
    async measure() {
      for (let round = 0; round < 2; round += 1) {
        const requests = nodes.flatMap((node) =>
          warm.flatMap((one) => [certificate(node, one.id), verify(node, one)]),
        );
        await Promise.all(requests);
      }
      outage = { warm: 0, firstWrite: new Map() };
      return outage;
    },
    async stop() {
      isOver = true;
      await Promise.all(loops);
    },
    async lost() {
      const faults: string[] = [];
      for (const product of written) {
        const { name } = (await call(first, 'GET', `/products/${product.id}`)) as { name: string };
        // a later value may have been made without having been acknowledged
        if (Number(name) < product.acknowledged)
          faults.push(`${product.external}: ${product.acknowledged} was acknowledged, and ${name} is there`);
      }
      for (const { product } of hidden) {
        const { state } = (await call(first, 'GET', `/products/${product.id}`)) as { state: string };
        if (state === 'active') faults.push(`${product.external} was hidden, and is ${state}`);
      }
      return faults;
    },
  };
}

interface Id {
  readonly id: string;
}

async function call(node: Node, method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(`${node.url}/api/v1/registry${path}`, {
    method,
    headers: { authorization: `Bearer ${node.operatorKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  });
  const answer: unknown = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}

interface Answer {
  readonly status: number;
  readonly json: unknown;
}

const certificate = (node: Node, id: string) => ask(`${node.url}/api/v1/mc4p/products/${id}/certificate`);

const verify = (node: Node, { id, external, document }: Product) =>
  ask(`${node.url}/api/v1/mc4p/products/${id}/verify`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ productUrl: `https://shop.example/p/${external}`, document }),
  });

async function ask(url: string, init: RequestInit = {}): Promise<Answer> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(30_000) });
    return { status: response.status, json: await response.json() };
  } catch (error) {
    return { status: 0, json: String(error) };
  }
}
