import { z } from 'zod';
import { defineOperation, type Wire } from '../operation.ts';
import { ProductParams } from './products.ts';
import { nextCursor, REGISTRY_BASE } from './shared.ts';

/** Why a proof was issued, compared with the previous one. */
const PROOF_REASONS = [
  'first',
  'renewed',
  'changed',
  'form_changed',
  'key_revoked',
  'withdrawn',
  'not_known',
] as const;

const REASON = `first: the product had no proof before. renewed: the previous proof was about to expire. changed: proven data changed;
\`changed\` lists the members. form_changed: the service changed the format of certificates. key_revoked: the key of the previous
proof was revoked. withdrawn: the previous proof was withdrawn. not_known: the previous proof is no longer kept.`;

/** The proven properties of a product, by their names in this API. */
export const PROVEN_MEMBERS = [
  'externalProductId',
  'name',
  'url',
  'domain',
  'storeName',
  'storeUrl',
  'sku',
  'gtin',
  'brand',
  'attributes',
  'images',
  'control',
] as const;

const STATE = `current: certificates are served with it now. valid: it was replaced, but remains valid on pages that still carry it
until it expires, provided that what it proves is still true. expired: it has expired. key_revoked: its key was revoked, so it
proves nothing. withdrawn: it was withdrawn for good, which verifiers are told.`;

const ProductProofSchema = z.object({
  issuedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  kid: z.string().meta({ description: 'The key that signed it.' }),
  keyRevokedAt: z.iso.datetime().optional(),
  state: z.enum(['current', 'valid', 'expired', 'key_revoked', 'withdrawn']).meta({ description: STATE }),
  reason: z.enum(PROOF_REASONS).meta({ description: REASON }),
  changed: z.array(z.enum(PROVEN_MEMBERS)).optional(),
});

const ProductProofsSchema = z
  .object({
    productId: z.uuid(),
    keptDays: z.number().meta({ description: 'Days for which a proof is kept after it was issued.' }),
    proofs: z.array(ProductProofSchema),
    nextCursor,
  })
  .meta({ id: 'ProductProofs', description: 'The proofs issued for a product, newest first.' });

const ProductProofsQuerySchema = z.strictObject({
  cursor: z
    .string()
    .regex(/^[1-9]\d{0,17}$/, 'Input should be the nextCursor of a page')
    .optional()
    .meta({ description: '`nextCursor` of the previous page.', examples: ['1024'] }),
  limit: z.coerce.number().int().min(1).max(100).default(20),
});

export type ProductProof = Wire<z.infer<typeof ProductProofSchema>>;
export type ProductProofs = Wire<z.infer<typeof ProductProofsSchema>>;
export type ProductProofsQuery = z.infer<typeof ProductProofsQuerySchema>;

export const listProductProofs = defineOperation({
  tag: 'Registry',
  access: 'merchant',
  noStore: true,
  id: 'listProductProofs',
  method: 'GET',
  path: `${REGISTRY_BASE}/products/{product_id}/proofs`,
  summary: 'List the proofs of a product',
  description: `States when and why each proof was issued, with which key, and which one is served now. Visible only to the
merchant. Proofs are kept until a day after they expire.`,
  params: ProductParams,
  query: ProductProofsQuerySchema,
  replies: { 200: { description: 'One page, newest first.', schema: ProductProofsSchema } },
  errors: ['product_unknown'],
});
