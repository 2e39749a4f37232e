import { z } from 'zod';
import { DELIVERY_ORDERS_PER_MINUTE } from '../../limits.ts';
import { defineOperation, type Wire } from '../../operation.ts';
import { nextCursor, PageQuerySchema, REGISTRY_BASE, uuidParameter } from '../../operations/shared.ts';
import { jsonBytes, text, webUrl } from '../../operations/text-fields.ts';
import { DELIVERY_FAILURES, type DeliveryFailureCode } from './delivery-failures.ts';
import { ASKED_EVENTS, EventTypeSchema } from './events.ts';

const common = { tag: 'Registry', access: 'merchant', noStore: true } as const;

/** Maximum number of webhooks of one merchant. */
export const MAX_WEBHOOKS = 20;
/** Maximum number of pending deliveries of one webhook; further ones fail at once, with a code. */
export const MAX_PENDING_DELIVERIES = 10_000;
/** Default number of hours for which a former secret signs in addition to the current one. */
const FORMER_SECRET_HOURS = 24;

const url = webUrl(1_000).meta({ description: 'The https address to which events are posted.' });
const description = text(300).refine((value) => jsonBytes(value) <= 900, {
  message: 'The description is over 900 bytes',
});
const asked = z
  .array(z.enum(ASKED_EVENTS))
  .min(1)
  .max(50)
  .transform((types) => [...new Set(types)]);

const WebhookCreateSchema = z
  .strictObject({
    merchantId: z.guid(),
    url,
    events: asked.optional().meta({ description: 'Event types; absent: all that exist today.' }),
    description: description.optional(),
  })
  .meta({ id: 'WebhookCreate' });

const WebhookPatchSchema = z
  .strictObject({
    url: url.optional(),
    events: asked.optional(),
    description: description.optional(),
    paused: z.boolean().optional().meta({
      description:
        'true: no events are recorded for it or delivered. false: pending deliveries are attempted again at once.',
    }),
  })
  .meta({ id: 'WebhookPatch' });

const webhook = {
  id: z.uuid(),
  merchantId: z.uuid(),
  url: z.string(),
  description: z.string().optional(),
  events: z.array(EventTypeSchema),
  state: z.enum(['active', 'paused']),
  pausedBecause: z.enum(['asked', 'failing', 'gone']).optional().meta({
    description:
      'asked: paused by PATCH. failing: no attempt succeeded for 5 days. gone: the endpoint answered 410.',
  }),
  pausedAt: z.iso.datetime().optional(),
  failingSince: z.iso.datetime().optional().meta({ description: 'No attempt has succeeded since then.' }),
  deliveredAt: z.iso.datetime().optional().meta({ description: 'When an attempt last succeeded.' }),
  pending: z
    .int()
    .meta({ description: 'Deliveries waiting for their first or next attempt; counted up to 10,000.' }),
  formerSecretUntil: z.iso
    .datetime()
    .optional()
    .meta({ description: 'Until when the former secret signs too.' }),
  createdAt: z.iso.datetime(),
};

const secret = z.string().meta({
  description: 'whsec_…: verifies the signatures (Standard Webhooks). Returned only once; stored encrypted.',
});

const WebhookSchema = z
  .object(webhook)
  .meta({ id: 'Webhook', description: 'An endpoint of a merchant that receives events.' });

const CreatedWebhookSchema = z
  .object({ ...webhook, secret })
  .meta({ id: 'CreatedWebhook', description: 'A webhook, as returned when it is created.' });

const WebhookListSchema = z
  .object({ webhooks: z.array(WebhookSchema), nextCursor })
  .meta({ id: 'WebhookList' });

const WebhookSecretSchema = z
  .object({ id: z.uuid(), secret, formerSecretUntil: z.iso.datetime().optional() })
  .meta({ id: 'WebhookSecret' });

const failureCodes = Object.keys(DELIVERY_FAILURES) as [DeliveryFailureCode, ...DeliveryFailureCode[]];

