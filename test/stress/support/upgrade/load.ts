import { Agent, type RequestOptions, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type Operated, openStore, putProducts } from '../../../kit/registry.ts';

const SHOP = 'https://shop.example';
/** Products that are read and verified, and those that are read and written. */
const PRODUCTS = 60;
const WRITTEN = 400;
/** Milliseconds between two batches of requests. */
const TICK = 20;
/** Requests under way: a machine that cannot keep up gets fewer per second. */
const MOST_PENDING = 64;
/** Fewer than the nodes have connections to the database: nothing is refused for want of one, however slow the machine. */
const CONNECTIONS = 16;
/** Requests of which one ends its connection, as proxies do now and then. */
const PER_CONNECTION = 25;

/** Requests of all kinds at a constant rate, if the machine permits, each sent once, whose answers are checked. */
export interface Load {
  readonly sent: Record<'get' | 'verify' | 'put', number>;
  /** How many were not answered, or not rightly, by what was answered instead. */
  readonly failures: Map<string, number>;
  /** Milliseconds of the slowest answer. */
  slowest: number;
  /** Ends it, and compares what was acknowledged with what is stored. */
  stop(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** @param perSecond - requests */
export async function startLoad(service: Operated, perSecond: number): Promise<Load> {
  const store = await openStore(service, SHOP);
  const rowOf = (nth: number, name: string) => ({
    externalProductId: `${nth}`,
    url: `${SHOP}/products/${nth}`,
    name,
    images: [],
  });
  const ids = await putProducts(
    service,
    store.id,
    Array.from({ length: PRODUCTS + WRITTEN }, (_, nth) => rowOf(nth, `Cup ${nth}`)),
  );
  // in turn, so that no connection is idle for long
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS, scheduling: 'fifo' });
  let asked = 0;
  const ask = (method: string, path: string, body?: unknown) => {
    const isLast = ++asked % PER_CONNECTION === 0;
    const headers = {
      authorization: `Bearer ${service.operatorKey}`,
      ...(isLast ? { connection: 'close' } : {}),
    };
    return askOnce({ agent, method, headers }, service.url + path, JSON.stringify(body));
  };
  const certificateOf = async (nth: number): Promise<unknown> =>
    JSON.parse((await ask('GET', `/api/v1/mc4p/products/${ids[nth]}/certificate`)).text);
  const documents = await Promise.all(Array.from({ length: PRODUCTS }, (_, nth) => certificateOf(nth)));

  const load: Omit<Load, 'stop'> = { sent: { get: 0, verify: 0, put: 0 }, failures: new Map(), slowest: 0 };
  const stored = new Map<number, string>();
  const writing = new Set<number>();
  const one = {
    async get(nth: number) {
      const any = (nth * 7) % ids.length;
      const { status, text } = await ask('GET', `/api/v1/mc4p/products/${ids[any]}/certificate`);
      return status === 200 && text.includes(`"productID":"${ids[any]}"`) ? undefined : `${status} ${text}`;
    },
    async verify(nth: number) {
      const any = nth % PRODUCTS;
      const { status, text } = await ask('POST', `/api/v1/mc4p/products/${ids[any]}/verify`, {
        productUrl: `${SHOP}/products/${any}`,
        document: documents[any],
      });
      return status === 200 && text.includes('"status":"verified"') ? undefined : `${status} ${text}`;
    },
    async put(nth: number) {
      // one write at a time to a product, so that it is known which one was stored last; there are more products than requests
      let product = PRODUCTS + (nth % WRITTEN);
      while (writing.has(product)) product = PRODUCTS + ((product + 1 - PRODUCTS) % WRITTEN);
      writing.add(product);
      try {
        const name = `Cup of request ${nth}`;
        const path = `/api/v1/registry/stores/${store.id}/products`;
        const { status, text } = await ask('PUT', path, [rowOf(product, name)]);
        if (status !== 200 || !text.includes(`"id":"${ids[product]}"`)) return `${status} ${text}`;
        stored.set(product, name);
        return undefined;
      } finally {
        writing.delete(product);
      }
    },
  };
  const send = async (kind: keyof typeof one, nth: number) => {
    load.sent[kind] += 1;
    const begun = performance.now();
    const failure = await one[kind](nth).catch((error: unknown) => String(error));
    load.slowest = Math.max(load.slowest, performance.now() - begun);
    if (failure === undefined) return;
    const cause = `${kind}: ${failure.slice(0, 300)}`;
    load.failures.set(cause, (load.failures.get(cause) ?? 0) + 1);
  };

  const stopped = new AbortController();
  const pending = new Set<Promise<void>>();
  const running = (async () => {
    const begun = performance.now();
    for (let nth = 0; !stopped.signal.aborted; await delay(TICK)) {
      const due = ((performance.now() - begun) / 1000) * perSecond;
      for (; nth < due && pending.size < MOST_PENDING; nth++) {
        // of 25: a PUT, 4 verifications, 20 certificates
        const kind = nth % 25 === 0 ? 'put' : nth % 6 === 1 ? 'verify' : 'get';
        const sent: Promise<void> = send(kind, nth).finally(() => pending.delete(sent));
        pending.add(sent);
      }
    }
    await Promise.all(pending);
  })();
  return Object.assign(load, {
    async stop() {
      stopped.abort();
      await running;
      for (const [product, name] of stored) {
        const { text } = await ask('GET', `/api/v1/registry/products/${ids[product]}`);
        if (!text.includes(`"name":"${name}"`)) load.failures.set(`lost: ${name}, stored is ${text}`, 1);
      }
      agent.destroy();
    },
  });
}

function askOnce(options: RequestOptions, url: string, body: string | undefined): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { ...options, timeout: 60_000 }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      response.on('error', reject);
    });
    sent.on('timeout', () => sent.destroy(new Error('no answer within a minute')));
    sent.on('error', reject);
    if (body !== undefined) sent.setHeader('content-type', 'application/json');
    sent.end(body);
  });
}
