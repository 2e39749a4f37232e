import { z } from 'zod';
import {
  AGREEMENT_FIELDS,
  AGREEMENT_OUTCOMES,
  type AgreementField,
  FIELD_RESULTS,
  STATEMENT_SOURCES,
} from '../agreement/types.ts';
import { PAGE_VERDICTS } from '../page-verdicts.ts';
import { Uuid, type Wire } from './parts.ts';
import {
  ChecksSchema,
  ConclusionSchema,
  SignedSchema,
  VerifierSchema,
  WithdrawalSchema,
} from './product-verification.ts';

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
        description:
          'cached: use a recent observation if there is one; fresh: fetch the page now (10 a minute).',
      }),
    images: z
      .enum(['match'])
      .nullish()
      .transform((images) => images ?? undefined)
      .meta({
        description:
          'match: also fetch the images of the page (up to 12 images and 40 MB in all) and report in the findings which of them are certified. The verdict does not change.',
      }),
    explain: z
      .boolean()
      .nullish()
      // null and false are the same as absent
      .transform((explain) => explain === true || undefined)
      .meta({
        description:
          'true: also return, for each fact, all values that the page states, with their sources and weights, and why one was chosen.',
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
        'How far the sources of this value outweigh those of other values, and how strong they are: 1 is a strong source without contradiction. Not a probability. Only for price, currency, availability, sku and brand.',
    }),
    doubts: z.array(z.enum(FACT_DOUBTS)).optional().meta({
      description:
        'Absent if there are none. sources_disagree: another source of weight states a different value; inferred: derived, not stated; range_low_end: the low end of a range; weak_source: stated only by a weak source.',
    }),
  })
  .meta({ id: 'Fact', description: 'A value that the page states, with its source.' });

const fact = FactSchema.nullable();

/** The variant that the facts are about. */
const VariantFactSchema = FactSchema.extend({
  id: z.string().optional().meta({ description: 'The id of the variant in the shop.' }),
  chosen_by: z
    .enum(['address', 'page'])
    .meta({ description: 'Whether the address or the page selects this variant.' }),
}).meta({ id: 'VariantFact', description: 'The variant selected by the address or the page.' });

/** The lowest and the highest price of all variants or sellers; decimals. */
const OffersFactSchema = FactSchema.extend({ low: z.string(), high: z.string() }).meta({
  id: 'OffersFact',
  description: 'The price range that the page states for its variants or sellers.',
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
        weight: z.number().meta({ description: 'The weight of this source.' }),
        score: z.number().meta({
          description: 'Of all sources of this value: the highest weight, and a share of the others.',
        }),
        chosen: z.boolean(),
      }),
    ),
  })
  .meta({
    id: 'FactExplanation',
    description: 'All values that the page states for a fact, highest weight first.',
  });

const texts = z.union([z.string(), z.array(z.string())]).optional();

const FieldAgreementSchema = z.object({
  result: z.enum(FIELD_RESULTS),
  signed: texts,
  stated: texts,
  source: z.enum(STATEMENT_SOURCES).optional(),
});

/** How far the page states what was signed. */
export const AgreementSchema = z
  .object({
    outcome: z.enum(AGREEMENT_OUTCOMES),
    fields: z.object(
      Object.fromEntries(AGREEMENT_FIELDS.map((name) => [name, FieldAgreementSchema])) as Record<
        AgreementField,
        typeof FieldAgreementSchema
      >,
    ),
  })
  .meta({
    id: 'Agreement',
    description:
      'The page’s own statements compared with what was signed. same: it names the signed product; different: it names something else; unclear: that could not be told; nothing: it states nothing to compare. `stated` is text of the page.',
  });

/** A certified product that a page lists. */
const ListedProductSchema = z
  .object({
    product_id: z.string(),
    url: z.string().meta({ description: 'The signed address of its page, where it is verified.' }),
    name: z.string(),
    expired: z
      .boolean()
      .optional()
      .meta({ description: 'true: its certificate has expired. Otherwise absent.' }),
  })
  .meta({ id: 'ListedProduct', description: 'As signed.' });

/** How a host name resembles another (UTS #39, and what people mistype or add). A closed list. */
export const RESEMBLANCE_KINDS = [
  'confusable_characters',
  'as_subdomain',
  'another_suffix',
  'hyphens',
  'added_words',
  'swapped_letters',
  'doubled_letter',
  'omitted_letter',
  'similar_spelling',
] as const;

/** What the registry knows that is alike to the page, by kind; `lookalike_host` is the first of a closed list. */
const RelatedSchema = z
  .object({
    kind: z.enum(['lookalike_host']),
    host: z
      .string()
      .meta({ description: 'A host whose control is proven. The host of the page is none of its owner’s.' }),
    provenSince: z
      .string()
      .meta({ description: 'Year and month (UTC) since which control of it is proven.' }),
    resemblance: z
      .array(z.enum(RESEMBLANCE_KINDS))
      .meta({ description: 'How the host of the page resembles it.' }),
  })
  .meta({ id: 'RelatedToPage', description: 'A fact, which accuses nobody.' });

/** What a claim of a page is: a closed list. */
export const CLAIM_KINDS = ['certification', 'credential', 'product_passport', 'digital_link'] as const;

/** A certification or credential of somebody else that a page states, and that nobody verified. */
const PageClaimSchema = z
  .object({
    kind: z.enum(CLAIM_KINDS).meta({
      description:
        'certification: a schema.org Certification, or a link to one; credential: a W3C Verifiable Credential; product_passport: a digital product passport; digital_link: a GS1 Digital Link, by which the product is that of a GTIN.',
    }),
    name: z.string().optional(),
    id: z
      .string()
      .optional()
      .meta({ description: 'The number in a register, the GTIN, or the id of a credential.' }),
    issuer: z
      .object({ name: z.string().optional(), id: z.string().optional() })
      .optional()
      .meta({ description: 'Who is said to certify.' }),
    url: z.string().optional().meta({ description: 'Where the page says that more is to be found.' }),
    source: z.enum(['jsonld', 'html']),
    field: z.string(),
  })
  .meta({
    id: 'PageClaim',
    description: 'Claimed by the page, not proven here: nothing of it was fetched or verified.',
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
      description: 'When the page was requested. For an address that is not fetched: when that was decided.',
    }),
    platform_detected: z.enum(['shopify', 'woocommerce', 'custom']),
    verdict: z.enum(PAGE_VERDICTS),
    conclusion: ConclusionSchema,
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
      withdrawal: WithdrawalSchema.optional(),
      list: z.array(ListedProductSchema).optional().meta({
        description:
          'The products of a page that lists certified products of its own shop and states none of its own: signed values. At most 50.',
      }),
    }),
    // of a verified certificate
    agreement: AgreementSchema.optional(),
    // if there is any
    related: z.array(RelatedSchema).optional(),
    claims: z.array(PageClaimSchema).optional().meta({
      description:
        'What others are said to certify: claims of the page, not proven here, which change no verdict. At most 20. Absent if there is none.',
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

/** What the registry knows that is alike to the page. */
export type RelatedToPage = Wire<z.output<typeof RelatedSchema>>;

/** A certification or credential of somebody else that a page states, and that nobody verified. */
export type PageClaim = Wire<z.output<typeof PageClaimSchema>>;

/** One fact stated by the page. */
export type Fact = Wire<z.output<typeof FactSchema>>;

/** The candidates from which a fact was chosen. */
export type FactExplanation = Wire<z.output<typeof FactExplanationSchema>>;

/** Response of a page check (spec "Page check report"). */
export type PageReport = Wire<z.output<typeof PageCheckReportSchema>>;
