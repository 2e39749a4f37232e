import { ASKED_EVENTS, eventSchema } from '@touchstone/contract';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { patchMerchant } from '../../core/registry/merchants/merchants.ts';
import { inTransaction } from '../../platform/database/database.ts';
import { endLeases, openJobQueue } from '../../platform/jobs/job-queue.ts';
import { deliver } from './deliver.ts';
import { getDelivery, listDeliveries, replayDelivery, testWebhook } from './deliveries.ts';
import { recordEvents, WEBHOOKS } from './record-events.ts';
import { type Received, testReceiver, type WebhookScene, webhookScene } from './testing.ts';
import { deleteWebhook, patchWebhook, rotateSecret } from './webhooks.ts';

const DAY = 86_400_000;
const PAGE = { limit: 100 };

let scene: WebhookScene;
beforeAll(async () => {
  scene = await webhookScene();
});
beforeEach(() => scene.reset());
afterAll(() => scene.close());

const verified = (secret: string, { body, headers }: Received) =>
  new Webhook(secret).verify(body, headers as Record<string, string>) as { type: string; data: object };
const log = async (id: string) => (await listDeliveries(scene.context, 'all', id, PAGE)).deliveries;
const later = (milliseconds: number) => {
  scene.now = new Date(scene.now.getTime() + milliseconds);
};

describe('an event', () => {
  it('reaches the endpoint as Standard Webhooks requires, and is logged', async () => {
    const { id, secret } = await scene.webhook();
    await scene.record();
    expect(await scene.deliverDue()).toBe(1);
    const [sent] = scene.receiver.received as [Received];
    const payload = verified(secret, sent);
    expect(payload).toEqual({
      type: 'domain.lost',
      timestamp: scene.now.toISOString(),
      data: { merchantId: scene.shop.merchantId, storeId: scene.shop.storeId, hostname: 'lost.example' },
    });
    expect(eventSchema('domain.lost').parse(payload)).toEqual(payload);
    const [delivery] = await log(id);
    expect(delivery).toMatchObject({
      state: 'delivered',
      attempts: 1,
      eventId: sent.headers['webhook-id'],
      lastAttempt: { status: 204 },
    });
    expect(await scene.state(id)).toMatchObject({ pending: 0, deliveredAt: scene.now.toISOString() });
    expect(await scene.deliverDue()).toBe(0);
  });

  it('is recorded only for subscribers, and costs nobody else anything', async () => {
    await scene.record();
    const asking = await scene.webhook(['domain.lost']);
    const other = await scene.webhook(['copy.found']);
    const paused = await scene.webhook();
    await patchWebhook(scene.context, 'all', paused.id, { paused: true });
    expect(await scene.registry.database.query('select from events')).toEqual([]);
    await scene.record();
    await scene.deliverDue();
    expect([await log(asking.id), await log(other.id), await log(paused.id)]).toMatchObject([[{}], [], []]);
  });

  it('collects what happens to the same store in quick succession, and names the first 100', async () => {
    const { id } = await scene.webhook(['product.state_changed']);
    const rows = Array.from({ length: 130 }, (_, n) => scene.shop.row(`cup-${n}`));
    await scene.shop.put(...rows);
    await scene.shop.put(...rows.slice(0, 120).map((row) => ({ ...row, visible: false })));
    await scene.shop.put(...rows.slice(120).map((row) => ({ ...row, visible: false })));
    await scene.deliverDue();
    const payloads = scene.receiver.received.map(({ body }) => JSON.parse(body));
    const [hidden, ...others] = payloads.filter(({ data }) => data.state === 'hidden');
    expect(others).toEqual([]);
    expect(hidden.data.count).toBe(130);
    expect(hidden.data.products).toHaveLength(100);
    expect(hidden.data.products[0]).toEqual({
      productId: expect.any(String),
      externalProductId: expect.stringMatching(/^cup-/),
    });
    expect(eventSchema('product.state_changed').parse(hidden)).toEqual(hidden);
    // changes after a delivery are a new event
    await scene.shop.put({ ...rows[0], visible: true });
    await scene.shop.put({ ...rows[0], visible: false });
    await scene.deliverDue();
    expect((await log(id)).length).toBeGreaterThan(payloads.length);
  });

  it('is delivered if the endpoint says so, however long its response', async () => {
    const { id } = await scene.webhook();
    scene.receiver.answer((response) => void response.writeHead(200).end('x'.repeat(20_000)));
    await scene.record();
    await scene.deliverDue();
    expect((await log(id))[0]).toMatchObject({ state: 'delivered', lastAttempt: { status: 200 } });
    const begun = await scene.webhook(undefined, 'http://hooks.example/chunked');
    scene.receiver.answer((response) => {
      response.writeHead(202).write('x'.repeat(10_000));
      response.end('x'.repeat(10_000));
    });
    await scene.record('other.example');
    await scene.deliverDue();
    expect((await log(begun.id))[0]).toMatchObject({ state: 'delivered', lastAttempt: { status: 202 } });
  });

  it('that is still collecting waits until nothing more happens for a while', async () => {
    const { id } = await scene.webhook();
    await scene.record();
    await scene.registry.database.query("update jobs set state = 'ready' where queue = 'webhooks'");
    await runOnce();
    expect(scene.receiver.received).toEqual([]);
    expect((await log(id))[0]).toMatchObject({ state: 'pending', attempts: 0 });
    await scene.deliverDue();
    expect(scene.receiver.received).toHaveLength(1);
  });

  it('of a pause is one per store, without a count', async () => {
    await scene.webhook(['product.state_changed']);
    await patchMerchant(scene.registry, 'all', scene.shop.merchantId, { paused: true });
    await scene.deliverDue();
    expect(scene.receiver.received.map(({ body }) => JSON.parse(body).data)).toEqual([
      { merchantId: scene.shop.merchantId, storeId: scene.shop.storeId, state: 'paused', products: [] },
    ]);
  });
});

