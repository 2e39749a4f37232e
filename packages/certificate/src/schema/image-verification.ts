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
      .meta({ description: `What the image should be bound to, one of: ${VERIFY_FIELDS.join(', ')}.` }),
    fieldValue: z
      .string()
      .nullish()
      .transform((value) => value ?? undefined)
      .meta({ description: 'The value that was observed for it.' }),
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
        description: 'The stored proof verifies and says what the record says; nothing about C2PA.',
      }),
    }),
    warnings: z.array(z.string()),
    errors: z.array(z.string()),
    verifier: VerifierSchema,
  })
  .meta({ id: 'ImageVerificationResult' });
