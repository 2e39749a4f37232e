import {
  ImageCertificateSchema,
  ImageVerificationRequestSchema,
  ImageVerificationResultSchema,
} from '@touchstone/certificate/schema';
import { z } from 'zod';
import { documentReply } from '../platform/http/document-reply.ts';
import { type Operation, operation } from '../platform/http/operation.ts';
import { uuidParameter } from '../platform/http/uuid-parameter.ts';
import type { VerifyImage } from '../verification/verify-image.ts';
import type { GetImageCertificate } from './get-image-certificate.ts';

export interface ImageUseCases {
  readonly getImageCertificate: GetImageCertificate;
  readonly verifyImage: VerifyImage;
}

/** Spec, Endpoints 6. */
export function imageRows(use: ImageUseCases): Operation[] {
  return [certificateRow(use), verifyRow(use)];
}

const params = z.object({ image_id: uuidParameter('The image.') });

function certificateRow(use: ImageUseCases): Operation {
  return operation({
    id: 'getImageCertificate',
    method: 'GET',
    path: '/api/v1/mc4p/{image_id}/certificate',
    tag: 'Certificates',
    summary: 'Get an image-keyed certificate',
    description: `Minimal: that there is one, and where it holds. \`full=true\`: with the signed proof and what an
offline check of the bytes needs. An image of a product that its merchant hides is 404; one that the plan does not
carry at the moment is 402.`,
    access: 'public',
    anyOrigin: true,
    hot: true,
    params,
    query: z.object({
      full: z
        .enum(['true', 'false'])
        .default('false')
        .meta({ description: 'Whether the full one is wanted.' }),
    }),
    responses: {
      200: {
        description: 'The certificate; a copy is to be asked about before each use.',
        schema: ImageCertificateSchema,
        mediaType: 'application/ld+json',
      },
      304: { description: 'The copy at hand still holds.' },
    },
    errors: ['image_certificate_unknown', 'certificate_paused', 'signer_unavailable'],
    handle: async ({ params: { image_id }, query: { full } }) =>
      documentReply(await use.getImageCertificate(image_id, full === 'true' ? 'full' : 'minimal')),
  });
}

function verifyRow(use: ImageUseCases): Operation {
  return operation({
    id: 'verifyImageCertificate',
    method: 'POST',
    path: '/api/v1/mc4p/{image_id}/verify',
    tag: 'Verification',
    summary: 'Verify an image-keyed certificate',
    description: `Tells whether the certificate of an image holds on the domain where it was observed, and whether the
image is bound to a value (\`verifyField\`, \`fieldValue\`). What is not verified has a status of its own, with the
result in the member \`result\` of the problem. \`certificateConsistency\` is about our record and its proof; whether
the bytes carry a sound C2PA manifest is to be checked on the bytes, with the full certificate at hand.`,
    access: 'public',
    anyOrigin: true,
    bodyFaultsAre400: true,
    params,
    body: ImageVerificationRequestSchema,
    responses: { 200: { description: 'It is verified.', schema: ImageVerificationResultSchema } },
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
    handle: async ({ params: { image_id }, body }) => ({
      status: 200,
      headers: { 'cache-control': 'no-store' },
      body: await use.verifyImage({ imageId: image_id, ...body }),
    }),
  });
}
