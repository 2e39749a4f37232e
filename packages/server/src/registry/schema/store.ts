import { z } from 'zod';
import { hostname, jsonBytes, siteUrl, text } from './text.ts';

const platform = z.enum(['shopify', 'woocommerce', 'custom']);

/** Bytes; with the caps of a product row they keep a proof under 8 KB (decision 13). */
const URL_BYTES = 500;
const NAME_BYTES = 900;

const name = text(300).refine((value) => jsonBytes(value) <= NAME_BYTES, {
  message: `The name is over ${NAME_BYTES} bytes`,
});
const url = siteUrl(URL_BYTES).refine((value) => jsonBytes(value) <= URL_BYTES, {
  message: `The URL is over ${URL_BYTES} bytes`,
});

const signImages = z
  .boolean()
  .meta({ description: 'The service signs images that carry no C2PA manifest of their own.' });

export const StoreCreateSchema = z
  .strictObject({
    merchantId: z.guid(),
    name,
    url: url.meta({ description: 'Home page; its host becomes the first domain.' }),
    platform: platform.optional(),
    signImages: signImages.optional(),
  })
  .meta({ id: 'StoreCreate' });

export const StorePatchSchema = z
  .strictObject({
    name: name.optional(),
    url: url.optional(),
    platform: platform.optional(),
    signImages: signImages.optional(),
  })
  .meta({ id: 'StorePatch' });

export const DomainSchema = z
  .object({
    hostname: z.string(),
    verified: z.boolean().meta({ description: 'The merchant has proven that it controls the host.' }),
    challenge: z.string().meta({ description: 'What must be shown on the host to prove control of it.' }),
    lostAt: z.iso
      .datetime()
      .optional()
      .meta({ description: 'Another merchant proved control of the host then.' }),
  })
  .meta({ id: 'Domain', description: 'A host on which a store has its product pages.' });

export const StoreSchema = z
  .object({
    id: z.uuid(),
    merchantId: z.uuid(),
    name: z.string(),
    url: z.string(),
    platform,
    signImages,
    domains: z.array(DomainSchema),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Store', description: 'One shop of a merchant.' });

export const DomainCreateSchema = z.strictObject({ hostname }).meta({ id: 'DomainCreate' });

export const DomainProofSchema = z
  .object({
    verified: z.boolean(),
    method: z.enum(['well_known', 'meta_tag', 'dns_txt']).optional(),
    lookedFor: z.string().meta({ description: 'The challenge.' }),
    saw: z.array(
      z.object({
        method: z.enum(['well_known', 'meta_tag', 'dns_txt']),
        where: z.string(),
        found: z.boolean(),
        detail: z.string(),
      }),
    ),
    nextStep: z.string(),
  })
  .meta({ id: 'DomainProof', description: 'What was looked for, where, and what was there.' });

export type StoreCreate = z.infer<typeof StoreCreateSchema>;
export type StorePatch = z.infer<typeof StorePatchSchema>;
export type Store = z.infer<typeof StoreSchema>;
export type DomainView = z.infer<typeof DomainSchema>;
export type DomainProof = z.infer<typeof DomainProofSchema>;
