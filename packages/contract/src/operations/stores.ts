import { z } from 'zod';
import { DOMAIN_FINDINGS } from '../domain-findings.ts';
import { defineOperation, type Wire } from '../operation.ts';
import { LARGE_CHANGE, pendingChanges, RegistryChangeSchema } from './changes.ts';
import { nextCursor, PageQuerySchema, REGISTRY_BASE, uuidParameter } from './shared.ts';
import { hostname, jsonBytes, siteUrl, text } from './text-fields.ts';

const common = { tag: 'Registry', access: 'merchant', noStore: true } as const;

const platform = z.enum(['shopify', 'woocommerce', 'custom']);

/** Bytes. With the limits of a product row, a proof stays under the 8 KB that verifiers accept. */
const URL_BYTES = 500;
const NAME_BYTES = 900;

const name = text(300).refine((value) => jsonBytes(value) <= NAME_BYTES, {
  message: `The name exceeds ${NAME_BYTES} bytes`,
});
const url = siteUrl(URL_BYTES).refine((value) => jsonBytes(value) <= URL_BYTES, {
  message: `The URL exceeds ${URL_BYTES} bytes`,
});

const signImages = z
  .boolean()
  .meta({ description: 'Whether the service signs images that have no C2PA manifest.' });

const signRemoteManifests = z.boolean().meta({
  description:
    'With signImages: whether images that refer to a C2PA manifest stored elsewhere are signed too. Ours then replaces it.',
});

const signPrices = z.boolean().meta({
  description:
    'Whether certificates sign the price that the store sent of a product, with its date, as additional properties.',
});

export const StoreCreateSchema = z
  .strictObject({
    merchantId: z.guid(),
    name,
    url: url.meta({ description: 'Home page; its host becomes the first domain.' }),
    platform: platform.optional(),
    signImages: signImages.optional(),
    signRemoteManifests: signRemoteManifests.optional(),
    signPrices: signPrices.optional(),
  })
  .meta({ id: 'StoreCreate' });

const headerValue = z
  .string()
  .trim()
  .min(1)
  .max(4000)
  .regex(/^[\x20-\x7e]+$/, 'The value of a header must be printable ASCII');

/**
 * A precomputed signature (RFC 9421), as platforms create for a merchant's own crawlers. Only these three headers are
 * allowed: any other header would be sent with the service's own authority.
 */
