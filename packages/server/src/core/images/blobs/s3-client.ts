import { S3Client } from '@aws-sdk/client-s3';
import type { S3Place } from '../../../platform/settings/config.ts';

/** A client for the bucket of a setting; the library finds out what is absent. */
export function openS3Client({ region, endpoint, credentials }: S3Place): S3Client {
  return new S3Client({
    ...(region === undefined ? {} : { region }),
    ...(credentials === undefined ? {} : { credentials }),
    // other services may support neither virtual-hosted buckets nor the checksums of newer clients
    ...(endpoint === undefined
      ? {}
      : {
          endpoint,
          forcePathStyle: true,
          requestChecksumCalculation: 'WHEN_REQUIRED',
          responseChecksumValidation: 'WHEN_REQUIRED',
        }),
  });
}
