import { type Operation, operation } from '../../platform/http/operation.ts';
import { BASE, ImageParams, PRIVATE, ProductParams } from '../common.ts';
import { type Registry, scopeOf } from '../context.ts';
import { ImagesAddSchema, ImagesSchema } from '../schema/product.ts';
import { addImages, removeImage } from './product-images.ts';

export function imageRows(registry: Registry): Operation[] {
  return [
    operation({
      id: 'addImages',
      method: 'POST',
      path: `${BASE}/products/{product_id}/images`,
      tag: 'Registry',
      summary: 'Add images to a product',
      description: 'Behind those it has. An address that the product once had comes back under the same id.',
      access: 'merchant',
      idempotent: true,
      params: ProductParams,
      body: ImagesAddSchema,
      responses: { 201: { description: 'All images of the product, in order.', schema: ImagesSchema } },
      errors: ['product_unknown', 'conflict'],
      handle: async ({ params, body }, call) => ({
        status: 201,
        headers: PRIVATE,
        body: {
          images: await addImages(registry, scopeOf(call.identity), params.product_id, body.images),
        },
      }),
    }),
    operation({
      id: 'removeImage',
      method: 'DELETE',
      path: `${BASE}/images/{image_id}`,
      tag: 'Registry',
      summary: 'Take an image off its product',
      access: 'merchant',
      params: ImageParams,
      responses: { 204: { description: 'It is gone; its certificate answers 404.' } },
      errors: ['image_unknown'],
      handle: async ({ params }, call) => {
        await removeImage(registry, scopeOf(call.identity), params.image_id);
        return { status: 204 };
      },
    }),
  ];
}
