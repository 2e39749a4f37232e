import { webhooksPart as contract } from '@touchstone/contract';
import type { Part } from '../../core/part.ts';
import { settingsIn } from '../../platform/settings/config.ts';
import { flag } from '../../platform/settings/setting-types.ts';
import { webhookEvents } from './record-events.ts';

const SETTINGS = {
  WEBHOOK_HTTP: flag
    .default(false)
    .describe(
      'Whether webhook addresses may be without TLS; for development: deliveries then reach only this machine.',
    ),
};

/** Merchants' endpoints for events, and deliveries to them. */
export const webhooksPart: Part = {
  ...contract,
  hasTables: true,
  settings: SETTINGS,
  listeners: webhookEvents,
  async open({ config, db, clock, logger, metrics, secrets, fetchers }) {
    const { openWebhooks } = await import('./open-webhooks.ts');
    const { WEBHOOK_HTTP: allowHttp } = settingsIn(SETTINGS, config);
    const { seal, hash } = secrets;
    return openWebhooks({ db, clock, logger, metrics, seal, hash, client: fetchers.endpoints, allowHttp });
  },
};
