import { z } from 'zod';
import { jsonBytes, siteUrl, text, webUrl } from './text.ts';

export const MAX_IMAGES = 250;
export const MAX_ATTRIBUTES = 50;
export const MAX_ROWS = 1000;

/**
 * Bytes that the texts of one row may take in a proof, the longest image address included (an asset's proof
 * carries it). With the caps of a store and the fixed claims a proof stays under 8 KB (decision 13).
 */
const PROOF_BUDGET = 2900;

const optionalText = z.string().trim().max(200);

const ImageInputSchema = z
  .strictObject({ url: webUrl(), externalId: text(200).optional() })
  .meta({ id: 'ImageInput' });

const AttributeSchema = z.strictObject({ name: text(200), value: z.string().trim().max(1000) });

const attributes = z.array(AttributeSchema).max(MAX_ATTRIBUTES);

/** One row of PUT …/products: the whole product. */
export const ProductRowSchema = z
  .strictObject({
    externalProductId: text(200).meta({ description: "The shop's own identifier." }),
    url: siteUrl().meta({ description: 'Product page; its host must be a domain of the store.' }),
    name: text(300),
    sku: optionalText.optional(),
    gtin: optionalText.optional(),
    brand: optionalText.optional(),
    visible: z.boolean().optional().meta({ description: 'Absent: as it was; a new product is visible.' }),
    images: z
      .array(ImageInputSchema)
      .max(MAX_IMAGES)
      .optional()
      .meta({ description: 'All images, in order. Absent: as they were.' }),
    attributes: attributes.optional(),
  })
  .refine((row) => fitsProof(row), {
    message: `Addresses, name and identifier together are over ${PROOF_BUDGET} bytes, more than a proof can hold`,
  })
  .meta({ id: 'ProductRow', description: 'A product as the shop knows it.' });

/** Bytes of what a proof repeats of a product. */
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

export const ProductPatchSchema = z
  .strictObject({
    name: text(300).optional(),
    url: siteUrl().optional(),
    sku: optionalText.nullable().optional().meta({ description: 'null takes it away.' }),
    gtin: optionalText.nullable().optional(),
    brand: optionalText.nullable().optional(),
    attributes: attributes.optional(),
    visible: z.boolean().optional(),
    disabled: z
      .boolean()
      .optional()
      .meta({ description: 'By the operator: the product is served to nobody.' }),
  })
  .meta({ id: 'ProductPatch' });

export const ImagesAddSchema = z
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

export const ImagesSchema = z.object({ images: z.array(ImageSchema) }).meta({ id: 'Images' });

/** Every product is in exactly one of these. */
const PRODUCT_STATES = ['active', 'hidden', 'host_lost', 'paused', 'no_slot', 'disabled', 'deleted'] as const;

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
    visible: z.boolean(),
    disabled: z.boolean(),
    state: z.enum(PRODUCT_STATES),
    images: z.array(ImageSchema),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime().meta({ description: 'When a field or the images last changed.' }),
  })
  .meta({ id: 'RegisteredProduct', description: 'A product as the registry knows it.' });

export const ProductListSchema = z
  .object({
    products: z.array(ProductSchema),
    nextCursor: z.string().optional().meta({ description: 'Absent on the last page.' }),
  })
  .meta({ id: 'ProductList' });

export const ProductListQuerySchema = z.object({
  state: z.enum(PRODUCT_STATES).optional().meta({ description: 'Absent: all but the deleted.' }),
  cursor: z.string().max(100).optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});

const RowResultSchema = z
  .object({
    externalProductId: z.string().optional().meta({ description: 'As it was sent, where it was text.' }),
    id: z.uuid().optional().meta({ description: 'Absent for a row in error.' }),
    status: z.enum(['created', 'updated', 'unchanged', 'revived', 'error']),
    state: z.enum(PRODUCT_STATES).optional().meta({
      description:
        'In which it was left: only an `active` product publishes a certificate. Absent for a row in error.',
    }),
    errors: z
      .array(
        z.object({
          loc: z.array(z.union([z.string(), z.number()])),
          msg: z.string(),
          type: z.string(),
        }),
      )
      .optional(),
  })
  .meta({ id: 'RowResult', description: 'What became of one row; a row in error changed nothing.' });

export const RowResultsSchema = z.object({ results: z.array(RowResultSchema) }).meta({ id: 'RowResults' });

export type ProductRow = z.infer<typeof ProductRowSchema>;
export type ProductPatch = z.infer<typeof ProductPatchSchema>;
export type ProductView = z.infer<typeof ProductSchema>;
export type ImageView = z.infer<typeof ImageSchema>;
export type ImageInput = z.infer<typeof ImageInputSchema>;
export type RowResult = z.infer<typeof RowResultSchema>;
export type RowError = NonNullable<RowResult['errors']>[number];
export type ProductState = (typeof PRODUCT_STATES)[number];
