import type { Operation } from '../operation.ts';
import { type BatchUseCases, batchRows } from './batches.ts';
import { type BlobUseCases, blobRows } from './blobs.ts';
import { type CertificateUseCases, certificateRows } from './certificates.ts';
import { type ImageUseCases, imageRows } from './images.ts';
import { keyRows } from './keys.ts';
import { type PageCheckUseCases, pageCheckRows } from './page-checks.ts';
import { verificationRows } from './verification.ts';

export type PublicUseCases = CertificateUseCases &
  BatchUseCases &
  ImageUseCases &
  BlobUseCases &
  PageCheckUseCases &
  Parameters<typeof keyRows>[0] &
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
    ...blobRows(use),
  ];
}
