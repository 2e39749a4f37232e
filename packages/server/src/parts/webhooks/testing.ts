import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import type { CreatedWebhook, EventType } from '@touchstone/contract';
import { createApiClient, dialTcp } from '@touchstone/fetch';
import { sql } from 'kysely';
import { closeServer, listen, portOf } from '../../../../../test/kit/servers.ts';
import { type TestRegistry, type TestShop, testRegistry, testShop } from '../../core/registry/testing.ts';
import { inTransaction } from '../../platform/database/database.ts';
import { type JobQueue, openJobQueue } from '../../platform/jobs/job-queue.ts';
import { deliver } from './deliver.ts';
import { recordEvents, WEBHOOKS } from './record-events.ts';
import { createWebhook, getWebhook, type WebhookContext } from './webhooks.ts';

/** What an endpoint was sent. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** An endpoint on loopback that records requests and returns configurable answers. */
export interface Receiver {
  readonly port: number;
  readonly received: Received[];
  /** Sets the answer to further requests; initially 204. */
  answer(how: number | ((response: ServerResponse) => void)): void;
  close(): Promise<void>;
}

export async function testReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let reply: (response: ServerResponse) => void = (response) => void response.writeHead(204).end();
  const listener: RequestListener = (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(parts).toString() });
      reply(response);
    });
  };
  const server = createServer(listener);
  await listen(server);
  return {
    port: portOf(server),
    received,
    answer(how) {
      reply = typeof how === 'function' ? how : (response) => void response.writeHead(how).end();
    },
    async close() {
      await closeServer(server);
    },
  };
}

/** A merchant with a shop and a receiver; deliveries are made only on request of a test. */
export interface WebhookScene {
  readonly registry: TestRegistry;
  readonly context: WebhookContext;
  readonly shop: TestShop;
  readonly receiver: Receiver;
  readonly queue: JobQueue;
  now: Date;
  webhook(events?: EventType[], url?: string): Promise<CreatedWebhook>;
  record(hostname?: string): Promise<void>;
  /** Makes all scheduled deliveries due, and attempts each once. */
  deliverDue(): Promise<number>;
  state(id: string): ReturnType<typeof getWebhook>;
  /** Restores the initial state, except for the shop's products. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

const ENDPOINT = 'http://hooks.example/events';

export async function webhookScene(): Promise<WebhookScene> {
  const registry = await testRegistry();
  const receiver = await testReceiver();
  const shop = await testShop(registry);
  const queue = openJobQueue({ db: registry.db, name: WEBHOOKS, perResource: 100 });
  const client = createApiClient({
    userAgent: 'Touchstone-test',
    connectTo: [{ host: 'hooks.example', address: '127.0.0.1', toPort: receiver.port }],
    limits: { totalTime: 3_000, bodySize: 16_384 },
    // every other name is one of the public internet, which nothing here reaches
    resolver: { resolve: async () => ({ kind: 'addresses', addresses: ['93.184.215.14'] }) },
    dialer: (address, port) => dialTcp(address === '127.0.0.1' ? address : '127.0.0.2', port),
  });
  const seal = plainSeal();
  const scene: WebhookScene = {
    registry,
    shop,
    receiver,
    queue,
    context: { db: registry.db, clock: () => scene.now, seal, hash: registry.secrets.hash, allowHttp: true },
    // the present, since what receivers use to verify has no other clock
    now: new Date(),
    webhook: (events, url = ENDPOINT) =>
      createWebhook(scene.context, 'all', {
        merchantId: shop.merchantId,
        url,
        ...(events === undefined ? {} : { events }),
      }),
    record: (hostname = 'lost.example') =>
      inTransaction(registry.db, (trx) =>
        recordEvents(trx, [
          {
            type: 'domain.lost',
            merchantId: shop.merchantId,
            storeId: shop.storeId,
            subject: hostname,
            detail: { hostname },
            at: scene.now,
          },
        ]),
      ),
    async deliverDue() {
      await sql`
        update jobs set state = 'ready' where queue = ${WEBHOOKS} and state = 'scheduled'`.execute(
        registry.db,
      );
      await sql`update events set added_at = added_at - interval '1 minute'`.execute(registry.db);
      const jobs = await queue.claim(100);
      const { signal } = new AbortController();
      const options = { ...scene.context, queue, client };
      await Promise.all(jobs.map((job) => deliver(job, options, signal)));
      return jobs.length;
    },
    state: (id) => getWebhook(scene.context, 'all', id),
    async reset() {
      await registry.database.query('truncate webhook_deliveries, events, webhooks');
      await registry.database.query("delete from jobs where queue = 'webhooks'");
      await registry.database.query('delete from rate_windows');
      await registry.database.query('update merchants set paused = false');
      receiver.received.length = 0;
      receiver.answer(204);
      scene.now = new Date();
    },
    async close() {
      await receiver.close();
      await registry.close();
    },
  };
  return scene;
}

function plainSeal(): WebhookContext['seal'] {
  return {
    seal: (name, secret) => Buffer.concat([Buffer.from(`${name} `), secret]),
    open: (name, sealed) => Buffer.from(sealed.subarray(Buffer.byteLength(name) + 1)),
  };
}
