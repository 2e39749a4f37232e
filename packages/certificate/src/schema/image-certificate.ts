import { z } from 'zod';
import {
  ContentCredentialsSchema,
  EntryPointSchema,
  JsonLdContextSchema,
  LogProofSchema,
  Uuid,
} from './parts.ts';

const verification = z.object({
  authorizedDomains: z
    .array(z.string())
    .meta({ description: 'The domain for which it was issued, and no other.' }),
  domainVerified: z
    .boolean()
    .meta({ description: 'Whether control of the domain for which it was issued is proven.' }),
  hasSignature: z.boolean(),
});

/** Spec "Image-keyed certificate", minimal. */
export const MinimalImageCertificateSchema = z
  .strictObject({
    '@context': z.literal('https://schema.org'),
    '@type': z.literal('DigitalDocument'),
    imageId: Uuid,
    verification,
  })
  .meta({
    id: 'MinimalImageCertificate',
    description: 'States that a certificate exists, and for which domains.',
  });

const hash = (algorithm: string) => z.object({ algorithm: z.literal(algorithm), value: z.string() });

/** Spec "Image-keyed certificate", full; hashes are absent until the image has been scanned. */
export const FullImageCertificateSchema = z
  .strictObject({
    '@context': JsonLdContextSchema,
    '@type': z.literal('MediaObject'),
    imageId: Uuid,
    contentUrl: z.string(),
    encodingFormat: z.string().optional(),
    width: z.int().optional(),
    height: z.int().optional(),
    'svc:issuedFor': z.object({
      domain: z.string(),
      assetId: Uuid,
      mediaID: z.string().optional(),
      productID: Uuid,
      url: z.string(),
    }),
    'svc:status': z.object({ canonicalSource: EntryPointSchema }),
    verification,
    contentCredentials: z.object({
      dateIssued: z.iso
        .datetime()
        .meta({ description: 'When this certificate was issued, that is, its proof signed.' }),
      lastUpdated: z.iso.datetime().meta({
        description: 'When its statements about the image last changed.',
      }),
      asset: z.object({ url: z.string().meta({ description: 'Address of the certified bytes.' }) }),
      ...ContentCredentialsSchema.partial().shape,
    }),
    cryptographicProof: z.object({
      algorithm: z.literal('RS256'),
      kid: z.string(),
      jwksUrl: z.string(),
      issuer: z.string(),
      issuedAt: z.iso.datetime(),
      expiresAt: z.iso.datetime(),
      uhash: hash('SHA-256').optional(),
      phash: hash('ISO 24138 ISCC Image-Code').optional(),
    }),
    proof: z.object({ type: z.literal('JwtProof2020'), jwt: z.string() }),
    'svc:logProof': LogProofSchema,
  })
  .meta({ id: 'FullImageCertificate', description: 'The signed certificate of one image.' });

/** Response of `GET …/{image_id}/certificate`. */
export const ImageCertificateSchema = z
  .union([FullImageCertificateSchema, MinimalImageCertificateSchema])
  .meta({ id: 'ImageCertificate' });
