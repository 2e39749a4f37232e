import { z } from 'zod';
import { defineOperation, type Wire } from '../operation.ts';
import { PRODUCT_STATES, type ProductState } from '../product-states.ts';
import { nextCursor, REGISTRY_BASE, uuidParameter } from './shared.ts';
import { StoreParams } from './stores.ts';
import { jsonBytes, siteUrl, text, webUrl } from './text-fields.ts';

const common = { tag: 'Registry', access: 'merchant', noStore: true } as const;

export const MAX_IMAGES = 250;
export const MAX_ATTRIBUTES = 50;
const MAX_ROWS = 1000;

/**
 * Maximum bytes of the texts of one row in a proof, including the longest image address (for an asset's proof). With
 * the limits of a store and the fixed claims, a proof stays under the 8 KB that verifiers accept.
 */
const PROOF_BUDGET = 2400;

const optionalText = z.string().trim().max(200);

const ImageInputSchema = z
  .strictObject({ url: webUrl(), externalId: text(200).optional() })
  .meta({ id: 'ImageInput' });

const AttributeSchema = z.strictObject({ name: text(200), value: z.string().trim().max(1000) });

const attributes = z.array(AttributeSchema).max(MAX_ATTRIBUTES);

/** Names of schema.org ItemAvailability that a product may have. */
export const AVAILABILITIES = [
  'InStock',
  'LimitedAvailability',
  'OnlineOnly',
  'InStoreOnly',
  'MadeToOrder',
  'BackOrder',
  'PreOrder',
  'PreSale',
  'OutOfStock',
  'SoldOut',
  'Reserved',
  'Discontinued',
] as const;

const PriceSchema = z
  .strictObject({
    amount: z
      .string()
      .regex(/^\d{1,12}(\.\d{1,4})?$/, 'It must be a decimal such as 24.90, without sign and currency')
      .meta({ example: '24.90' }),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, 'It must be a code of ISO 4217, such as EUR')
      .meta({ example: 'EUR' }),
    includesTax: z.boolean().optional().meta({
      description:
        'Absent: unknown; pages that ask more or less by a usual rate of tax are then no difference.',
    }),
  })
  .meta({ id: 'Price' });

const price = PriceSchema.meta({
  description: 'What anyone pays now for one item. Leave it out if variants have different prices.',
});
const availability = z
  .enum(AVAILABILITIES)
  .meta({ description: 'As schema.org names it. Leave it out if variants differ.' });

/** One row of PUT …/products: a complete product. */
export const ProductRowSchema = z
  .strictObject({
    externalProductId: text(200).meta({ description: "The shop's own identifier of the product." }),
    url: siteUrl().meta({ description: 'Product page; its host must be a domain of the store.' }),
    name: text(300),
    sku: optionalText.optional(),
    gtin: optionalText.optional(),
    brand: optionalText.optional(),
    visible: z.boolean().optional().meta({ description: 'Absent: unchanged; a new product is visible.' }),
    images: z
      .array(ImageInputSchema)
      .max(MAX_IMAGES)
      .optional()
      .meta({ description: 'All images, in order. Absent: unchanged.' }),
    attributes: attributes.optional(),
    price: price.optional(),
    availability: availability.optional(),
  })
  .refine((row) => fitsProof(row), {
    message: `Addresses, name and identifier together exceed ${PROOF_BUDGET} bytes, the most that a proof can hold`,
  })
  .meta({ id: 'ProductRow', description: 'A product as described by the shop.' });

/** Bytes of a product's texts that a proof repeats. */
function proofBytes(row: {
  url: string;
  name: string;
  externalProductId: string;
  images?: readonly { url: string }[] | undefined;
}): number {
  const longestImage = Math.max(0, ...(row.images ?? []).map((image) => jsonBytes(image.url)));
  return jsonBytes(row.url) + jsonBytes(row.name) + jsonBytes(row.externalProductId) + longestImage;
}

export function fitsProof(row: Parameters<typeof proofBytes>[0]): boolean {
  return proofBytes(row) <= PROOF_BUDGET;
}

const ProductPatchSchema = z
  .strictObject({
    name: text(300).optional(),
    url: siteUrl().optional(),
    sku: optionalText.nullable().optional().meta({ description: 'null removes it.' }),
    gtin: optionalText.nullable().optional(),
    brand: optionalText.nullable().optional(),
    attributes: attributes.optional(),
    price: price.nullable().optional(),
    availability: availability.nullable().optional(),
    visible: z.boolean().optional(),
    disabled: z
      .boolean()
      .optional()
      .meta({ description: 'Set by the operator: a disabled product is not served (404).' }),
  })
  .meta({ id: 'ProductPatch' });

const ImagesAddSchema = z
  .strictObject({ images: z.array(ImageInputSchema).min(1).max(MAX_IMAGES) })
  .meta({ id: 'ImagesAdd' });

const ImageSchema = z
  .object({
    id: z.uuid(),
    url: z.string(),
    externalId: z.string().optional(),
    encodingFormat: z.string().optional(),
    width: z.int().optional(),
    height: z.int().optional(),
  })
  .meta({ id: 'Image', description: 'An image of a product; its id is that of the asset certificate.' });

