import { afterAll, beforeAll, expect, it } from 'vitest';
import { purgeDeliveries } from './purge.ts';
import { type WebhookScene, webhookScene } from './testing.ts';

let scene: WebhookScene;
beforeAll(async () => {
  scene = await webhookScene();
});
afterAll(() => scene.close());

it('deliveries are listed for 30 days, and deleted with their jobs and the events that nothing refers to any more', async () => {
  const { query } = scene.registry.database;
  await scene.webhook();
  await scene.webhook();
  await scene.record('old.example');
  await scene.record('half.example');
  await scene.record('new.example');
  await scene.deliverDue();
  const age = `update webhook_deliveries set created_at = now() - interval '31 days' where event_id in
    (select id from events where subject = $1)`;
  await query(age, ['old.example']);
  await query(
    `update webhook_deliveries set created_at = now() - interval '31 days' where nth = (
       select min(nth) from webhook_deliveries where event_id = (select id from events where subject = 'half.example'))`,
  );
  expect(await purgeDeliveries(scene.registry.db, new Date())).toBe(3);
  expect((await query('select subject from events order by subject')).map(({ subject }) => subject)).toEqual([
    'half.example',
    'new.example',
  ]);
  expect(await query("select from jobs where queue = 'webhooks'")).toHaveLength(3);
  expect(await purgeDeliveries(scene.registry.db, new Date())).toBe(0);
});
