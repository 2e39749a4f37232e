import { z } from 'zod';
import { PAGE_VERDICTS } from '../page-verdicts.ts';
import { Uuid, type Wire } from './parts.ts';
import { ChecksSchema, SignedSchema, VerifierSchema } from './product-verification.ts';

/** Whether a string is an absolute http or https URL by WHATWG rules, regardless of whether it may be fetched. */
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
      // null is the same as absent
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
    explain: z
      .boolean()
      .nullish()
      // null and false are the same as absent
      .transform((explain) => explain === true || undefined)
      .meta({
        description:
          'true: also tell, for each fact, every value that the page gives for it, from where, with which weight, and why one was taken.',
      }),
  })
  .meta({ id: 'PageCheckRequest' });

/** Reasons for a lower confidence in a fact; a closed list. */
export const FACT_DOUBTS = ['sources_disagree', 'inferred', 'range_low_end', 'weak_source'] as const;

const SOURCES = ['jsonld', 'meta', 'html'] as const;
const read = { value: z.string(), source: z.enum(SOURCES), field: z.string() };

/** One fact stated by the page, with its exact source: a `field` is for example `offers.price` or `og:title`. */
export const FactSchema = z
  .object({
    ...read,
    confidence: z.number().min(0).max(1).optional().meta({
      description:
        'How far the sources that give this value outweigh those that give another one, and how strong they are: 1 is a strong source that nothing contradicts. No probability. Of price, currency, availability, sku and brand.',
    }),
    doubts: z.array(z.enum(FACT_DOUBTS)).optional().meta({
      description:
        'Absent where there is none. sources_disagree: another place of weight says otherwise; inferred: concluded, not stated; range_low_end: the low end of a range; weak_source: only a weak place says so.',
    }),
  })
  .meta({ id: 'Fact', description: 'What the page says, and where it says so.' });

const fact = FactSchema.nullable();

/** The variant that the facts are about. */
const VariantFactSchema = FactSchema.extend({
  id: z.string().optional().meta({ description: 'Its id in the database of the shop.' }),
  chosen_by: z.enum(['address', 'page']).meta({ description: 'What says that it is this variant.' }),
}).meta({ id: 'VariantFact', description: 'The variant that the address or the page has selected.' });

/** The lowest and the highest price of all variants or sellers; decimals. */
const OffersFactSchema = FactSchema.extend({ low: z.string(), high: z.string() }).meta({
  id: 'OffersFact',
  description: 'The range of prices that the page states for its variants or sellers.',
});

/** The candidates from which a fact was chosen. */
export const FactExplanationSchema = z
  .object({
    fact: z.string(),
    // a closed list
    because: z.enum(['only_value', 'sources_agree', 'heaviest', 'zero_set_aside', 'garbled_set_aside']),
    candidates: z.array(
      z.object({
        ...read,
        weight: z.number().meta({ description: 'What this place is worth.' }),
        score: z.number().meta({
          description: 'Of all places that give this value: the best weight, and a share of the others.',
        }),
        chosen: z.boolean(),
      }),
    ),
  })
  .meta({
    id: 'FactExplanation',
    description: 'Every value that the page gives for a fact, the heaviest first.',
  });

/** Spec "Page check report". A fact that the page does not state is `null`. */
export const PageCheckReportSchema = z
  .object({
    id: Uuid,
    url: z.string(),
    // after redirects
    final_url: z.string(),
    // when the page was fetched, not the time of this response
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
      // absent in older reports, both of them
      variant: VariantFactSchema.nullable().optional(),
      offers: OffersFactSchema.nullable().optional(),
    }),
    // about the certificate that decided the verdict: registry data and signed claims, never an unverified claim
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
    // if requested
    explanation: z.array(FactExplanationSchema).optional(),
    // absent in older reports, which are stored unchanged
    verifier: VerifierSchema.optional(),
  })
  .meta({ id: 'PageCheckReport' });

/** One fact stated by the page. */
export type Fact = Wire<z.output<typeof FactSchema>>;

/** The candidates from which a fact was chosen. */
export type FactExplanation = Wire<z.output<typeof FactExplanationSchema>>;

/** Response of a page check (spec "Page check report"). */
export type PageReport = Wire<z.output<typeof PageCheckReportSchema>>;
