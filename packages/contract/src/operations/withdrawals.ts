import { z } from 'zod';
import { defineOperation, type Wire } from '../operation.ts';
import { ProductParams, ProductSchema } from './products.ts';
import { nextCursor, REGISTRY_BASE } from './shared.ts';
import { text } from './text-fields.ts';

const common = { tag: 'Registry', access: 'merchant', noStore: true } as const;

/** Why something is withdrawn, in the words of whoever withdraws it. */
export const withdrawalReason = text(500).optional().meta({
  description: 'Why, in your words; listed with the withdrawal, and shown to nobody else.',
});

const ProductWithdrawalSchema = z
  .strictObject({
    reason: withdrawalReason,
    reissue: z.boolean().optional().meta({
      description:
        'true: the product gets new certificates at once. Default: it is hidden too, and gets new ones when you show it again: by changing `visible`, or by the action `show`. Rows of the shop do not.',
    }),
  })
  .meta({ id: 'ProductWithdrawal' });

export type ProductWithdrawal = z.infer<typeof ProductWithdrawalSchema>;

const WITHDRAW = `Withdraws all certificates of the product and of its images that were issued until now, for good: wherever it
is looked, they are invalid from then on, and stay so. To suspend them, hide the product instead. Repeating the call withdraws what was
issued in between.`;

export const withdrawProduct = defineOperation({
  ...common,
  id: 'withdrawProduct',
  method: 'POST',
  path: `${REGISTRY_BASE}/products/{product_id}/withdraw`,
  summary: 'Withdraw the certificates of a product',
  description: WITHDRAW,
  idempotent: true,
  params: ProductParams,
  body: ProductWithdrawalSchema,
  replies: { 200: { description: 'The product.', schema: ProductSchema } },
  errors: ['product_unknown'],
});

const WithdrawalSchema = z
  .object({
    id: z.string(),
    merchantId: z.uuid(),
    storeId: z.uuid().optional(),
    productId: z.uuid().optional().meta({ description: 'Absent if a key was revoked.' }),
    productName: z.string().optional().meta({ description: 'As the product is called now.' }),
    externalProductId: z.string().optional().meta({ description: 'Of the product.' }),
    deleted: z.enum(['product', 'store']).optional().meta({
      description: 'What has been deleted by now: the product, or its store; absent: neither.',
    }),
    kid: z.string().optional().meta({
      description: 'The revoked key: all certificates that it had signed were withdrawn.',
    }),
    cause: z.enum(['by_hand', 'deleted', 'disabled', 'host_lost', 'key_revoked', 'restored']).meta({
      description:
        '`restored`: published status lists call it withdrawn; the database, restored from a backup, has forgotten why.',
    }),
    reason: z.string().optional().meta({ description: 'As whoever withdrew it stated it.' }),
    byKey: z.uuid().optional().meta({
      description: 'API key of whoever caused it; absent if nobody did, as when a host is lost.',
    }),
    byRole: z.enum(['merchant', 'operator']).optional().meta({
      description: 'Whose key that is: of the merchant, or of the operator of the service.',
    }),
    byLabel: z.string().optional().meta({
      description: 'Label of that key if it is of the merchant and has one, also once it is revoked.',
    }),
    changeId: z.uuid().optional().meta({ description: 'The action on many products.' }),
    at: z.iso.datetime(),
  })
  .meta({ id: 'Withdrawal', description: 'Certificates that were withdrawn for good.' });

const WithdrawalListSchema = z
  .object({ withdrawals: z.array(WithdrawalSchema), nextCursor })
  .meta({ id: 'WithdrawalList' });

export type WithdrawalList = Wire<z.infer<typeof WithdrawalListSchema>>;

const WithdrawalListQuerySchema = z.strictObject({
  merchantId: z
    .guid()
    .optional()
    .meta({ description: 'For operators, who name a merchant, store or product.' }),
  storeId: z.guid().optional(),
  productId: z.guid().optional(),
  cursor: z
    .string()
    .regex(/^\d{1,18}$/)
    .optional()
    .meta({ description: '`nextCursor` of the previous page.' }),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});

export type WithdrawalListQuery = z.output<typeof WithdrawalListQuerySchema>;

export const listWithdrawals = defineOperation({
  ...common,
  id: 'listWithdrawals',
  method: 'GET',
  path: `${REGISTRY_BASE}/withdrawals`,
  summary: 'List withdrawals',
  description:
    'What was withdrawn for good, when, why and by whom, the latest first; kept for as long as the merchant is.',
  query: WithdrawalListQuerySchema,
  replies: { 200: { description: 'One page of withdrawals.', schema: WithdrawalListSchema } },
  errors: ['bad_request'],
});
