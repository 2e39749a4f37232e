import { z } from 'zod';

/** A UUID in canonical form (spec "Resources"). */
export const Uuid = z.uuid();

/** A value as sent over the wire: optional members are absent, never `undefined`; deeply read-only. */
export type Wire<T> = T extends object ? { readonly [K in keyof T]: Wire<Exclude<T[K], undefined>> } : T;

/** Spec "EntryPoint". */
export const EntryPointSchema = z
  .object({
    '@type': z.literal('EntryPoint'),
    description: z.string().default('Canonical source for this certificate.'),
    url: z.string(),
    httpMethod: z.string().default('GET'),
  })
  .meta({ id: 'EntryPoint', description: 'Where the certificate is served.' });

/** `@context`: schema.org and the prefix `svc` (spec "Versioning"). */
export const JsonLdContextSchema = z
  .tuple([z.literal('https://schema.org'), z.object({ svc: z.string() })])
  .meta({ id: 'JsonLdContext', description: 'schema.org, and the namespace of the prefix svc.' });

/** Where the proof is logged (`verifyLogProof`). */
export const LogProofSchema = z.string().max(2048).optional().meta({
  description:
    'That the proof is in the transparency log, as C2SP tlog-proof. Absent if it was not logged when the certificate was first published; then it stays absent. The proof does not bind it.',
});

/** Whether an image's manifest validates, and the hashes of its bytes (`uhash`) and pixels (`phash`). */
export const ContentCredentialsSchema = z
  .object({
    hasC2PA: z.boolean(),
    hasManifest: z.boolean().optional(),
    hashes: z.object({ uhash: z.string(), phash: z.string() }).optional(),
    sourceUhash: z.string().optional().meta({
      description:
        'SHA-256 of the bytes from which the certified ones were made; absent if they are the same.',
    }),
    served: z.enum(['certified', 'source']).optional().meta({
      description:
        'Which of the two the shop served when it was last fetched. Only `certified` counts in the coverage.',
    }),
    finding: z
      .enum(['image_issued_to_another_store', 'image_manifest_remote'])
      .optional()
      .meta({ description: 'Why the image is not certified, if the other members do not say so.' }),
  })
  .meta({ id: 'ContentCredentials', description: 'What was found in the image bytes.' });