const ImagesSchema = z.object({ images: z.array(ImageSchema) }).meta({ id: 'Images' });

export const ProductSchema = z
  .object({
    id: z.uuid(),
    storeId: z.uuid(),
    externalProductId: z.string(),
    name: z.string(),
    url: z.string(),
    sku: z.string().optional(),
    gtin: z.string().optional(),
    brand: z.string().optional(),
    attributes: z.array(z.object({ name: z.string(), value: z.string() })),
    price: price.optional(),
    pricedAt: z.iso.datetime().optional().meta({ description: 'When this price was first sent.' }),
    availability: availability.optional(),
    visible: z.boolean(),
    disabled: z.boolean(),
    state: z.enum(PRODUCT_STATES),
    images: z.array(ImageSchema),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime().meta({ description: 'When a field or the images last changed.' }),
    withdrawnAt: z.iso.datetime().optional().meta({
      description: 'Certificates issued until then were withdrawn for good.',
    }),
  })
  .meta({ id: 'RegisteredProduct', description: 'A product as stored in the registry.' });

const ProductListSchema = z
  .object({
    products: z.array(ProductSchema),
    nextCursor,
  })
  .meta({ id: 'ProductList' });

const ProductListQuerySchema = z.strictObject({
  state: z.enum(PRODUCT_STATES).optional().meta({ description: 'Absent: all except `deleted`.' }),
  externalProductId: text(200)
    .optional()
    .meta({ description: 'Only the product with this identifier of the shop.' }),
  sku: text(200).optional(),
  gtin: text(200).optional(),
  q: text(200).optional().meta({
    description:
      'Words of the name in any order, case-insensitive; the beginning of each is enough: "blu cup" finds "Cup, sky-blue".',
  }),
  updatedSince: z.iso
    .datetime({ offset: true })
    .optional()
    .meta({ description: 'Only products changed at or after this time, sorted by their last change.' }),
  cursor: z
    .string()
    .max(100)
    .optional()
    .meta({ description: '`nextCursor` of the previous page of the same list.' }),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});

const count = z.int();

const ProductCountsSchema = z
  .object({
    total: count.meta({ description: 'All except deleted ones.' }),
    states: z.object({
      active: count,
      hidden: count,
      host_lost: count,
      paused: count,
      no_slot: count,
      disabled: count,
      deleted: count,
    }),
  })
  .meta({ id: 'ProductCounts', description: 'Number of products of a store in each state.' });

const RowResultSchema = z
  .object({
    externalProductId: z.string().optional().meta({ description: 'As sent, if it was a string.' }),
    id: z.uuid().optional().meta({ description: 'Absent if the row was rejected.' }),
    status: z.enum(['created', 'updated', 'unchanged', 'revived', 'error']),
    state: z.enum(PRODUCT_STATES).optional().meta({
      description:
        'State of the product after the call: only `active` products publish a certificate. Absent if the row was rejected.',
    }),
    keptHidden: z.literal(true).optional().meta({
      description:
        'Its certificates were withdrawn by hand: whatever `visible` the row states, it stays hidden until its merchant shows it.',
    }),
    errors: z
      .array(
        z.object({
          loc: z.array(z.union([z.string(), z.number()])),
          msg: z.string(),
          type: z.string().meta({
            description:
              'The reason: a type as in a 422, or host_not_of_store, id_repeated or row_exceeds_proof.',
          }),
        }),
      )
      .optional(),
  })
  .meta({ id: 'RowResult', description: 'Result of one row; a rejected row (`error`) changed nothing.' });

/** The last line of a response that was aborted by a fault. */
const RowsAbortedSchema = z.object({ status: z.literal('aborted'), code: z.string(), detail: z.string() });

/** One line of the response to NDJSON. */
const RowLineSchema = z.union([RowResultSchema, RowsAbortedSchema]);

const RowResultsSchema = z.object({ results: z.array(RowResultSchema) }).meta({ id: 'RowResults' });

export type Price = Wire<z.infer<typeof PriceSchema>>;
export type Availability = (typeof AVAILABILITIES)[number];
export type ProductList = Wire<z.infer<typeof ProductListSchema>>;
export type ProductListQuery = z.output<typeof ProductListQuerySchema>;
export type ProductCounts = Wire<z.infer<typeof ProductCountsSchema>>;
export type ProductRow = z.infer<typeof ProductRowSchema>;
export type ProductPatch = z.infer<typeof ProductPatchSchema>;
export type ProductView = Wire<z.infer<typeof ProductSchema>>;
export type ImageView = Wire<z.infer<typeof ImageSchema>>;
export type ImageInput = z.infer<typeof ImageInputSchema>;
export type RowResult = Wire<z.infer<typeof RowResultSchema>>;
export type RowLine = Wire<z.infer<typeof RowLineSchema>>;
export type RowError = NonNullable<RowResult['errors']>[number];
export { PRODUCT_STATES, type ProductState };

