import { type Operation, operation } from '../../platform/http/operation.ts';
import { BASE, PRIVATE, ProductParams, StoreParams } from '../common.ts';
import { type Registry, scopeOf } from '../context.ts';
import {
  ProductListQuerySchema,
  ProductListSchema,
  ProductPatchSchema,
  ProductSchema,
  RowResultsSchema,
} from '../schema/product.ts';
import { deleteProduct, patchProduct } from './change-product.ts';
import { answerNdjson, ProductRowsSchema } from './ndjson-body.ts';
import { getProduct, listProducts } from './read-products.ts';
import { upsertProducts } from './upsert.ts';

/**
 * Bytes: a thousand rows with the images of a usual product, and room. An array is parsed in one go, during which
 * nobody else is served; what is larger goes as NDJSON, which has no such cost.
 */
const ROWS_LIMIT = 8 * 1024 * 1024;

const UPSERT = `Adds and updates products by \`externalProductId\`. Every row gets its result, in order; a bad row changes
nothing and costs no other row anything. Up to 1,000 rows as a JSON array, or any number as
\`application/x-ndjson\`, one object a line; that is answered as NDJSON too, one result a line, and a last line
\`{"status":"aborted","code":…}\` where a fault came in between. A row says the whole product; only \`visible\` and
\`images\` stay as they were where it does not name them. Products that no row names stay as they are.`;

export function productRows(registry: Registry): Operation[] {
  return [upsertRow(registry), listRow(registry), ...singleRows(registry)];
}

function upsertRow(registry: Registry): Operation {
  return operation({
    id: 'putProducts',
    method: 'PUT',
    path: `${BASE}/stores/{store_id}/products`,
    tag: 'Registry',
    summary: 'Add or update products',
    description: UPSERT,
    access: 'merchant',
    params: StoreParams,
    body: ProductRowsSchema,
    bodyLimit: ROWS_LIMIT,
    acceptsNdjson: true,
    responses: { 200: { description: 'A result per row.', schema: RowResultsSchema } },
    errors: ['store_unknown'],
    handle: async ({ params, body }, call) => {
      const scope = scopeOf(call.identity);
      if (call.rawBody !== undefined) return answerNdjson(registry, scope, params.store_id, call.rawBody);
      const results = await upsertProducts(registry, scope, params.store_id, body);
      return { status: 200, headers: PRIVATE, body: { results } };
    },
  });
}

function listRow(registry: Registry): Operation {
  return operation({
    id: 'listProducts',
    method: 'GET',
    path: `${BASE}/stores/{store_id}/products`,
    tag: 'Registry',
    summary: 'List products of a store',
    description: 'In the order of creation; `state` narrows the list, `nextCursor` leads on.',
    access: 'merchant',
    params: StoreParams,
    query: ProductListQuerySchema,
    responses: { 200: { description: 'One page of products.', schema: ProductListSchema } },
    errors: ['store_unknown', 'bad_request'],
    handle: async ({ params, query }, call) => ({
      status: 200,
      headers: PRIVATE,
      body: await listProducts(registry, scopeOf(call.identity), params.store_id, query),
    }),
  });
}

function singleRows(registry: Registry): Operation[] {
  return [
    operation({
      id: 'getProduct',
      method: 'GET',
      path: `${BASE}/products/{product_id}`,
      tag: 'Registry',
      summary: 'Get a product',
      access: 'merchant',
      params: ProductParams,
      responses: { 200: { description: 'The product.', schema: ProductSchema } },
      errors: ['product_unknown'],
      handle: async ({ params }, call) => ({
        status: 200,
        headers: PRIVATE,
        body: await getProduct(registry, scopeOf(call.identity), params.product_id),
      }),
    }),
    operation({
      id: 'updateProduct',
      method: 'PATCH',
      path: `${BASE}/products/{product_id}`,
      tag: 'Registry',
      summary: 'Change a product',
      description: 'disabled is for the operator: a disabled product is served to nobody (404).',
      access: 'merchant',
      params: ProductParams,
      body: ProductPatchSchema,
      responses: { 200: { description: 'The product.', schema: ProductSchema } },
      errors: ['product_unknown', 'forbidden', 'conflict'],
      handle: async ({ params, body }, call) => ({
        status: 200,
        headers: PRIVATE,
        body: await patchProduct(registry, scopeOf(call.identity), params.product_id, body),
      }),
    }),
    operation({
      id: 'deleteProduct',
      method: 'DELETE',
      path: `${BASE}/products/{product_id}`,
      tag: 'Registry',
      summary: 'Delete a product',
      description: 'A later row with its externalProductId brings it back, under the same id.',
      access: 'merchant',
      params: ProductParams,
      responses: { 204: { description: 'It is gone.' } },
      errors: ['product_unknown'],
      handle: async ({ params }, call) => {
        await deleteProduct(registry, scopeOf(call.identity), params.product_id);
        return { status: 204 };
      },
    }),
  ];
}
