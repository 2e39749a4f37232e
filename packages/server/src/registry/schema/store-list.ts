import { z } from 'zod';
import { PageQuerySchema } from '../../platform/http/page-query.ts';

const StoreSummarySchema = z
  .object({
    id: z.uuid(),
    merchantId: z.uuid(),
    name: z.string(),
    url: z.string(),
    platform: z.enum(['shopify', 'woocommerce', 'custom']),
  })
  .meta({ id: 'StoreSummary', description: 'A store, as lists show it; GET …/stores/{id} tells all.' });

export const StoreListSchema = z
  .object({
    stores: z.array(StoreSummarySchema),
    nextCursor: z.string().optional().meta({ description: 'Absent on the last page.' }),
  })
  .meta({ id: 'StoreList' });

export const StoreListQuerySchema = z.object({
  merchantId: z.uuid().optional(),
  ...PageQuerySchema.shape,
});

export type StoreList = z.infer<typeof StoreListSchema>;
export type StoreListQuery = z.infer<typeof StoreListQuerySchema>;