const delivery = {
  id: z.uuid(),
  webhookId: z.uuid(),
  eventId: z.uuid().meta({ description: 'Sent as webhook-id; the same in every attempt and replay.' }),
  type: EventTypeSchema,
  occurredAt: z.iso.datetime(),
  state: z
    .enum(['pending', 'delivered', 'failed'])
    .meta({ description: 'failed: it was given up and is not attempted again.' }),
  attempts: z.int(),
  lastAttempt: z
    .object({
      at: z.iso.datetime(),
      milliseconds: z.int(),
      status: z.int().optional().meta({ description: 'HTTP status of the endpoint’s response.' }),
      code: z.enum(failureCodes).optional().meta({ description: 'Absent if the attempt succeeded.' }),
      detail: z.string().optional(),
      nextStep: z.string().optional(),
    })
    .optional(),
  nextAttemptAt: z.iso.datetime().optional(),
  createdAt: z.iso.datetime(),
};

const DeliverySchema = z
  .object(delivery)
  .meta({ id: 'WebhookDelivery', description: 'The sending of one event to one webhook; kept for 30 days.' });

const DeliveryWithPayloadSchema = z
  .object({
    ...delivery,
    payload: z.record(z.string(), z.unknown()).meta({ description: 'The body that is sent.' }),
  })
  .meta({ id: 'WebhookDeliveryWithPayload' });

const DeliveryListSchema = z
  .object({ deliveries: z.array(DeliverySchema), nextCursor })
  .meta({ id: 'WebhookDeliveryList' });

const WebhookListQuerySchema = z.strictObject({
  merchantId: z.guid().optional(),
  ...PageQuerySchema.shape,
});

const DeliveryListQuerySchema = z.strictObject({
  state: z.enum(['pending', 'delivered', 'failed']).optional(),
  ...PageQuerySchema.shape,
});

const RotateSecretSchema = z
  .strictObject({
    keepHours: z.number().int().min(0).max(168).default(FORMER_SECRET_HOURS).meta({
      description: 'Hours for which the current secret signs in addition to the new one; 0: it ends at once.',
    }),
  })
  .meta({ id: 'RotateSecret' });

export type WebhookCreate = z.infer<typeof WebhookCreateSchema>;
export type WebhookPatch = z.infer<typeof WebhookPatchSchema>;
export type Webhook = Wire<z.infer<typeof WebhookSchema>>;
export type CreatedWebhook = Wire<z.infer<typeof CreatedWebhookSchema>>;
export type WebhookSecret = Wire<z.infer<typeof WebhookSecretSchema>>;
export type WebhookList = Wire<z.infer<typeof WebhookListSchema>>;
export type WebhookListQuery = z.infer<typeof WebhookListQuerySchema>;
export type Delivery = Wire<z.infer<typeof DeliverySchema>>;
export type DeliveryWithPayload = Wire<z.infer<typeof DeliveryWithPayloadSchema>>;
export type DeliveryList = Wire<z.infer<typeof DeliveryListSchema>>;
export type DeliveryListQuery = z.infer<typeof DeliveryListQuerySchema>;

const WebhookParams = z.object({ webhook_id: uuidParameter('The webhook.') });
const DeliveryParams = z.object({ ...WebhookParams.shape, delivery_id: uuidParameter('The delivery.') });

const PATH = `${REGISTRY_BASE}/webhooks`;
const ONE = `${PATH}/{webhook_id}`;

export const createWebhook = defineOperation({
  ...common,
  id: 'createWebhook',
  method: 'POST',
  path: PATH,
  summary: 'Add a webhook',
  description: `Events of the merchant are posted to it, signed according to [Standard Webhooks](https://www.standardwebhooks.com).
The secret is returned only once, so Idempotency-Key is not supported. A merchant can have at most ${MAX_WEBHOOKS} webhooks.`,
  body: WebhookCreateSchema,
  replies: { 201: { description: 'The webhook and its secret.', schema: CreatedWebhookSchema } },
  errors: ['merchant_unknown', 'webhook_url_refused', 'conflict'],
});

