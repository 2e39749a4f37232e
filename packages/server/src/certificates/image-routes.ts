import { ImageCertificateSchema } from '@touchstone/certificate/schema';
import { z } from 'zod';
import { documentReply } from '../platform/http/document-reply.ts';
import { type Operation, operation } from '../platform/http/operation.ts';
import { uuidParameter } from '../platform/http/uuid-parameter.ts';
import type { GetImageCertificate } from './get-image-certificate.ts';

export interface ImageUseCases {
  readonly getImageCertificate: GetImageCertificate;
}

/** Spec, Endpoints 6: reading one. */
export function imageRows(use: ImageUseCases): Operation[] {
  return [certificateRow(use)];
}

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
    params: z.object({ image_id: uuidParameter('The image.') }),
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
