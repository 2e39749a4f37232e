import { z } from 'zod';
import { PAGE_VERDICTS } from '../page-verdicts.ts';
import { Uuid } from './parts.ts';
import { ChecksSchema } from './verification-result.ts';

/** Body of `POST …/page-checks`. */
export const PageCheckRequestSchema = z
  .object({
    url: z.string().meta({ description: 'Address of the product page, http or https.' }),
    freshness: z
      .enum(['cached', 'fresh'])
      .default('cached')
      .meta({ description: 'cached: a recent observation will do; fresh: fetch now (10 a minute).' }),
    images: z.enum(['match']).optional().meta({
      description:
        'match: also fetch the images of the page, up to 12 of them and 40 MB in all, and report, as findings, which are the certified ones. The verdict stays the same.',
    }),
  })
  .meta({ id: 'PageCheckRequest' });

/** Spec "Page check report": one thing that the page says. */
export const FactSchema = z
  .object({ value: z.string(), source: z.enum(['jsonld', 'meta', 'html']), field: z.string() })
  .meta({ id: 'Fact', description: 'What the page says, and where it says so.' });

const fact = FactSchema.nullable();

/** Spec "Page check report". */
export const PageCheckReportSchema = z
  .object({
    id: Uuid,
    url: z.string(),
    final_url: z.string(),
    fetched_at: z.iso.datetime(),
    platform_detected: z.enum(['shopify', 'woocommerce', 'custom']),
    verdict: z.enum(PAGE_VERDICTS),
    facts: z.object({
      name: fact,
      description: fact,
      price: fact,
      currency: fact,
      availability: fact,
      sku: fact,
      brand: fact,
      images: z.array(FactSchema),
    }),
    mc4p: z.object({
      present: z.boolean(),
      product_id: z.string().optional(),
      issued_to: z.string().optional(),
      status: z.string().optional(),
      checks: ChecksSchema.optional(),
    }),
    findings: z.array(z.string()),
    warnings: z.array(z.string()),
    errors: z.array(z.string()),
  })
  .meta({ id: 'PageCheckReport' });
