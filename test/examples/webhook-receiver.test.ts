import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { eventSchema } from '@touchstone/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli } from '../../packages/cli/src/testing.ts';
import { ROOT } from '../kit/imports.ts';
import { freePort } from '../kit/servers.ts';
import { openScene, type Scene, type SceneStore } from '../kit/service.ts';

let scene: Scene;
let store: SceneStore;
let port: number;
let receiver: ChildProcess | undefined;

beforeAll(async () => {
  port = await freePort();
  scene = await openScene({
    TOUCHSTONE_WEBHOOK_HTTP: 'true',
    TOUCHSTONE_FETCH_CONNECT_TO: `shop.example=127.0.0.1:1,hooks.example=127.0.0.1:${port}`,
  });
  store = await scene.store('shop.example', { proven: false });
});
afterAll(async () => {
  receiver?.kill();
  await scene.close();
});

/** Returns a function that waits for the example's next output line. */
function receive(secret: string): () => Promise<string> {
  const script = join(ROOT, 'examples/webhook-receiver.ts');
  const env = { ...process.env, WEBHOOK_SECRET: secret };
  receiver = spawn(process.execPath, [script, String(port)], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: receiver.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  return async () => String((await lines.next()).value);
}

it('examples/webhook-receiver.ts prints signed events, and refuses others', async () => {
  const { TOUCHSTONE_SERVICE, TOUCHSTONE_KEY } = {
    TOUCHSTONE_SERVICE: scene.service.url,
    TOUCHSTONE_KEY: scene.service.operatorKey ?? '',
  };
  const cli = (...words: string[]) => runCli(words, { env: { TOUCHSTONE_SERVICE, TOUCHSTONE_KEY } });
  const url = 'http://hooks.example/events';
  const made = (
    await cli('webhooks', 'create', '--merchant-id', store.merchantId, '--url', url, '--json')
  ).json();
  const nextLine = receive(String(made.secret));
  expect(await nextLine()).toBe('listening');

  const { id } = await store.product('kettle');
  await scene.operate('PATCH', `/products/${id}`, { visible: false });
  const [, type, data] = /^(\S+) (.+)$/.exec(await nextLine()) ?? [];
  expect([type, JSON.parse(data ?? '')]).toEqual([
    'product.state_changed',
    {
      merchantId: store.merchantId,
      storeId: store.id,
      state: 'hidden',
      count: 1,
      products: [{ productId: id, externalProductId: 'kettle' }],
    },
  ]);
  const { data: schema } = eventSchema('product.state_changed').shape;
  expect(schema.safeParse(JSON.parse(data ?? '')).success).toBe(true);

  await fetch(`http://127.0.0.1:${port}/events`, {
    method: 'POST',
    body: '{"type":"product.state_changed"}',
  });
  expect(await nextLine()).toBe('refused: not signed by the service');
  // the receiver prints an event before the service has its response
  await expect
    .poll(async () => (await cli('webhooks', 'deliveries', String(made.id))).out)
    .toContain('delivered (1)  204');
});
