import { z } from 'zod';
import { defineOperation } from '../../operation.ts';
import { REGISTRY_BASE } from '../../operations/shared.ts';
import { StoreParams } from '../../operations/stores.ts';

/** The formats of the feed of a store. */
export const FEED_FORMATS = ['jsonl', 'google', 'ucp'] as const;

/** One of `FEED_FORMATS`. */
export type FeedFormat = (typeof FEED_FORMATS)[number];

/** Name of the header with the number of products that a whole feed leaves out. */
export const FEED_LEFT_OUT = 'touchstone-left-out';

const StoreFeedQuerySchema = z.strictObject({
  format: z.enum(FEED_FORMATS).default('jsonl').meta({
    description:
      'jsonl: an item per line, with attributes of Google’s specification and `svc:certificate`. google: RSS 2.0 with `g:` attributes and `svc:certificate` in the namespace of this service. ucp: a catalog response of UCP, the certificates in `metadata`.',
  }),
  since: z
    .string()
    .max(200)
    .optional()
    .meta({ description: 'Cursor of an earlier answer, or of the stream of certificates.' }),
});

export const getStoreFeed = defineOperation({
  id: 'getStoreFeed',
  method: 'GET',
  tag: 'Registry',
  access: 'merchant',
  cacheControl: 'private, no-cache',
  path: `${REGISTRY_BASE}/stores/{store_id}/feed`,
  summary: 'Get the products of a store as a feed, each with its certificate',
  description: `Returns the products of a store that have a current certificate, in the order of the stream of certificates
(\`streamCertificates\`), issuing those that are due along the way. What is signed is stated as it was signed; price and availability as the
registry has them. What the registry does not have (descriptions, shipping, conditions) is absent. Products without a certificate are left out; \`${FEED_LEFT_OUT}\` counts
them. UCP requires a price: products without one are left out, too.

\`Link: …; rel="next"\` is the address of what changes after this answer; with \`since\` the answer holds only that: certificates that are new
or were replaced, and products to remove (jsonl: lines with \`status\` \`withdrawn\` and a last one \`end\`; google: \`svc:withdrawn\`; ucp: a member by
the reversed host of the service). Price and availability that are not signed change no certificate: read the whole feed for them. Each jsonl
line, and \`svc:end\` of google and \`pagination\` of ucp at their ends, has a cursor, too. An answer that breaks off is not complete.`,
  params: StoreParams,
  query: StoreFeedQuerySchema,
  replies: {
    200: {
      description: 'The feed: application/x-ndjson, application/xml or application/json.',
      mediaType: 'application/*',
    },
    304: { description: 'Nothing has changed since the answer with this ETag.' },
  },
  errors: ['store_unknown', 'bad_request', 'signer_unavailable'],
});
