import { z } from 'zod';
import { uuidParameter } from '../platform/http/uuid-parameter.ts';

export const BASE = '/api/v1/registry';

/** Answers hold challenges, keys and what is not public: no cache may keep them. */
export const PRIVATE = { 'cache-control': 'no-store' } as const;

export const MerchantParams = z.object({ merchant_id: uuidParameter('The merchant.') });
export const StoreParams = z.object({ store_id: uuidParameter('The store.') });
export const ProductParams = z.object({ product_id: uuidParameter('The product.') });
export const ImageParams = z.object({ image_id: uuidParameter('The image.') });
