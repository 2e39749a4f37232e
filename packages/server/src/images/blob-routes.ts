import { z } from 'zod';
import { ServiceError } from '../platform/errors.ts';
import { type Operation, operation } from '../platform/http/operation.ts';
import { type BlobStore, blobPath, parseBlobKey } from './blobs/blob-store.ts';

export interface BlobUseCases {
  readonly blobs: Pick<BlobStore, 'size' | 'read'>;
}

/** Seconds; what is under a name never changes. */
const FOREVER = 31_536_000;

/** The certified bytes of images, under the SHA-256 of these bytes: `contentCredentials.asset.url`. */
export function blobRows({ blobs }: BlobUseCases): Operation[] {
  return [
    operation({
      id: 'getBlob',
      method: 'GET',
      path: blobPath('{blob}'),
      tag: 'Certificates',
      summary: 'Get the certified bytes of an image',
      description: 'The name is the SHA-256 of the bytes, so whoever fetches them can check them by it.',
      access: 'public',
      anyOrigin: true,
      params: z.object({
        blob: z.string().max(100).meta({ description: 'Name of the bytes: SHA-256 in hex, and the format.' }),
      }),
      responses: {
        200: { description: 'The image.', mediaType: 'image/*' },
        304: { description: 'The copy at hand still holds.' },
      },
      errors: ['image_unknown', 'blobs_unavailable'],
      handle: async ({ params }) => {
        const name = parseBlobKey(params.blob);
        const size = name === null ? null : await blobs.size(params.blob);
        if (name === null || size === null) throw new ServiceError('image_unknown');
        return {
          status: 200,
          headers: {
            'content-type': name.mediaType,
            'content-length': String(size),
            'cache-control': `public, max-age=${FOREVER}, immutable`,
            etag: `"${name.uhash}"`,
            // a stranger's bytes under our address: nothing in them may run
            'content-security-policy': "default-src 'none'; sandbox",
            'cross-origin-resource-policy': 'cross-origin',
          },
          body: opened(() => blobs.read(params.blob)),
        };
      },
    }),
  ];
}

/** Opened when the first byte is asked for: a HEAD or a 304 never gets there. */
async function* opened(open: () => AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* open();
}