/** Attempts only deliveries that are ready, unlike `deliverDue`. */
async function runOnce(): Promise<void> {
  const client = { request: () => Promise.reject(new Error('nothing is to be sent')) };
  const { signal } = new AbortController();
  for (const job of await scene.queue.claim(10)) {
    await deliver(job, { ...scene.context, queue: scene.queue, client }, signal);
  }
}

describe('an endpoint that fails', () => {
  it.each([
    ['a status', (code = 500) => scene.receiver.answer(code), { code: 'delivery_refused', status: 500 }],
    [
      'a redirect, which is not followed',
      () => scene.receiver.answer((response) => response.writeHead(302, { location: '/events' }).end()),
      { code: 'delivery_redirected', status: 302 },
    ],
    [
      'a broken answer',
      () => scene.receiver.answer((response) => void response.socket?.end('nonsense\r\n\r\n')),
      { code: 'delivery_malformed' },
    ],
  ])('with %s is retried, and the log says why', async (_, fail, lastAttempt) => {
    const { id } = await scene.webhook();
    fail();
    await scene.record();
    await scene.deliverDue();
    const [delivery] = await log(id);
    expect(delivery).toMatchObject({ state: 'pending', attempts: 1, lastAttempt });
    expect(delivery?.lastAttempt?.nextStep).toMatch(/\.$/);
    expect(Date.parse(delivery?.nextAttemptAt ?? '')).toBeGreaterThan(Date.now());
    expect(scene.receiver.received).toHaveLength(1);
    scene.receiver.answer(200);
    await scene.deliverDue();
    expect((await log(id))[0]).toMatchObject({ state: 'delivered', attempts: 2 });
    const [first, second] = scene.receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(second).toBe(first);
  });

  it('without TLS, or behind a redirect, is not sent the signature or the token in its address', async () => {
    const hostile = await testReceiver();
    const { id } = await scene.webhook();
    const location = `http://127.0.0.1:${hostile.port}/events`;
    scene.receiver.answer((response) => response.writeHead(307, { location }).end());
    await scene.record();
    await scene.deliverDue();
    const [redirected] = await log(id);
    expect(redirected?.lastAttempt).toMatchObject({
      code: 'delivery_redirected',
      detail: `to ${new URL(location).origin}`,
    });
    const plain = await scene.webhook(undefined, 'http://public.example/events?token=secret');
    await scene.record();
    await scene.deliverDue();
    expect((await log(plain.id))[0]?.lastAttempt).toMatchObject({ code: 'endpoint_blocked' });
    expect(hostile.received).toEqual([]);
    await hostile.close();
  });

  it('in the private network is never dialled', async () => {
    const { id } = await scene.webhook(undefined, 'http://127.0.0.1/events');
    await scene.record();
    await scene.deliverDue();
    expect((await log(id))[0]).toMatchObject({ attempts: 1, lastAttempt: { code: 'endpoint_blocked' } });
  });

  it('is given up after eleven attempts over some three days, and can be replayed', async () => {
    const { id } = await scene.webhook();
    scene.receiver.answer(503);
    await scene.record();
    for (let attempts = 0; attempts < 11; attempts += 1) {
      later(DAY / 4);
      expect(await scene.deliverDue()).toBe(1);
    }
    expect(await scene.deliverDue()).toBe(0);
    const [failed] = await log(id);
    expect(failed).toMatchObject({ state: 'failed', attempts: 11, lastAttempt: { status: 503 } });
    scene.receiver.answer(200);
    expect(await replayDelivery(scene.context, 'all', id, failed?.id ?? '')).toMatchObject({
      state: 'pending',
      attempts: 0,
    });
    await scene.deliverDue();
    expect((await log(id))[0]).toMatchObject({ state: 'delivered', attempts: 1 });
  });

  it('may say when it wants the next request', async () => {
    const { id } = await scene.webhook();
    scene.receiver.answer((response) => response.writeHead(429, { 'retry-after': '3600' }).end());
    await scene.record();
    await scene.deliverDue();
    const [delivery] = await log(id);
    expect(Date.parse(delivery?.nextAttemptAt ?? '') - Date.now()).toBeGreaterThan(3_590_000);
  });

  it('is paused after five days, with an event; when resumed, it gets what was pending', async () => {
    const { id } = await scene.webhook();
    scene.receiver.answer(500);
    await scene.record();
    await scene.deliverDue();
    expect(await scene.state(id)).toMatchObject({ state: 'active', failingSince: scene.now.toISOString() });
    later(4.9 * DAY);
    await scene.deliverDue();
    expect(await scene.state(id)).toMatchObject({ state: 'active' });
    later(0.2 * DAY);
    await scene.deliverDue();
    expect(await scene.state(id)).toMatchObject({ state: 'paused', pausedBecause: 'failing', pending: 1 });
    await scene.deliverDue();
    expect(await scene.deliverDue()).toBe(0);
    expect(scene.receiver.received).toHaveLength(3);
    scene.receiver.answer(200);
    await patchWebhook(scene.context, 'all', id, { paused: false });
    await scene.deliverDue();
    const after = await scene.state(id);
    expect(after).toMatchObject({ state: 'active', pending: 0 });
    expect(after).not.toHaveProperty('failingSince');
  });

  it('that answers 410 is paused at once', async () => {
    const { id } = await scene.webhook();
    scene.receiver.answer(410);
    await scene.record();
    await scene.deliverDue();
    expect(await scene.state(id)).toMatchObject({ state: 'paused', pausedBecause: 'gone', pending: 0 });
    expect((await log(id))[0]).toMatchObject({ state: 'failed', lastAttempt: { code: 'endpoint_gone' } });
    await expect(
      replayDelivery(scene.context, 'all', id, (await log(id))[0]?.id ?? ''),
    ).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('secrets', () => {
  it('are rotated: both sign for the requested time, then only the new one', async () => {
    const { id, secret } = await scene.webhook();
    const rotated = await rotateSecret(scene.context, 'all', id, 2);
    const send = async () => {
      await scene.record();
      await scene.deliverDue();
      return scene.receiver.received.at(-1) as Received;
    };
    const both = await send();
    expect(verified(secret, both)).toEqual(verified(rotated.secret, both));
    expect((await scene.state(id)).formerSecretUntil).toBe(rotated.formerSecretUntil);
    later(2 * 3_600_000);
    const { headers } = await send();
    expect(String(headers['webhook-signature']).split(' ')).toHaveLength(1);
    expect(await scene.state(id)).not.toHaveProperty('formerSecretUntil');
  });
});

describe('a test', () => {
  it('is sent to an endpoint without such a subscription, and to a paused one', async () => {
    const { id, secret } = await scene.webhook(['copy.found']);
    await patchWebhook(scene.context, 'all', id, { paused: true });
    const test = await testWebhook(scene.context, 'all', id);
    await scene.deliverDue();
    expect(await getDelivery(scene.context, 'all', id, test.id)).toMatchObject({
      state: 'delivered',
      payload: { type: 'webhook.test', data: { webhookId: id } },
    });
    const [sent] = scene.receiver.received as [Received];
    const payload = verified(secret, sent);
    expect(eventSchema('webhook.test').parse(payload)).toEqual(payload);
  });
});

describe('an endpoint is not flooded', () => {
  it('by tests: each has one attempt, and a merchant orders at most 30 tests and replays a minute', async () => {
    const hooks = [await scene.webhook(), await scene.webhook()];
    const [id = '', other = ''] = hooks.map((hook) => hook.id);
    scene.receiver.answer(500);
    const test = await testWebhook(scene.context, 'all', id);
    await scene.deliverDue();
    expect((await log(id))[0]).toMatchObject({ state: 'failed', attempts: 1 });
    expect(await scene.deliverDue()).toBe(0);
    const orders = Array.from({ length: 40 }, (_, n) =>
      n % 2 === 0
        ? testWebhook(scene.context, 'all', other)
        : replayDelivery(scene.context, 'all', id, test.id),
    );
    const ends = await Promise.allSettled(orders);
    const refused = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
    // with the first test
    expect(refused).toHaveLength(40 - 29);
    for (const reason of refused) {
      expect(reason).toMatchObject({ code: 'deliveries_rate_limited', retryAfter: expect.any(Number) });
    }
  });

  it('by many webhooks: two deliveries run at a time for each host, also after their address was changed', async () => {
    const ids = [];
    for (let n = 0; n < 6; n += 1) {
      ids.push((await scene.webhook(undefined, `http://hook${n}.example/events`)).id);
    }
    await scene.record();
    for (const [nth, id] of ids.entries()) {
      const test = await testWebhook(scene.context, 'all', id);
      const failed = nth < 3 ? [test.id] : [];
      await scene.registry.database.query(
        "update webhook_deliveries set state = 'failed' where id = any($1::uuid[])",
        [failed],
      );
      await patchWebhook(scene.context, 'all', id, { url: 'http://hooks.example:8080/other' });
      for (const delivery of failed) await replayDelivery(scene.context, 'all', id, delivery);
    }
    await scene.registry.database.query("update jobs set state = 'ready' where queue = 'webhooks'");
    const queue = openJobQueue({ db: scene.registry.db, name: WEBHOOKS, perResource: 2 });
    expect(await queue.claim(100)).toHaveLength(2);
    // those of another host do not wait for them
    const elsewhere = await scene.webhook(undefined, 'http://elsewhere.example/events');
    await testWebhook(scene.context, 'all', elsewhere.id);
    expect(await queue.claim(100)).toHaveLength(1);
  });

  it('by what it did not take: beyond 10,000 pending deliveries, further ones fail at once and say why', async () => {
    const { id } = await scene.webhook();
    const other = await scene.webhook();
    await scene.record('first.example');
    await scene.registry.database.query(
      `insert into webhook_deliveries (merchant_id, webhook_id, event_id)
        select merchant_id, $1, id from (select merchant_id, id from events limit 1) e, generate_series(2, 10000)`,
      [id],
    );
    await scene.record('next.example');
    const [failed] = await log(id);
    expect(failed).toMatchObject({
      state: 'failed',
      attempts: 0,
      lastAttempt: { code: 'delivery_queue_full' },
    });
    expect((await log(other.id))[0]).toMatchObject({ state: 'pending' });
    for (const order of [
      () => testWebhook(scene.context, 'all', id),
      () => replayDelivery(scene.context, 'all', id, failed?.id ?? ''),
    ]) {
      await expect(order()).rejects.toMatchObject({ code: 'conflict' });
    }
    // an event that nobody gets does not collect those that follow
    await deleteWebhook(scene.context, 'all', other.id);
    await scene.record('last.example');
    await scene.registry.database.query(
      `delete from webhook_deliveries where webhook_id = $1 and state = 'pending'`,
      [id],
    );
    await scene.record('last.example');
    expect((await log(id))[0]).toMatchObject({ state: 'pending' });
  });
});

it('a webhook that is deleted at the same moment is unknown, and interrupts nothing that its merchant does', async () => {
  for (let round = 0; round < 20; round += 1) {
    await scene.reset();
    const { id } = await scene.webhook();
    const ends = await Promise.allSettled([
      scene.record(),
      testWebhook(scene.context, 'all', id),
      deleteWebhook(scene.context, 'all', id),
      scene.record(),
      testWebhook(scene.context, 'all', id),
    ]);
    const faults = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason.code] : []));
    expect(faults.filter((code) => !['webhook_unknown', 'delivery_unknown'].includes(code))).toEqual([]);
  }
});

describe('nothing is lost', () => {
  it('when a node dies between the record and the delivery, or during it', async () => {
    const { id } = await scene.webhook();
    await scene.record();
    const due = "update jobs set state = 'ready' where queue = 'webhooks' and state = 'scheduled'";
    await scene.registry.database.query(due);
    // claimed by a node that is never heard of again
    expect(await scene.queue.claim(10)).toHaveLength(1);
    await endLeases(scene.registry.db);
    // which others search for a few times a second, and at their start
    await openJobQueue({ db: scene.registry.db, name: WEBHOOKS, perResource: 100 }).claim(0);
    expect(await scene.deliverDue()).toBe(1);
    expect((await log(id))[0]).toMatchObject({ state: 'delivered', attempts: 1 });
  });

  it('except with the transaction in which it happened', async () => {
    await scene.webhook();
    await inTransaction(scene.registry.db, async (trx) => {
      const { merchantId, storeId } = scene.shop;
      const detail = { hostname: 'x.example' };
      await recordEvents(trx, [{ type: 'domain.lost', merchantId, storeId, detail, at: scene.now }]);
      throw new Error('changed our mind');
    }).catch(() => {});
    expect(await scene.registry.database.query('select from events')).toEqual([]);
  });

  it('except with its webhook', async () => {
    const { id } = await scene.webhook();
    await scene.record();
    await deleteWebhook(scene.context, 'all', id);
    expect(await scene.registry.database.query("select from jobs where queue = 'webhooks'")).toEqual([]);
    expect(await scene.deliverDue()).toBe(0);
  });
});

it('every kind of event can be subscribed to except the test', () => {
  expect(ASKED_EVENTS).not.toContain('webhook.test');
  expect(ASKED_EVENTS.length).toBeGreaterThan(8);
});
