import { z } from 'zod';
import { isIpLiteral, normalizeHost } from '../binding/hosts.ts';
import { VERIFY_FIELDS } from '../verify-image/verify-fields.ts';
import { Uuid } from './parts.ts';
import { SignedSchema, VerifierSchema } from './product-verification.ts';

/** Body of `POST …/{image_id}/verify` (spec, Endpoints 6). The schema does not check whether the field is supported. */
export const ImageVerificationRequestSchema = z
  .object({
    domain: z
      .string()
      .max(254)
      .refine(isBareHostname, {
        message: 'Input should be a bare hostname, without scheme, port or path',
      })
      .meta({ description: 'Hostname where the certificate was observed.' }),
    // null is the same as absent, as everywhere in these requests
    verifyField: z
      .string()
      .nullish()
      .transform((field) => field ?? undefined)
      .meta({
        description: `The field to which the image should be bound, one of: ${VERIFY_FIELDS.join(', ')}.`,
      }),
    fieldValue: z
      .string()
      .nullish()
      .transform((value) => value ?? undefined)
      .meta({ description: 'The observed value of that field.' }),
  })
  .refine(({ verifyField, fieldValue }) => verifyField !== undefined || fieldValue === undefined, {
    path: ['verifyField'],
    message: 'A fieldValue says nothing without its verifyField',
  })
  .meta({ id: 'ImageVerificationRequest' });

function isBareHostname(text: string): boolean {
  const host = normalizeHost(text);
  return host !== null && !isIpLiteral(host);
}

/** Spec "Verification result (image-keyed)". */
export const ImageVerificationResultSchema = z
  .object({
    verified: z.boolean(),
    imageId: Uuid,
    authorizedDomain: z.string().optional(),
    currentDomain: z.string().optional(),
    signed: SignedSchema.optional(),
    checks: z.object({
      domainMatches: z.boolean(),
      certificateConsistency: z.boolean().meta({
        description: 'Whether the stored proof is valid and agrees with the record; says nothing about C2PA.',
      }),
    }),
    warnings: z.array(z.string()),
    errors: z.array(z.string()),
    verifier: VerifierSchema,
  })
  .meta({ id: 'ImageVerificationResult' });
