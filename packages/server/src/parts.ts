import { join } from 'node:path';
import { certificateOrders } from './core/certificates/order-certificates.ts';
import { imageScans } from './core/images/order-scans.ts';
import type { Part } from './core/part.ts';
import { type Emit, emitTo } from './core/registry/events.ts';
import { consolePart } from './parts/console/part.ts';
import { copiesPart } from './parts/copies/part.ts';
import { itemsPart } from './parts/items/part.ts';
import { nftPart } from './parts/nft/part.ts';
import { pagesPart } from './parts/pages/part.ts';
import { pictureMatchesPart } from './parts/picture-matches/part.ts';
import { publishPart } from './parts/publish/part.ts';
import { receiptsPart } from './parts/receipts/part.ts';
import { shopifyPart } from './parts/shopify/part.ts';
import { sitesPart } from './parts/sites/part.ts';
import { sourcesPart } from './parts/sources/part.ts';
import { statusListsPart } from './parts/status-lists/part.ts';
import { sweepsPart } from './parts/sweeps/part.ts';
import { transparencyLogPart } from './parts/transparency-log/part.ts';
import { ucpPart } from './parts/ucp/part.ts';
import { webhooksPart } from './parts/webhooks/part.ts';
import type { Schema } from './platform/database/schema-files.ts';
import { type Config, parseConfig, type Settings } from './platform/settings/config.ts';

/** All parts of the service, in the order in which they are opened. What none of them does, the core does. */
export const PARTS: readonly Part[] = [
  sourcesPart,
  shopifyPart,
  nftPart,
  statusListsPart,
  transparencyLogPart,
  receiptsPart,
  sitesPart,
  itemsPart,
  ucpPart,
  sweepsPart,
  copiesPart,
  pictureMatchesPart,
  webhooksPart,
  publishPart,
  consolePart,
  pagesPart,
];

/** The parts that this service has: all but those in TOUCHSTONE_WITHOUT. */
export function presentParts({ without }: Pick<Config, 'without'>): readonly Part[] {
  return PARTS.filter(({ name }) => !without.includes(name));
}

/**
 * Calls the listeners of the core, then those of the parts that this service has, in the transaction in which something happens.
 */
export function emitterOf(config: Pick<Config, 'without'> & Partial<Pick<Config, 'ofParts'>>): Emit {
  const isListening = ({ listensWith: setting }: Part) =>
    setting === undefined || config.ofParts?.[setting] !== undefined;
  const listeners = presentParts(config)
    .filter(isListening)
    .flatMap((part) => part.listeners ?? []);
  return emitTo([imageScans, certificateOrders, ...listeners]);
}

/**
 * Reads the settings of the core and of the parts.
 *
 * @throws ConfigError listing all faults, each with what to do
 */
export function readConfig(settings: Settings): Config {
  return parseConfig(settings, PARTS);
}

const schema = (capability: string, folder: string): Schema => ({
  capability,
  folder: join(import.meta.dirname, folder),
});

/** All schemas, each after those whose tables and functions it refers to. */
export const SCHEMAS: readonly Schema[] = [
  schema('changes', 'platform/cache'),
  schema('rate-limits', 'platform/database'),
  schema('idempotency', 'platform/http'),
  schema('nodes', 'platform/health'),
  schema('jobs', 'platform/jobs'),
  schema('keys', 'core/keys'),
  schema('registry', 'core/registry'),
  schema('images', 'core/images'),
  schema('certificates', 'core/certificates'),
  schema('page-checks', 'core/page-checks'),
  ...PARTS.filter(({ hasTables }) => hasTables === true).map(({ name }) => schema(name, `parts/${name}`)),
];
