import { z } from 'zod';
import { DOMAIN_FINDINGS } from '../domain-findings.ts';
import { defineOperation, type Wire } from '../operation.ts';
import { LARGE_CHANGE, pendingChanges, RegistryChangeSchema } from './changes.ts';
import { nextCursor, PageQuerySchema, REGISTRY_BASE, uuidParameter } from './parts.ts';
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

export const StoreCreateSchema = z
  .strictObject({
    merchantId: z.guid(),
    name,
    url: url.meta({ description: 'Home page; its host becomes the first domain.' }),
    platform: platform.optional(),
    signImages: signImages.optional(),
    signRemoteManifests: signRemoteManifests.optional(),
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
    requestHeaders: RequestHeadersSchema.nullable().optional().meta({
      description:
        'Signature headers that the platform issued for this shop (Shopify: Online Store, Preferences, Crawler access). They replace our own signature in requests to the proven hostnames of the store. null removes them.',
    }),
  })
  .meta({ id: 'StorePatch' });

const DomainSchema = z
  .object({
    hostname: z.string(),
    verified: z.boolean().meta({ description: 'Whether the merchant has proven that it controls the host.' }),
    challenge: z.string().meta({ description: 'The value to publish on the host to prove control of it.' }),
    lostAt: z.iso
      .datetime()
      .optional()
      .meta({ description: 'When another merchant proved control of the host.' }),
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
    domains: z.array(DomainSchema),
    requestHeaders: RequestHeadersViewSchema.optional(),
    createdAt: z.iso.datetime(),
    pendingChanges,
  })
  .meta({ id: 'Store', description: 'One shop of a merchant.' });

const DomainCreateSchema = z.strictObject({ hostname }).meta({ id: 'DomainCreate' });

const DomainProofSchema = z
  .object({
    verified: z.boolean(),
    method: z.enum(['well_known', 'meta_tag', 'dns_txt']).optional(),
    lookedFor: z.string().meta({ description: 'The challenge.' }),
    saw: z.array(
      z
        .object({
          method: z.enum(['well_known', 'meta_tag', 'dns_txt']),
          where: z.string(),
          found: z.boolean(),
          code: z
            .string()
            .meta({ description: 'What was found, or why the host did not answer (docs/codes.md).' }),
          value: z
            .string()
            .optional()
            .meta({ description: 'The value found: text from the host, truncated.' }),
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
    ),
    nextStep: z.string(),
  })
  .meta({ id: 'DomainProof', description: 'What was looked for, where, and what was found.' });

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
export type StoreList = Wire<z.infer<typeof StoreListSchema>>;
export type StoreListQuery = z.infer<typeof StoreListQuerySchema>;

export const StoreParams = z.object({ store_id: uuidParameter('The store.') });

export const createStore = defineOperation({
  ...common,
  id: 'createStore',
  method: 'POST',
  path: `${REGISTRY_BASE}/stores`,
  summary: 'Add a store',
  description: 'The host of its address becomes its first domain, with a challenge for proving control.',
  idempotent: true,
  body: StoreCreateSchema,
  replies: { 201: { description: 'The store.', schema: StoreSchema } },
  errors: ['merchant_unknown', 'hostname_taken'],
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
  errors: ['store_unknown', 'hostname_taken', 'conflict'],
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
merchant to prove a hostname owns it; stores of others lose it, and their products on it are no longer active.`;

export const addDomain = defineOperation({
  ...common,
  id: 'addDomain',
  method: 'POST',
  path: `${REGISTRY_BASE}/stores/{store_id}/domains`,
  summary: 'Add a domain to a store',
  idempotent: true,
  params: StoreParams,
  body: DomainCreateSchema,
  replies: { 201: { description: 'The domain and its challenge.', schema: DomainSchema } },
  errors: ['store_unknown', 'hostname_taken', 'conflict'],
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
  errors: ['store_unknown', 'domain_unknown_to_store', 'hostname_taken', 'conflict', 'network_unavailable'],
});
