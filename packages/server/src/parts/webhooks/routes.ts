import * as contract from '@touchstone/contract';
import { scopeOf } from '../../platform/http/access.ts';
import { accepted, created, implement, NO_CONTENT, ok } from '../../platform/http/implement.ts';
import type { Route } from '../../platform/http/route.ts';
import { getDelivery, listDeliveries, replayDelivery, testWebhook } from './deliveries.ts';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  patchWebhook,
  rotateSecret,
  type WebhookContext,
} from './webhooks.ts';

export function webhookRoutes(context: WebhookContext): Route[] {
  return [
    implement(contract.createWebhook, async ({ body }, call) =>
      created(await createWebhook(context, scopeOf(call.identity), body)),
    ),
    implement(contract.listWebhooks, async ({ query }, call) =>
      ok(await listWebhooks(context, scopeOf(call.identity), query)),
    ),
    implement(contract.getWebhook, async ({ params }, call) =>
      ok(await getWebhook(context, scopeOf(call.identity), params.webhook_id)),
    ),
    implement(contract.updateWebhook, async ({ params, body }, call) =>
      ok(await patchWebhook(context, scopeOf(call.identity), params.webhook_id, body)),
    ),
    implement(contract.deleteWebhook, async ({ params }, call) => {
      await deleteWebhook(context, scopeOf(call.identity), params.webhook_id);
      return NO_CONTENT;
    }),
    implement(contract.rotateWebhookSecret, async ({ params, body }, call) =>
      ok(await rotateSecret(context, scopeOf(call.identity), params.webhook_id, body?.keepHours ?? 24)),
    ),
    implement(contract.testWebhook, async ({ params }, call) =>
      acceptedDelivery(await testWebhook(context, scopeOf(call.identity), params.webhook_id)),
    ),
    ...deliveryRoutes(context),
  ];
}

/** A delivery that was ordered, and the address at which its result can be read. */
function acceptedDelivery(delivery: contract.Delivery) {
  const { webhookId, id } = delivery;
  return accepted(
    delivery,
    contract.pathOf(contract.getDelivery, { webhook_id: webhookId, delivery_id: id }),
  );
}

function deliveryRoutes(context: WebhookContext): Route[] {
  return [
    implement(contract.listDeliveries, async ({ params, query }, call) =>
      ok(await listDeliveries(context, scopeOf(call.identity), params.webhook_id, query)),
    ),
    implement(contract.getDelivery, async ({ params }, call) =>
      ok(await getDelivery(context, scopeOf(call.identity), params.webhook_id, params.delivery_id)),
    ),
    implement(contract.replayDelivery, async ({ params }, call) =>
      acceptedDelivery(
        await replayDelivery(context, scopeOf(call.identity), params.webhook_id, params.delivery_id),
      ),
    ),
  ];
}
