import type { z } from 'zod';
import { defineOperation, type Wire } from '../../operation.ts';
import { BROWSER_OPERATION, NOT_MODIFIED, PAGE_REPLY, PUBLIC_BASE } from '../../operations/shared.ts';
import {
  ItemAttestedSchema,
  PageAttestedSchema,
  UcpProfileSchema,
  UcpSignalsSchema,
  type UcpStatementSchema,
} from './schemas.ts';

/** Of our extension; also a part of the addresses of its documents, which never change. */
export const UCP_EXTENSION_VERSION = '2026-11-28';
/** UCP's last release. */
export const UCP_VERSION = '2026-04-08';
const FOLDER = `/ucp/${UCP_EXTENSION_VERSION}`;

/** UCP has platforms refuse redirects, and documents that shared caches may not keep for a minute. */
const DOCUMENT = {
  method: 'GET',
  access: 'public',
  anyOrigin: true,
  anyQuery: true,
  cacheControl: 'public, max-age=3600',
} as const;
const NAMED = ['commerce_name_absent'] as const;

export const getUcpProfile = defineOperation({
  ...DOCUMENT,
  id: 'getUcpProfile',
  tag: 'Keys',
  path: '/.well-known/ucp',
  summary: 'Get the profile of this service in UCP',
  description: `What this service adds to the Universal Commerce Protocol: an extension by which products carry certificates, and the
public keys of its signals. It sells nothing, so there are no services. Returns 404 if the address of the service gives no name in UCP.`,
  replies: {
    200: {
      description: 'The profile, which is a JWKS too; may be cached for an hour.',
      schema: UcpProfileSchema,
    },
    304: NOT_MODIFIED,
  },
  errors: [...NAMED, 'keys_unavailable'],
});

const SCHEMA_REPLIES = {
  200: { description: 'The JSON Schema (2020-12).', mediaType: 'application/json' },
  304: NOT_MODIFIED,
} as const;

export const getUcpSchema = defineOperation({
  ...DOCUMENT,
  id: 'getUcpSchema',
  tag: 'Certificates',
  path: `${FOLDER}/product_certificate.json`,
  summary: 'Get the schema of our UCP extension',
  replies: SCHEMA_REPLIES,
  errors: NAMED,
});

export const getAcpSchema = defineOperation({
  ...DOCUMENT,
  id: 'getAcpSchema',
  tag: 'Certificates',
  path: `/acp/${UCP_EXTENSION_VERSION}/product_certificate.json`,
  summary: 'Get the schema of our ACP extension',
  description:
    'With the declaration of the extension, for `capabilities.extensions` of a checkout session of the Agentic Commerce Protocol.',
  replies: SCHEMA_REPLIES,
  errors: NAMED,
});

/** What both extensions mean, for people. */
export const getUcpSpecification = defineOperation({
  ...BROWSER_OPERATION,
  id: 'ucpSpecification',
  path: `${FOLDER}/product_certificate`,
  summary: 'Certificates in commerce protocols',
  anyOrigin: true,
  replies: PAGE_REPLY,
  errors: NAMED,
});

const attested = {
  method: 'POST',
  access: 'public',
  anyOrigin: true,
  noStore: true,
  tag: 'Verification',
} as const;

const SIGNALS = `The answer has a member for \`signals\` of a request in UCP: a statement of what was concluded, signed (JWS, ES256) with
a key of \`/.well-known/ucp\`, which a business verifies by itself. It says no more than the verdict, and is valid for 15 minutes.`;
const ATTESTED = ['commerce_name_absent', 'signer_unavailable', 'keys_unavailable'] as const;

export const attestPage = defineOperation({
  ...attested,
  id: 'attestPage',
  path: `${PUBLIC_BASE}/ucp/page-signals`,
  summary: 'Check a page, and sign what was concluded',
  description: SIGNALS,
  body: PageAttestedSchema,
  replies: { 200: { description: 'The signed statement.', schema: UcpSignalsSchema } },
  errors: [...ATTESTED, 'fresh_rate_limited', 'fetch_budget_spent', 'network_unavailable'],
});

export const attestItem = defineOperation({
  ...attested,
  id: 'attestItem',
  path: `${PUBLIC_BASE}/ucp/item-signals`,
  summary: 'Verify an item, and sign what was concluded',
  description: `${SIGNALS} The page of the item is not seen, so the conclusion is never good.`,
  body: ItemAttestedSchema,
  replies: { 200: { description: 'The signed statement.', schema: UcpSignalsSchema } },
  errors: [...ATTESTED, 'item_unreadable', 'part_left_out'],
});

/** The claims of a signed statement. */
export type UcpStatement = Wire<z.output<typeof UcpStatementSchema>>;
export type UcpProfile = Wire<z.output<typeof UcpProfileSchema>>;
/** The answer of `attestPage` and `attestItem`. */
export type UcpSignals = Wire<z.output<typeof UcpSignalsSchema>>;
