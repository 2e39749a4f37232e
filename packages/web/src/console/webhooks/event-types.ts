import type { EventType } from '@touchstone/contract';

/** The event types that a webhook can subscribe to; a missing or unknown type is a compile error. */
const SELECTABLE = {
  'certificate.issued': true,
  'certificate.renewed': true,
  'certificate.withdrawn': true,
  'certificate.expiring_on_page': true,
  'certificate.expired_on_page': true,
  'certificate.lost_on_page': true,
  'page.unreachable': true,
  'page.drifted': true,
  'product.state_changed': true,
  'domain.proven': true,
  'domain.proof_missing': true,
  'domain.proof_ended': true,
  'domain.contested': true,
  'domain.lost': true,
  'image.failed': true,
  'copy.found': true,
  'copy.host_found': true,
  'copy.host_gone': true,
  'domain.issued': true,
} as const satisfies Readonly<Record<Exclude<EventType, 'webhook.test'>, true>>;

export const SELECTABLE_EVENTS = Object.keys(SELECTABLE) as (keyof typeof SELECTABLE)[];