export const listWebhooks = defineOperation({
  ...common,
  id: 'listWebhooks',
  method: 'GET',
  path: PATH,
  summary: 'List webhooks',
  description: 'Webhooks that the key may see, sorted by id.',
  query: WebhookListQuerySchema,
  replies: { 200: { description: 'One page of webhooks.', schema: WebhookListSchema } },
  errors: [],
});

export const getWebhook = defineOperation({
  ...common,
  id: 'getWebhook',
  method: 'GET',
  path: ONE,
  summary: 'Get a webhook',
  params: WebhookParams,
  replies: { 200: { description: 'The webhook.', schema: WebhookSchema } },
  errors: ['webhook_unknown'],
});

export const updateWebhook = defineOperation({
  ...common,
  id: 'updateWebhook',
  method: 'PATCH',
  path: ONE,
  summary: 'Change, pause or resume a webhook',
  params: WebhookParams,
  body: WebhookPatchSchema,
  replies: { 200: { description: 'The webhook.', schema: WebhookSchema } },
  errors: ['webhook_unknown', 'webhook_url_refused'],
});

export const deleteWebhook = defineOperation({
  ...common,
  id: 'deleteWebhook',
  method: 'DELETE',
  path: ONE,
  summary: 'Delete a webhook with its log',
  params: WebhookParams,
  replies: { 204: { description: 'The webhook is deleted; nothing more is sent to it.' } },
  errors: ['webhook_unknown'],
});

export const rotateWebhookSecret = defineOperation({
  ...common,
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: `${ONE}/rotate-secret`,
  summary: 'Rotate the secret of a webhook',
  description: `For \`keepHours\` hours, deliveries carry a signature of each secret, so that the endpoint can change over in the
meantime. If the response is lost, rotate again.`,
  params: WebhookParams,
  body: RotateSecretSchema.optional(),
  replies: { 200: { description: 'The new secret.', schema: WebhookSecretSchema } },
  errors: ['webhook_unknown'],
});

const LIMITED = `At most ${DELIVERY_ORDERS_PER_MINUTE} tests and replays a minute for each merchant, and none while ${MAX_PENDING_DELIVERIES} deliveries are pending.`;

export const testWebhook = defineOperation({
  ...common,
  id: 'testWebhook',
  method: 'POST',
  path: `${ONE}/test`,
  summary: 'Send a test event to a webhook',
  description: `Also possible while the webhook is paused. It is attempted once; the delivery shows the outcome. ${LIMITED}`,
  params: WebhookParams,
  replies: { 202: { description: 'The delivery, to be attempted at once.', schema: DeliverySchema } },
  errors: ['webhook_unknown', 'conflict', 'deliveries_rate_limited'],
});

export const listDeliveries = defineOperation({
  ...common,
  id: 'listDeliveries',
  method: 'GET',
  path: `${ONE}/deliveries`,
  summary: 'List the deliveries of a webhook',
  description: 'The log of the last 30 days, newest first.',
  params: WebhookParams,
  query: DeliveryListQuerySchema,
  replies: { 200: { description: 'One page of deliveries.', schema: DeliveryListSchema } },
  errors: ['webhook_unknown'],
});

export const getDelivery = defineOperation({
  ...common,
  id: 'getDelivery',
  method: 'GET',
  path: `${ONE}/deliveries/{delivery_id}`,
  summary: 'Get a delivery with its payload',
  params: DeliveryParams,
  replies: { 200: { description: 'The delivery.', schema: DeliveryWithPayloadSchema } },
  errors: ['webhook_unknown', 'delivery_unknown'],
});

export const replayDelivery = defineOperation({
  ...common,
  id: 'replayDelivery',
  method: 'POST',
  path: `${ONE}/deliveries/{delivery_id}/replay`,
  summary: 'Deliver an event again',
  description: `Starts at once with the full number of attempts, whatever the earlier outcome; the webhook-id stays the same, so that the endpoint can recognise the event. ${LIMITED}`,
  params: DeliveryParams,
  replies: { 202: { description: 'The delivery, to be attempted at once.', schema: DeliverySchema } },
  errors: ['webhook_unknown', 'delivery_unknown', 'conflict', 'deliveries_rate_limited'],
});
