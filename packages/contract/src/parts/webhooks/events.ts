import type { Wire } from '@touchstone/certificate/schema';
import { z } from 'zod';
import { PRODUCT_STATES } from '../../operations/products.ts';
import { domainPlaces } from '../../operations/stores.ts';
import { DriftSchema } from '../sweeps/operations.ts';

const merchantId = z.uuid();
const storeId = z.uuid();
const product = { productId: z.uuid(), externalProductId: z.string() };
const count = z.int().meta({ description: 'Number of affected items.' });

const FIRST = 'The first 100 items.';
const products = z.array(z.object(product)).meta({ description: FIRST });

const ofProducts = z.object({ merchantId, storeId, count, products });

const pages = z
  .array(
    z.object({
      ...product,
      url: z.string().meta({ description: 'The page of the product.' }),
      expiresAt: z.iso
        .datetime()
        .optional()
        .meta({ description: 'When the proof on the page expires or expired.' }),
    }),
  )
  .meta({ description: FIRST });

const ofPages = z.object({ merchantId, storeId, count, pages });

const ofUnreachablePages = z.object({
  merchantId,
  storeId,
  count,
  pages: z
    .array(
      z.object({
        ...product,
        url: z.string().meta({ description: 'The page of the product.' }),
        since: z.iso.datetime().meta({ description: 'When a sweep could not fetch it for the first time.' }),
        reason: z.string().meta({ description: '`code: sentence`, of the last attempt.' }),
      }),
    )
    .meta({ description: FIRST }),
});

const ofDriftedPages = z.object({
  merchantId,
  storeId,
  count,
  pages: z
    .array(
      z.object({
        ...product,
        url: z.string().meta({ description: 'The page of the product.' }),
        drift: z.array(DriftSchema),
      }),
    )
    .meta({ description: FIRST }),
});

const ofHosts = z.object({
  merchantId,
  storeId,
  count,
  hosts: z
    .array(
      z.object({
        host: z.string(),
        url: z.string(),
        kinds: z.array(z.enum(['certificate', 'pictures', 'name'])),
      }),
    )
    .meta({ description: FIRST }),
});

const ofDomain = z.object({ merchantId, storeId, hostname: z.string() });

const ofMiss = {
  lookedFor: z.string().meta({ description: 'The challenge.' }),
  saw: domainPlaces,
  nextStep: z.string(),
};

interface EventKind {
  /** When it is recorded, in one sentence, and what to do. */
  readonly description: string;
  readonly data: z.ZodType;
}

/**
 * Every event that a webhook can receive. A closed list. Events about several items of a store within a short time are
 * combined into one: it has the count of all items and names the first 100.
 */
