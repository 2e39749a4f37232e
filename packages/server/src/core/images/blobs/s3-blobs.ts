import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  NotFound,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import type { S3Place } from '../../../platform/settings/config.ts';
import { type BlobStore, parseBlobKey } from './blob-store.ts';
import { openS3Client } from './s3-client.ts';

/** Blobs as objects of an S3 bucket. */
export function openS3Blobs(place: S3Place): BlobStore {
  const { bucket, prefix } = place;
  const client = openS3Client(place);
  const at = (key: string) => ({ Bucket: bucket, Key: prefix + key });
  const put = async (key: string, bytes: Uint8Array) => {
    const ContentType = parseBlobKey(key)?.mediaType ?? 'application/octet-stream';
    await client.send(new PutObjectCommand({ ...at(key), Body: bytes, ContentType }));
  };
  return {
    put,
    replace: put,
    remove: async (key) => void (await client.send(new DeleteObjectCommand(at(key)))),
    async size(key) {
      try {
        return (await client.send(new HeadObjectCommand(at(key)))).ContentLength ?? 0;
      } catch (error) {
        if (error instanceof NotFound) return null;
        throw error;
      }
    },
    async *read(key) {
      const { Body } = await client.send(new GetObjectCommand(at(key)));
      if (Body !== undefined) yield* Body as AsyncIterable<Uint8Array>;
    },
    // S3 never stores incomplete objects
    purge: async () => 0,
    close: () => client.destroy(),
  };
}
