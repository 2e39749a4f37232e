import { type ImageUseCases, imageRows } from './certificates/image-routes.ts';
import { type CertificateUseCases, certificateRows } from './certificates/routes.ts';
import { type BlobUseCases, blobRows } from './images/blob-routes.ts';
import { keyRows } from './keys/routes.ts';
import { type BatchUseCases, batchRows } from './page-checks/batch-routes.ts';
import { type PageCheckUseCases, pageCheckRows } from './page-checks/routes.ts';
import type { Operation } from './platform/http/operation.ts';
import { imageVerificationRows, verificationRows } from './verification/routes.ts';

export type PublicUseCases = CertificateUseCases &
  BatchUseCases &
  ImageUseCases &
  BlobUseCases &
  PageCheckUseCases &
  Parameters<typeof keyRows>[0] &
  Parameters<typeof imageVerificationRows>[0] &
  Parameters<typeof verificationRows>[0];

/** The public side: spec, Endpoints 1 to 6, and batches of 3 and 4. */
export function publicRows(use: PublicUseCases): Operation[] {
  return [
    ...certificateRows(use),
    ...verificationRows(use),
    ...pageCheckRows(use),
    ...batchRows(use),
    ...keyRows(use),
    ...imageRows(use),
    ...imageVerificationRows(use),
    ...blobRows(use),
  ];
}
