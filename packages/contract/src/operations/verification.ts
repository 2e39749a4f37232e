import {
  ImageVerificationRequestSchema,
  ImageVerificationResultSchema,
  ProductVerificationRequestSchema,
  VerificationResultSchema,
} from '@touchstone/certificate/schema';
import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { BATCH_BODY_LIMIT, BATCH_DESCRIPTION, batchBody, batchResults } from './batch.ts';
import { PUBLIC_BASE, uuidParameter } from './parts.ts';

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
  description: `Tells whether a certificate is bound to this product and to the page that it was found on. Without a
\`document\` only the domain checks run. A document that is not one signed node is not an error: the verdict is
\`unverified\`, and a warning says why.`,
  params: z.object({ product_id: uuidParameter('The product that the page claims to show.') }),
  body: ProductVerificationRequestSchema,
  replies: { 200: { description: 'Verdict, checks and reasons.', schema: VerificationResultSchema } },
  errors: ['product_unknown', 'keys_unavailable'],
});

/** One item of `verifyBatch`. */
export const VerifyItemSchema = ProductVerificationRequestSchema.extend({ productId: z.guid() });

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
    200: { description: 'What became of each item.', schema: batchResults(VerificationResultSchema) },
  },
  errors: ['batches_busy', 'batch_answer_full'],
});

/** Spec, Endpoints 6. */
export const verifyImageCertificate = defineOperation({
  ...common,
  id: 'verifyImageCertificate',
  path: `${PUBLIC_BASE}/{image_id}/verify`,
  summary: 'Verify an image-keyed certificate',
  description: `Tells whether the certificate of an image holds on the domain where it was observed, and whether the
image is bound to a value (\`verifyField\`, \`fieldValue\`). What is not verified has a status of its own, with the
result in the member \`result\` of the problem. \`certificateConsistency\` is about our record and its proof; whether
the bytes carry a sound C2PA manifest is to be checked on the bytes, with the full certificate at hand.`,
  bodyFaultsAre400: true,
  params: z.object({ image_id: uuidParameter('The image.') }),
  body: ImageVerificationRequestSchema,
  replies: { 200: { description: 'It is verified.', schema: ImageVerificationResultSchema } },
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
});
