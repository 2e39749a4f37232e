import { type Operation, operation } from '../platform/http/operation.ts';
import { BASE, PRIVATE, StoreParams } from '../registry/common.ts';
import { type Registry, scopeOf } from '../registry/context.ts';
import { failedImages, imageProgress, retryImages } from './scan-progress.ts';
import {
  FailedImageListSchema,
  FailedImageQuerySchema,
  ImageProgressSchema,
  ImageRetryResultSchema,
  ImageRetrySchema,
} from './scan-schema.ts';

/** What becomes of a store's images: they are fetched, looked at and certified by themselves. */
export function imageLookRows(registry: Registry): Operation[] {
  return [
    operation({
      id: 'getImageProgress',
      method: 'GET',
      path: `${BASE}/stores/{store_id}/images/progress`,
      tag: 'Registry',
      summary: 'Ask how far the images of a store are',
      access: 'merchant',
      params: StoreParams,
      responses: { 200: { description: 'Counts, and images a second.', schema: ImageProgressSchema } },
      errors: ['store_unknown'],
      handle: async ({ params }, call) => ({
        status: 200,
        headers: PRIVATE,
        body: await imageProgress(registry, scopeOf(call.identity), params.store_id),
      }),
    }),
    operation({
      id: 'listFailedImages',
      method: 'GET',
      path: `${BASE}/stores/{store_id}/images/failed`,
      tag: 'Registry',
      summary: 'List images that could not be looked at',
      description: 'With why, and what to do; `nextCursor` leads on. Codes are in the list of codes.',
      access: 'merchant',
      params: StoreParams,
      query: FailedImageQuerySchema,
      responses: { 200: { description: 'One page of failed images.', schema: FailedImageListSchema } },
      errors: ['store_unknown'],
      handle: async ({ params, query }, call) => ({
        status: 200,
        headers: PRIVATE,
        body: await failedImages(registry, scopeOf(call.identity), params.store_id, query),
      }),
    }),
    operation({
      id: 'retryFailedImages',
      method: 'POST',
      path: `${BASE}/stores/{store_id}/images/retry`,
      tag: 'Registry',
      summary: 'Look at failed images again now',
      access: 'merchant',
      params: StoreParams,
      body: ImageRetrySchema.optional(),
      responses: { 200: { description: 'How many.', schema: ImageRetryResultSchema } },
      errors: ['store_unknown'],
      handle: async ({ params, body }, call) => ({
        status: 200,
        headers: PRIVATE,
        body: await retryImages(registry, scopeOf(call.identity), params.store_id, body?.imageIds),
      }),
    }),
  ];
}
