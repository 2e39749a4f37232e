import {
  imageVerificationContradictions,
  type ReceivedImageVerification,
  type ReceivedVerification,
  verificationContradictions,
} from '@touchstone/certificate';
import {
  ImageVerificationRequestSchema,
  ImageVerificationResultSchema,
} from '@touchstone/certificate/schema';
import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import {
  BATCH_BODY_LIMIT,
  BATCH_DESCRIPTION,
  batchBody,
  batchContradictions,
  batchResults,
} from './batch.ts';
import { RECEIPT_ERRORS, VerificationAnswerSchema, VerificationBodySchema } from './receipt.ts';
import { PUBLIC_BASE, uuidParameter } from './shared.ts';

const common = {
  method: 'POST',
  tag: 'Verification',
  access: 'public',
  anyOrigin: true,
  noStore: true,
} as const;

/** Spec, Endpoints 3. */
export const verifyProductCertificate = defineOperation({
  ...common,
  id: 'verifyProductCertificate',
  path: `${PUBLIC_BASE}/products/{product_id}/verify`,
  summary: 'Verify a product certificate',
  description: `Checks whether a certificate is bound to this product and to the page on which it was found. Without a
\`document\`, only the domain checks run. A document that is not a single signed node is not an error: the verdict is
\`unverified\`, and a warning gives the reason.`,
  params: z.object({ product_id: uuidParameter('The product that the page claims to show.') }),
  body: VerificationBodySchema,
  replies: { 200: { description: 'Verdict, checks and reasons.', schema: VerificationAnswerSchema } },
  errors: ['product_unknown', 'keys_unavailable', ...RECEIPT_ERRORS],
  contradictions: ({ params, body }, result: ReceivedVerification) =>
    contradictionsOf({ ...(body as object), productId: params?.product_id }, result),
});

function contradictionsOf(asked: unknown, result: ReceivedVerification): string[] {
  const { productId, productUrl: pageUrl, document } = asked as z.input<typeof VerifyItemSchema>;
  return verificationContradictions(result, { productId, pageUrl, document });
}

/** One item of `verifyBatch`. */
export const VerifyItemSchema = VerificationBodySchema.extend({ productId: z.guid() });

export const verifyBatch = defineOperation({
  ...common,
  id: 'verifyBatch',
  path: `${PUBLIC_BASE}/verify-batch`,
  summary: 'Verify many product certificates',
  description: BATCH_DESCRIPTION,
  body: batchBody('verifyBatch', VerifyItemSchema),
  bodyLimit: BATCH_BODY_LIMIT,
  batch: true,
  replies: {
    200: { description: 'One result per item.', schema: batchResults(VerificationAnswerSchema) },
  },
  errors: ['batches_busy', 'batch_answer_full'],
  contradictions: batchContradictions(contradictionsOf),
});

/** Spec, Endpoints 6. */
export const verifyImageCertificate = defineOperation({
  ...common,
  id: 'verifyImageCertificate',
  path: `${PUBLIC_BASE}/{image_id}/verify`,
  summary: 'Verify an image-keyed certificate',
  description: `Checks whether the certificate of an image is valid on the domain where it was observed, and whether the
image is bound to a value (\`verifyField\`, \`fieldValue\`). A failed verification is returned as a problem whose status
depends on the reason and whose member \`result\` has the result. \`certificateConsistency\` concerns our record and its
proof; whether the bytes carry a valid C2PA manifest must be checked on the bytes, with the full certificate.`,
  bodyFaultsAre400: true,
  params: z.object({ image_id: uuidParameter('The image.') }),
  body: ImageVerificationRequestSchema,
  replies: { 200: { description: 'The certificate is verified.', schema: ImageVerificationResultSchema } },
  errors: [
    'bad_request',
    'image_certificate_unknown',
    'certificate_paused',
    'domain_not_authorized',
    'field_differs',
    'domain_unverified',
    'field_unsupported',
    'field_value_missing',
    'proof_invalid',
    'signer_unavailable',
    'keys_unavailable',
  ],
  contradictions: ({ params, body }, result: ReceivedImageVerification) => {
    const { domain } = body as z.input<typeof ImageVerificationRequestSchema>;
    return imageVerificationContradictions(result, { imageId: String(params?.image_id), domain });
  },
});