const RequestHeadersSchema = z
  .strictObject({
    'Signature-Input': headerValue,
    Signature: headerValue,
    'Signature-Agent': headerValue,
  })
  .superRefine((headers, context) => {
    const label = /^\s*([a-z*][a-z0-9_.*-]*)=\(/.exec(headers['Signature-Input'])?.[1];
    if (label === undefined)
      context.addIssue({
        code: 'custom',
        path: ['Signature-Input'],
        message: 'It must begin like sig1=("@authority" …)',
      });
    else if (!headers.Signature.startsWith(`${label}=:`))
      context.addIssue({
        code: 'custom',
        path: ['Signature'],
        message: `It must begin like ${label}=:…:`,
      });
  })
  .meta({ id: 'RequestHeaders' });

const RequestHeadersViewSchema = z
  .object({
    signatureAgent: z
      .string()
      .meta({ description: 'Whose keys verify the signature. The other headers are not returned.' }),
    expiresAt: z.iso.datetime().optional().meta({ description: 'From `expires` of the signature.' }),
    state: z.enum(['sent', 'expired', 'no_proven_domain']).meta({
      description: 'no_proven_domain: sent as soon as control of a hostname of the store is proven.',
    }),
    sentTo: z.array(z.string()).meta({ description: 'Hostnames to which they are sent, over https only.' }),
  })
  .meta({ id: 'RequestHeadersView' });

const StorePatchSchema = z
  .strictObject({
    name: name.optional(),
    url: url.optional(),
    platform: platform.optional(),
    signImages: signImages.optional(),
    signRemoteManifests: signRemoteManifests.optional(),
    signPrices: signPrices.optional(),
    requestHeaders: RequestHeadersSchema.nullable().optional().meta({
      description:
        'Signature headers that the platform issued for this shop (Shopify: Online Store, Preferences, Crawler access). They replace our own signature in requests to the proven hostnames of the store. null removes them.',
    }),
  })
  .meta({ id: 'StorePatch' });

const method = z.enum(['well_known', 'meta_tag', 'dns_txt']);

/** What was found at each place where the challenge was looked for. */
export const domainPlaces = z.array(
  z
    .object({
      method,
      where: z.string(),
      found: z.boolean(),
      code: z
        .string()
        .meta({ description: 'What was found, or why the host did not answer (docs/codes.md).' }),
      value: z.string().optional().meta({ description: 'The value found: text from the host, truncated.' }),
      detail: z.string().meta({ description: 'The sentence of the code, with the value.' }),
    })
    .meta({
      example: {
        method: 'well_known',
        where: 'https://shop.example/.well-known/touchstone-challenge',
        found: true,
        code: 'challenge_in_file',
        detail: DOMAIN_FINDINGS.challenge_in_file,
      },
    }),
);

const DomainSchema = z
  .object({
    hostname: z.string(),
    verified: z.boolean().meta({
      description: 'Whether the merchant has proven that it controls the host, and the proof counts.',
    }),
    challenge: z.string().meta({ description: 'The value to keep on the host as proof of control.' }),
    confirmedAt: z.iso.datetime().optional().meta({ description: 'When the challenge was last found.' }),
    missing: z
      .object({
        since: z.iso.datetime(),
        until: z.iso
          .datetime()
          .meta({ description: 'When the proof ends, unless the challenge is found before.' }),
        saw: domainPlaces,
        nextStep: z.string(),
      })
      .optional()
      .meta({
        description: 'The challenge was not found when it was last looked for. The proof still counts.',
      }),
    lostAt: z.iso
      .datetime()
      .optional()
      .meta({ description: 'Since when the host belongs to another merchant, who proved control of it.' }),
    decidedAt: z.iso.datetime().optional().meta({
      description:
        'Another merchant owns the host, and this one proved control of it, or the other way round: when it is decided whose it is.',
    }),
  })
  .meta({ id: 'Domain', description: 'A host with product pages of a store.' });

const StoreSchema = z
  .object({
    id: z.uuid(),
    merchantId: z.uuid(),
    name: z.string(),
    url: z.string(),
    platform,
    signImages,
    signRemoteManifests,
    signPrices: signPrices.optional(),
    domains: z.array(DomainSchema),
    requestHeaders: RequestHeadersViewSchema.optional(),
    createdAt: z.iso.datetime(),
    pendingChanges,
  })
  .meta({ id: 'Store', description: 'One shop of a merchant.' });

const DomainCreateSchema = z.strictObject({ hostname }).meta({ id: 'DomainCreate' });

const DomainProofSchema = z
  .object({
    verified: z
      .boolean()
      .meta({ description: 'Whether the challenge was found now, and makes the merchant the owner.' }),
    method: method.optional(),
    lookedFor: z.string().meta({ description: 'The challenge.' }),
    saw: domainPlaces,
    provenUntil: z.iso
      .datetime()
      .optional()
      .meta({ description: 'The challenge was not found, but an earlier proof still counts until then.' }),
    decidedAt: z.iso.datetime().optional().meta({
      description:
        'The challenge was found, but another merchant owns the host: when it is decided whose it is.',
    }),
    nextStep: z.string(),
  })
  .meta({ id: 'DomainProof', description: 'What was looked for, where, and what was found.' });

const DomainCheckSchema = z
  .object({
    checkedAt: z.iso.datetime(),
    reason: z.enum(['requested', 'scheduled', 'contested']).meta({
      description:
        'requested: by a call. scheduled: by the service. contested: because another merchant proved control of the host.',
    }),
    outcome: z.enum(['found', 'missed', 'undecided']).meta({
      description: 'undecided: the network of the service failed. It counts as neither.',
    }),
    method: method.optional().meta({ description: 'Where the challenge was found.' }),
    saw: domainPlaces.optional().meta({ description: 'What was found instead.' }),
  })
  .meta({ id: 'DomainCheck' });

const DomainCheckListSchema = z
  .object({ checks: z.array(DomainCheckSchema), nextCursor })
  .meta({ id: 'DomainCheckList' });

const DomainCheckQuerySchema = z.strictObject({
  cursor: z
    .string()
    .regex(/^\d{1,18}$/)
    .optional()
    .meta({ description: '`nextCursor` of the previous page.' }),
  limit: PageQuerySchema.shape.limit,
});

const StoreSummarySchema = z
  .object({
    id: z.uuid(),
    merchantId: z.uuid(),
    name: z.string(),
    url: z.string(),
    platform,
  })
  .meta({ id: 'StoreSummary', description: 'A store as listed; GET …/stores/{id} returns all members.' });

const StoreListSchema = z
  .object({
    stores: z.array(StoreSummarySchema),
    nextCursor,
  })
  .meta({ id: 'StoreList' });

const StoreListQuerySchema = z.strictObject({
  merchantId: z.uuid().optional(),
  ...PageQuerySchema.shape,
});

export type StoreCreate = z.infer<typeof StoreCreateSchema>;
export type RequestHeaders = z.infer<typeof RequestHeadersSchema>;
export type RequestHeadersView = Wire<z.infer<typeof RequestHeadersViewSchema>>;
export type StorePatch = z.infer<typeof StorePatchSchema>;
export type Store = Wire<z.infer<typeof StoreSchema>>;
export type DomainView = Wire<z.infer<typeof DomainSchema>>;
export type DomainProof = Wire<z.infer<typeof DomainProofSchema>>;
export type DomainCheckList = Wire<z.infer<typeof DomainCheckListSchema>>;
export type DomainCheckQuery = z.infer<typeof DomainCheckQuerySchema>;
export type StoreList = Wire<z.infer<typeof StoreListSchema>>;
export type StoreListQuery = z.infer<typeof StoreListQuerySchema>;

export const StoreParams = z.object({ store_id: uuidParameter('The store.') });

export const createStore = defineOperation({
  ...common,
  id: 'createStore',
  method: 'POST',
  path: `${REGISTRY_BASE}/stores`,
  summary: 'Add a store',
  description: `The host of its address becomes its first domain, with a challenge for proving control. A merchant has one store for
each address, scheme and trailing slash aside: otherwise each of its products would be certified twice and hold two seats. Stores
on one host with different paths share the proof of control of that host.`,
  idempotent: true,
  body: StoreCreateSchema,
  replies: { 201: { description: 'The store.', schema: StoreSchema } },
  errors: ['merchant_unknown', 'store_exists'],
});

export const listStores = defineOperation({
  ...common,
  id: 'listStores',
  method: 'GET',
  path: `${REGISTRY_BASE}/stores`,
  summary: 'List stores',
  description: 'Stores that the key may see, sorted by id.',
  query: StoreListQuerySchema,
  replies: { 200: { description: 'One page of stores.', schema: StoreListSchema } },
  errors: [],
});

export const getStore = defineOperation({
  ...common,
  id: 'getStore',
  method: 'GET',
  path: `${REGISTRY_BASE}/stores/{store_id}`,
  summary: 'Get a store',
  params: StoreParams,
  replies: { 200: { description: 'The store.', schema: StoreSchema } },
  errors: ['store_unknown'],
});

export const updateStore = defineOperation({
  ...common,
  id: 'updateStore',
  method: 'PATCH',
  path: `${REGISTRY_BASE}/stores/{store_id}`,
  summary: 'Change a store',
  description: `The host of a new address is added to the domains of the store. ${LARGE_CHANGE}`,
  params: StoreParams,
  body: StorePatchSchema,
  replies: {
    200: { description: 'The store.', schema: StoreSchema },
    202: { description: 'The store; its products still follow the change.', schema: StoreSchema },
  },
  errors: ['store_unknown', 'store_exists', 'conflict'],
});

export const deleteStore = defineOperation({
  ...common,
  id: 'deleteStore',
  method: 'DELETE',
  path: `${REGISTRY_BASE}/stores/{store_id}`,
  summary: 'Delete a store with its products',
  description: `Its products return 404 at once. ${LARGE_CHANGE}`,
  params: StoreParams,
  replies: {
    202: {
      description: 'The store is deleted; seats of its products are still being reassigned.',
      schema: RegistryChangeSchema,
    },
    204: { description: 'The store is deleted; its products return 404.' },
  },
  errors: ['store_unknown'],
});

const VERIFY = `Looks for the challenge at \`/.well-known/touchstone-challenge\`, in \`<meta name="touchstone-challenge">\` in
the head of the home page, and in the TXT record \`_touchstone-challenge.<hostname>\`, until it is found. The first
merchant to prove a hostname owns it; stores of others lose it, and their products on it are no longer active. The
service looks for the challenge again within 10 days of finding it, and by this call at once; 14 days after the first
check in a row that did not find it, the proof ends. If another merchant owns the hostname, the challenge of that
merchant is looked for at once and an hour later: if it is found neither time, and that of this merchant both times, the
hostname changes hands; otherwise the answer is a 409.

Requests to the host count against the budgets of page fetches. While another verification of the same hostname is in
progress for this merchant, the answer is 409 \`conflict\`.`;

export const addDomain = defineOperation({
  ...common,
  id: 'addDomain',
  method: 'POST',
  path: `${REGISTRY_BASE}/stores/{store_id}/domains`,
  summary: 'Add a domain to a store',
  description:
    'A hostname that another merchant has proven can be added, with `lostAt`: products on it are not active until this merchant proves it, too, and the other no longer can.',
  idempotent: true,
  params: StoreParams,
  body: DomainCreateSchema,
  replies: { 201: { description: 'The domain and its challenge.', schema: DomainSchema } },
  errors: ['store_unknown', 'conflict'],
});

export const removeDomain = defineOperation({
  ...common,
  id: 'removeDomain',
  method: 'DELETE',
  path: `${REGISTRY_BASE}/stores/{store_id}/domains/{hostname}`,
  summary: 'Remove a domain from a store',
  description:
    'Products on it are no longer active. The next merchant to prove the hostname owns it, unless another store of ' +
    `this merchant has it. The host of the store's own address cannot be removed: change the address first. ${LARGE_CHANGE}`,
  params: z.object({ ...StoreParams.shape, hostname }),
  replies: {
    202: {
      description: 'The domain is removed; seats of its products are still being reassigned.',
      schema: RegistryChangeSchema,
    },
    204: { description: 'The domain is removed.' },
  },
  errors: ['store_unknown', 'domain_unknown_to_store', 'conflict'],
});

export const verifyDomain = defineOperation({
  ...common,
  id: 'verifyDomain',
  method: 'POST',
  path: `${REGISTRY_BASE}/stores/{store_id}/domains/{hostname}/verify`,
  summary: 'Prove control of a domain',
  description: VERIFY,
  params: z.object({ ...StoreParams.shape, hostname }),
  replies: {
    200: { description: 'What was looked for, and what was found.', schema: DomainProofSchema },
  },
  errors: [
    'store_unknown',
    'domain_unknown_to_store',
    'hostname_taken',
    'conflict',
    'fetch_budget_spent',
    'network_unavailable',
  ],
});

export const listDomainChecks = defineOperation({
  ...common,
  id: 'listDomainChecks',
  method: 'GET',
  path: `${REGISTRY_BASE}/stores/{store_id}/domains/{hostname}/checks`,
  summary: 'List when control of a domain was checked',
  description:
    'The checks of the proof of this merchant, the newest first: at most the last 500, of the last 400 days.',
  params: z.object({ ...StoreParams.shape, hostname }),
  query: DomainCheckQuerySchema,
  replies: { 200: { description: 'One page of checks.', schema: DomainCheckListSchema } },
  errors: ['store_unknown', 'domain_unknown_to_store'],
});
