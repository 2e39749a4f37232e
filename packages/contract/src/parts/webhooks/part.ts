import { stepRows } from '../../code-table.ts';
import type { ContractPart } from '../../part.ts';
import { DELIVERY_FAILURES } from './delivery-failures.ts';
import * as operations from './operations.ts';

export const webhooksPart: ContractPart = {
  name: 'webhooks',
  operations: [
    operations.createWebhook,
    operations.listWebhooks,
    operations.getWebhook,
    operations.updateWebhook,
    operations.deleteWebhook,
    operations.rotateWebhookSecret,
    operations.testWebhook,
    operations.listDeliveries,
    operations.getDelivery,
    operations.replayDelivery,
  ],
  codes: [
    {
      title: 'Failures of deliveries',
      intro: 'In `code` of the last attempt of a delivery to a webhook, together with the next step.',
      advice:
        'Do what the sentence says; pending deliveries are attempted again automatically, others by replay.',
      rows: stepRows(DELIVERY_FAILURES),
    },
  ],
};
