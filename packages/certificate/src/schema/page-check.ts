import { z } from 'zod';
import { PAGE_VERDICTS } from '../page-verdicts.ts';
import { Uuid, type Wire } from './parts.ts';
import { ChecksSchema, SignedSchema, VerifierSchema } from './product-verification.ts';

/** Whether a text is an absolute http or https URL by WHATWG rules, whether or not it may be fetched. */
function isWebAddress(text: string): boolean {
  const protocol = URL.parse(text)?.protocol;
  return protocol === 'http:' || protocol === 'https:';
}

/** Body of `POST …/page-checks`. */
export const PageCheckRequestSchema = z
  .object({
    url: z
      .string()
      .refine(isWebAddress, {
        message: 'Input should be an absolute http or https URL',
        params: { type: 'url_parsing' },
      })
      .meta({ description: 'Address of the product page: an absolute http or https URL.' }),
    freshness: z
      .enum(['cached', 'fresh'])
      .nullish()
      // null is the same as leaving it out
      .transform((freshness) => freshness ?? 'cached')
      .meta({
        default: 'cached',
        description: 'cached: a recent observation will do; fresh: fetch now (10 a minute).',
      }),
    images: z
      .enum(['match'])
      .nullish()
      .transform((images) => images ?? undefined)
      .meta({
        description:
          'match: also fetch the images of the page, up to 12 of them and 40 MB in all, and report, as findings, which are the certified ones. The verdict stays the same.',
      }),
  })
  .meta({ id: 'PageCheckRequest' });

/** One thing that the page says, and where exactly: a `field` is for example `offers.price` or `og:title`. */
export const FactSchema = z
  .object({ value: z.string(), source: z.enum(['jsonld', 'meta', 'html']), field: z.string() })
  .meta({ id: 'Fact', description: 'What the page says, and where it says so.' });

const fact = FactSchema.nullable();

/** Spec "Page check report". A fact that the page does not state is `null`. */
export const PageCheckReportSchema = z
  .object({
    id: Uuid,
    url: z.string(),
    // after redirects
    final_url: z.string(),
    // when the page was fetched, not when this was answered
    fetched_at: z.iso.datetime().meta({
      description: 'When the page was asked for. Of an address that is not fetched: when that was found.',
    }),
    platform_detected: z.enum(['shopify', 'woocommerce', 'custom']),
    verdict: z.enum(PAGE_VERDICTS),
    facts: z.object({
      name: fact,
      description: fact,
      // decimal, point as separator, no currency
      price: fact,
      // ISO 4217
      currency: fact,
      // a schema.org ItemAvailability name, for example InStock
      availability: fact,
      sku: fact,
      brand: fact,
      // absolute addresses
      images: z.array(FactSchema),
    }),
    // of the certificate that decided: what the registry knows and what was signed, never an unverified claim
    mc4p: z.object({
      present: z.boolean(),
      product_id: z.string().optional(),
      issued_to: z.string().optional(),
      status: z.string().optional(),
      signed: SignedSchema.optional(),
      checks: ChecksSchema.optional(),
    }),
    findings: z.array(z.string()),
    warnings: z.array(z.string()),
    errors: z.array(z.string()),
    // reports of before are kept as they were
    verifier: VerifierSchema.optional(),
  })
  .meta({ id: 'PageCheckReport' });

/** One thing that a page says. */
export type Fact = Wire<z.output<typeof FactSchema>>;

/** What a page check answers (spec "Page check report"). */
export type PageReport = Wire<z.output<typeof PageCheckReportSchema>>;
