import { z } from 'zod';

/** A UUID in canonical form (spec "Resources"). */
export const Uuid = z.uuid();

/**
 * A value as it travels: what is optional is absent, never `undefined`; and nobody changes it on its way.
 */
export type Wire<T> = T extends object ? { readonly [K in keyof T]: Wire<Exclude<T[K], undefined>> } : T;

/** Spec "EntryPoint". */
export const EntryPointSchema = z
  .object({
    '@type': z.literal('EntryPoint'),
    description: z.string().default('Canonical source for this certificate.'),
    url: z.string(),
    httpMethod: z.string().default('GET'),
  })
  .meta({ id: 'EntryPoint', description: 'Where the certificate itself is served.' });

/** `@context`: schema.org and the prefix `svc` (spec "Versioning"). */
export const JsonLdContextSchema = z
  .tuple([z.literal('https://schema.org'), z.object({ svc: z.string() })])
  .meta({ id: 'JsonLdContext', description: 'schema.org, and the namespace behind the prefix svc.' });

/** Whether an image's manifest validates, and the hashes of its bytes (`uhash`) and pixels (`phash`). */
export const ContentCredentialsSchema = z
  .object({
    hasC2PA: z.boolean(),
    hasManifest: z.boolean().optional(),
    hashes: z.object({ uhash: z.string(), phash: z.string() }).optional(),
  })
  .meta({ id: 'ContentCredentials', description: 'What was found in the bytes of the image.' });