export const ProductParams = z.object({ product_id: uuidParameter('The product.') });
export const ImageParams = z.object({ image_id: uuidParameter('The image.') });

/**
 * Bytes: a thousand rows with the images of a typical product, with a margin. Parsing an array blocks the event loop;
 * larger input must be sent as NDJSON, which does not.
 */
const ROWS_LIMIT = 8 * 1024 * 1024;

const { $schema: _, ...rowShape } = z.toJSONSchema(ProductRowSchema, { io: 'input' });

/**
 * The body as an array of anything. Its rows are described by their schema but validated one by one, so that an invalid
 * row does not affect the others.
 */
const ProductRowsSchema = z
  .array(z.unknown().meta({ ...rowShape, id: 'ProductRow' }))
  .max(MAX_ROWS, 'send more as NDJSON, with Content-Type: application/x-ndjson');

const UPSERT = `Adds and updates products by \`externalProductId\`. Every row gets a result, in order; a rejected row changes
nothing and does not affect other rows. Send up to 1,000 rows as a JSON array, or any number as \`application/x-ndjson\`, one
object per line; the response is then NDJSON too, one result per line, and a last line
\`{"status":"aborted","code":…}\` if an error interrupted it. A row describes the whole product; only \`visible\` and
\`images\` keep their values if omitted. Products without a row are not changed. No row shows a product whose certificates
were withdrawn by hand (\`keptHidden\`).`;

export const putProducts = defineOperation({
  ...common,
  id: 'putProducts',
  method: 'PUT',
  path: `${REGISTRY_BASE}/stores/{store_id}/products`,
  summary: 'Add or update products',
  description: UPSERT,
  params: StoreParams,
  body: ProductRowsSchema,
  bodyLimit: ROWS_LIMIT,
  acceptsNdjson: true,
  replies: { 200: { description: 'One result per row.', schema: RowResultsSchema, line: RowLineSchema } },
  errors: ['store_unknown'],
});

const LIST = `Sorted by creation or, with \`updatedSince\`, by the last change. Products must match all given parameters. When
polling with \`updatedSince\`, go back one minute each time: a change may become visible a little after its time. Deleted
products are listed only with \`state=deleted\`.`;

export const listProducts = defineOperation({
  ...common,
  id: 'listProducts',
  method: 'GET',
  path: `${REGISTRY_BASE}/stores/{store_id}/products`,
  summary: 'List products of a store',
  description: LIST,
  params: StoreParams,
  query: ProductListQuerySchema,
  replies: { 200: { description: 'One page of products.', schema: ProductListSchema } },
  errors: ['store_unknown', 'bad_request'],
});

export const countProducts = defineOperation({
  ...common,
  id: 'countProducts',
  method: 'GET',
  path: `${REGISTRY_BASE}/stores/{store_id}/products/counts`,
  summary: 'Count the products of a store by state',
  params: StoreParams,
  replies: { 200: { description: 'Number of products in each state.', schema: ProductCountsSchema } },
  errors: ['store_unknown'],
});

export const getProduct = defineOperation({
  ...common,
  id: 'getProduct',
  method: 'GET',
  path: `${REGISTRY_BASE}/products/{product_id}`,
  summary: 'Get a product',
  params: ProductParams,
  replies: { 200: { description: 'The product.', schema: ProductSchema } },
  errors: ['product_unknown'],
});

export const updateProduct = defineOperation({
  ...common,
  id: 'updateProduct',
  method: 'PATCH',
  path: `${REGISTRY_BASE}/products/{product_id}`,
  summary: 'Change a product',
  description: 'Only the operator may change disabled.',
  params: ProductParams,
  body: ProductPatchSchema,
  replies: { 200: { description: 'The product.', schema: ProductSchema } },
  errors: ['product_unknown', 'forbidden', 'conflict'],
});

export const deleteProduct = defineOperation({
  ...common,
  id: 'deleteProduct',
  method: 'DELETE',
  path: `${REGISTRY_BASE}/products/{product_id}`,
  summary: 'Delete a product',
  description: 'A later row with its externalProductId restores it under the same id.',
  params: ProductParams,
  replies: { 204: { description: 'The product is deleted.' } },
  errors: ['product_unknown'],
});

export const addImages = defineOperation({
  ...common,
  id: 'addImages',
  method: 'POST',
  path: `${REGISTRY_BASE}/products/{product_id}/images`,
  summary: 'Add images to a product',
  description:
    'Appends images to those of the product. An address that the product had before gets its former id.',
  idempotent: true,
  params: ProductParams,
  body: ImagesAddSchema,
  replies: { 201: { description: 'All images of the product, in order.', schema: ImagesSchema } },
  errors: ['product_unknown', 'conflict'],
});

export const removeImage = defineOperation({
  ...common,
  id: 'removeImage',
  method: 'DELETE',
  path: `${REGISTRY_BASE}/images/{image_id}`,
  summary: 'Remove an image from its product',
  params: ImageParams,
  replies: { 204: { description: 'The image is removed; its certificate returns 404.' } },
  errors: ['image_unknown'],
});
