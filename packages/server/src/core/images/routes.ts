import * as contract from '@touchstone/contract';
import { ServiceError } from '../../platform/errors.ts';
import { scopeOf } from '../../platform/http/access.ts';
import { implement, ok } from '../../platform/http/implement.ts';
import type { Route } from '../../platform/http/route.ts';
import type { Registry } from '../registry/context.ts';
import { type BlobStore, parseBlobKey } from './blobs/blob-store.ts';
import { failedImages, listImages } from './list-images.ts';
import { imageProgress, retryImages } from './scan-progress.ts';

/** Seconds: a year. Blobs are immutable. */
const MAX_AGE = 31_536_000;

/** The certified bytes of images, under the SHA-256 of these bytes. */
export function blobRoute(blobs: Pick<BlobStore, 'size' | 'read'>): Route {
  return implement(contract.getBlob, async ({ params }) => {
    const name = parseBlobKey(params.blob);
    const size = name === null ? null : await blobs.size(params.blob);
    if (name === null || size === null) throw new ServiceError('image_unknown');
    return {
      status: 200,
      headers: {
        'content-type': name.mediaType,
        'content-length': String(size),
        'cache-control': `public, max-age=${MAX_AGE}, immutable`,
        etag: `"${name.uhash}"`,
        // untrusted bytes from our origin: no script in them may run
        'content-security-policy': "default-src 'none'; sandbox",
        'cross-origin-resource-policy': 'cross-origin',
      },
      body: opened(() => blobs.read(params.blob)),
    };
  });
}

/** Opens the stream only when its first byte is read, which a HEAD request or a 304 never does. */
async function* opened(open: () => AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* open();
}

/** The images of a store, and the progress of their scans. */
export function imageRoutes(registry: Registry, baseUrl: string): Route[] {
  return [
    implement(contract.getImageProgress, async ({ params }, call) =>
      ok(await imageProgress(registry, scopeOf(call.identity), params.store_id)),
    ),
    implement(contract.listImages, async ({ params, query }, call) =>
      ok(await listImages(registry, scopeOf(call.identity), params.store_id, { ...query, baseUrl })),
    ),
    implement(contract.listFailedImages, async ({ params, query }, call) =>
      ok(await failedImages(registry, scopeOf(call.identity), params.store_id, query)),
    ),
    implement(contract.retryFailedImages, async ({ params, body }, call) =>
      ok(await retryImages(registry, scopeOf(call.identity), params.store_id, body ?? { which: 'failed' })),
    ),
  ];
}
