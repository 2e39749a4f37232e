import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { openS3Client } from '../../core/images/blobs/s3-client.ts';
import type { S3Place } from '../../platform/settings/config.ts';
import { type Destination, MARK } from './destination.ts';

/** Milliseconds: less than the lease of a job. */
const PATIENCE = 10_000;

/** Copies as objects of an S3 bucket, with the headers that the service sends as their metadata. */
export function openBucket(place: S3Place): Destination {
  const { bucket: Bucket, prefix } = place;
  const client = openS3Client(place);
  const at = (path: string) => ({ Bucket, Key: prefix + path });
  const inTime = () => ({ abortSignal: AbortSignal.timeout(PATIENCE) });
  const write = async (path: string, Body: Uint8Array | string, further: object) =>
    void (await client.send(new PutObjectCommand({ ...at(path), Body, ...further }), inTime()));
  return {
    put: (path, { bytes, etag, headers }) =>
      write(path, bytes, {
        ContentType: headers['content-type'],
        CacheControl: headers['cache-control'],
        // a bucket has an ETag of its own; what remains is there for the rules of a CDN
        Metadata: Object.fromEntries(
          Object.entries({ etag, 'surrogate-key': headers['surrogate-key'] }).filter(
            ([, value]) => value !== undefined,
          ),
        ) as Record<string, string>,
      }),
    remove: async (path) => void (await client.send(new DeleteObjectCommand(at(path)), inTime())),
    async readMark() {
      try {
        const { Body } = await client.send(new GetObjectCommand(at(MARK)), inTime());
        return (await Body?.transformToString()) ?? '';
      } catch (error) {
        if (error instanceof NoSuchKey) return null;
        throw error;
      }
    },
    writeMark: (text) => write(MARK, text, { ContentType: 'application/json', CacheControl: 'no-cache' }),
    async isEmpty() {
      const { Contents = [] } = await client.send(
        new ListObjectsV2Command({ Bucket, Prefix: prefix, MaxKeys: 1 }),
        inTime(),
      );
      return Contents.length === 0;
    },
    close: () => client.destroy(),
  };
}
