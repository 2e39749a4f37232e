import { join } from 'node:path';
import type { Schema } from './platform/database/migrate.ts';

const schema = (capability: string, folder: string): Schema => ({
  capability,
  folder: join(import.meta.dirname, folder),
});

/** All schemas, each after those whose tables and functions it refers to. */
export const SCHEMAS: readonly Schema[] = [
  schema('rate-limits', 'platform/database'),
  schema('idempotency', 'platform/http'),
  schema('nodes', 'platform/health'),
  schema('jobs', 'platform/jobs'),
  schema('keys', 'core/keys'),
  schema('registry', 'core/registry'),
  schema('images', 'core/images'),
  schema('certificates', 'core/certificates'),
  schema('page-checks', 'core/page-checks'),
  schema('nft', 'parts/nft'),
  schema('shopify', 'parts/shopify'),
  schema('sources', 'parts/sources'),
  schema('sweeps', 'parts/sweeps'),
  schema('webhooks', 'parts/webhooks'),
  // counts pages of sweeps
  schema('console', 'parts/console'),
];
