import { z } from 'zod';
import { Uuid } from './parts.ts';

/** Spec "Image-keyed certificate", minimal. */
export const MinimalImageCertificateSchema = z
  .object({
    '@context': z.literal('https://schema.org'),
    '@type': z.literal('DigitalDocument'),
    imageId: Uuid,
    verification: z.object({
      authorizedDomains: z.array(z.string()),
      domainVerified: z.boolean(),
      hasSignature: z.boolean(),
    }),
  })
  .meta({ id: 'MinimalImageCertificate' });

/** Spec "Image-keyed certificate", full. */
export const FullImageCertificateSchema = z
  .looseObject({
    '@context': z.array(z.unknown()),
    '@type': z.literal('MediaObject'),
    proof: z.object({ type: z.literal('JwtProof2020'), jwt: z.string() }),
    contentCredentials: z.looseObject({
      dateIssued: z.iso.datetime(),
      lastUpdated: z.iso.datetime(),
      asset: z.object({ url: z.string() }),
    }),
    cryptographicProof: z.looseObject({}),
  })
  .meta({ id: 'FullImageCertificate' });

/** Spec "Verification result (image-keyed)". */
export const ImageVerificationResultSchema = z
  .object({
    verified: z.boolean(),
    imageId: Uuid,
    authorizedDomain: z.string().optional(),
    currentDomain: z.string().optional(),
    checks: z.object({
      domainMatches: z.boolean().optional(),
      certificateConsistency: z.boolean().optional(),
    }),
    warnings: z.array(z.string()),
    errors: z.array(z.string()),
  })
  .meta({ id: 'ImageVerificationResult' });