export const EVENTS = {
  'certificate.issued': {
    description:
      'Products received a certificate for the first time or again. Continue reading the stream of the store from your cursor.',
    data: ofProducts,
  },
  'certificate.renewed': {
    description:
      'Certificates were replaced, by renewal or after a change. Continue reading the stream of the store from your cursor.',
    data: ofProducts,
  },
  'certificate.withdrawn': {
    description:
      'Products are no longer active: remove their certificates from the pages. Continue reading the stream of the store from your cursor.',
    data: ofProducts,
  },
  'certificate.expiring_on_page': {
    description:
      'A sweep found certificates on pages that expire within two days. Put the current certificates into these pages.',
    data: ofPages,
  },
  'certificate.expired_on_page': {
    description:
      'A sweep found expired certificates on pages. Put the current certificates into these pages.',
    data: ofPages,
  },
  'certificate.lost_on_page': {
    description:
      'A sweep found no certificate on pages that had one. Put the current certificates into these pages.',
    data: ofPages,
  },
  'page.unreachable': {
    description:
      'Sweeps could not fetch pages for a day, for example because they answer 404. It is reported once, and again only after the page was reachable in between. Restore these pages, or remove their products.',
    data: ofUnreachablePages,
  },
  'page.drifted': {
    description:
      'Sweeps found pages that state something else than the catalogue or their certificate, at least twice and 20 hours or more apart. Each difference is reported once. Bring the pages in line, or send the products again.',
    data: ofDriftedPages,
  },
  'product.state_changed': {
    description:
      'Products changed their state. Without `count`, all products of the store are affected: the operator paused the merchant or ended the pause.',
    data: z.object({
      merchantId,
      storeId,
      state: z.enum(PRODUCT_STATES).meta({ description: 'The new state.' }),
      count: count.optional(),
      products,
    }),
  },
  'domain.proven': {
    description: 'The merchant proved control of a hostname, and owns it.',
    data: ofDomain,
  },
  'domain.proof_missing': {
    description:
      'The challenge of a proven hostname was not found when it was looked for again. Put it back before `endsAt`: then the proof ends.',
    data: ofDomain.extend({ ...ofMiss, endsAt: z.iso.datetime() }),
  },
  'domain.proof_ended': {
    description:
      'The challenge of a hostname was not found for 14 days: control of it is no longer proven. Put it back, then verify the domain.',
    data: ofDomain.extend(ofMiss),
  },
  'domain.contested': {
    description:
      'Another merchant proved control of a hostname of this one, whose own challenge was not found. Put it back before `decidedAt`: if it is not found then, the hostname changes hands.',
    data: ofDomain.extend({ ...ofMiss, decidedAt: z.iso.datetime() }),
  },
  'domain.lost': {
    description:
      'Another merchant proved control of a hostname: it is no longer a domain of the store, and products on it are not active.',
    data: ofDomain,
  },
  'domain.issued': {
    description:
      'Certificates were issued for a hostname that the merchant has proven, or for a host below it, by whichever merchant. If you did not order them, ask the operator.',
    data: ofDomain.extend({
      count,
      entries: z
        .array(
          z.object({
            log: z.string().meta({ description: 'The name of the log, such as 2026.' }),
            index: z.int().meta({ description: 'Its place in the log.' }),
            kind: z.string(),
            domain: z.string(),
            kid: z.string(),
            proof: z.string().meta({ description: 'SHA-256 of the proof, base64url.' }),
          }),
        )
        .meta({ description: FIRST }),
    }),
  },
  'image.failed': {
    description:
      'Images could not be scanned and were given up for now. `code` gives the reason; docs/codes.md says what to do.',
    data: z.object({
      merchantId,
      storeId,
      count,
      images: z
        .array(z.object({ imageId: z.uuid(), productId: z.uuid(), url: z.string(), code: z.string() }))
        .meta({ description: FIRST }),
    }),
  },
  'copy.found': {
    description:
      "A page check found certificates of the store on a host that is not the merchant's, for the first time on that host for that product.",
    data: z.object({
      merchantId,
      storeId,
      count,
      copies: z
        .array(z.object({ ...product, host: z.string(), url: z.string() }))
        .meta({ description: FIRST }),
    }),
  },
  'copy.host_found': {
    description:
      'A page check found, on a host that is not the merchant’s, pictures that are certified for the store, or a host name that resembles one of its own; of each kind for the first time. A fact to look at: decide about the host in the list of copies.',
    data: ofHosts,
  },
  'copy.host_gone': {
    description:
      'Two checks in a row, a day apart, found nothing of the store any more on hosts that are not the merchant’s.',
    data: ofHosts,
  },
  'webhook.test': {
    description:
      'A test of this webhook was requested. It is sent whichever event types the webhook subscribes to.',
    data: z.object({ merchantId, webhookId: z.uuid() }),
  },
} as const satisfies Readonly<Record<string, EventKind>>;

export type EventType = keyof typeof EVENTS;

/** The data of an event. */
export type EventData<T extends EventType> = Wire<z.output<(typeof EVENTS)[T]['data']>>;

const types = Object.keys(EVENTS) as [EventType, ...EventType[]];

export const EventTypeSchema = z.enum(types);

/** Events that a webhook can subscribe to. */
export const ASKED_EVENTS = types.filter((type) => type !== 'webhook.test') as [EventType, ...EventType[]];

/** Member of an event's data that lists the affected items; absent if there is none. */
export const ITEMS_OF: Readonly<Partial<Record<EventType, string>>> = {
  'certificate.issued': 'products',
  'certificate.renewed': 'products',
  'certificate.withdrawn': 'products',
  'certificate.expiring_on_page': 'pages',
  'certificate.expired_on_page': 'pages',
  'certificate.lost_on_page': 'pages',
  'page.unreachable': 'pages',
  'page.drifted': 'pages',
  'product.state_changed': 'products',
  'domain.issued': 'entries',
  'image.failed': 'images',
  'copy.found': 'copies',
  'copy.host_found': 'hosts',
  'copy.host_gone': 'hosts',
};

/** The body of a delivery (Standard Webhooks, "Payload structure"). */
export function eventSchema(type: EventType) {
  return z.object({
    type: z.literal(type),
    timestamp: z.iso
      .datetime()
      .meta({ description: 'When the event, or the first of combined events, happened.' }),
    data: EVENTS[type].data,
  });
}
