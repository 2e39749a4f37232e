import { RESEMBLANCE_KINDS } from '@touchstone/certificate/schema';
import { z } from 'zod';
import { defineOperation, type Wire } from '../../operation.ts';
import { NOT_MODIFIED, PUBLIC_BASE, REGISTRY_BASE, uuidParameter } from '../../operations/shared.ts';
import { siteUrl } from '../../operations/text-fields.ts';

/** Questions about sites of one caller in any minute. */
export const SITE_QUESTIONS_PER_MINUTE = 30;

const month = (description: string) =>
  z
    .string()
    .regex(/^\d{4}-\d{2}$/)
    .meta({ description, example: '2026-03' });

export const SiteSchema = z
  .object({
    host: z.string().meta({ description: 'Of the address, in ASCII (A-labels).' }),
    unicode: z
      .string()
      .optional()
      .meta({ description: 'The same as browsers may show it, if that is another text.' }),
    status: z.enum(['proven', 'nothing_known']).meta({
      description:
        'proven: a shop of this service has proven that it controls the host. nothing_known: also where a shop does not want to be named.',
    }),
    statement: z
      .string()
      .meta({ description: 'All of this in a sentence or two. Facts, never a judgement.' }),
    provenSince: month('Year and month (UTC) since which control is proven.').optional(),
    publishesCertificates: z
      .boolean()
      .optional()
      .meta({ description: 'Whether certificates are published for products of a shop on this host.' }),
    resembles: z
      .array(
        z.object({
          host: z.string(),
          provenSince: month('Year and month (UTC) since which control of it is proven.'),
          kinds: z
            .array(z.enum(RESEMBLANCE_KINDS))
            .meta({ description: 'How the host of the address resembles it.' }),
          statement: z.string(),
        }),
      )
      .optional()
      .meta({
        description:
          'Of a host of which nothing is known: proven hosts that it resembles and that are not its owner’s, the most alike first. At most 5. Resemblance alone proves nothing.',
      }),
  })
  .meta({ id: 'Site', description: 'What is known of a host.' });

export type Site = Wire<z.output<typeof SiteSchema>>;

export const SiteQuerySchema = z.strictObject({
  url: siteUrl().meta({ description: 'Address of the site, or of any page of it; only its host is used.' }),
});

export const getSite = defineOperation({
  id: 'getSite',
  tag: 'Verification',
  access: 'public',
  anyOrigin: true,
  method: 'GET',
  path: `${PUBLIC_BASE}/sites`,
  page: true,
  cacheControl: 'public, max-age=60',
  summary: 'What is known of a site',
  description: `Whether control of the host is proven here, since which month, and whether it publishes certificates; else which proven hosts it resembles. At most ${SITE_QUESTIONS_PER_MINUTE} questions a minute per caller. Nothing is fetched.`,
  query: SiteQuerySchema,
  replies: { 200: { description: 'What is known.', schema: SiteSchema }, 304: NOT_MODIFIED },
  errors: ['site_budget_spent'],
  contradictions: ({ query }, { host }: Site) => {
    const asked = String(query?.url).trim();
    return URL.canParse(asked) && new URL(asked).hostname.replace(/\.$/, '') !== host
      ? ['the answer is about another host']
      : [];
  },
});

const MerchantSitesSchema = z
  .object({
    optOut: z.boolean().meta({
      description:
        'Whether hosts of the merchant are not named: for others nothing is known of them, nobody is told that another host resembles them, and page checks do not tell that the host or pictures are certified for them. The merchant’s own keys are told.',
    }),
  })
  .meta({ id: 'MerchantSites' });

const OF_MERCHANT = {
  tag: 'Registry',
  access: 'merchant',
  noStore: true,
  path: `${REGISTRY_BASE}/merchants/{merchant_id}/sites`,
  params: z.object({ merchant_id: uuidParameter('The merchant.') }),
  replies: { 200: { description: 'The setting.', schema: MerchantSitesSchema } },
  errors: ['merchant_unknown'],
} as const;

export const getMerchantSites = defineOperation({
  ...OF_MERCHANT,
  id: 'getMerchantSites',
  method: 'GET',
  summary: 'Whether hosts of a merchant are named to the public',
});

export const setMerchantSites = defineOperation({
  ...OF_MERCHANT,
  id: 'setMerchantSites',
  method: 'PUT',
  summary: 'Change whether hosts of a merchant are named to the public',
  description: 'Answers may be cached for a minute.',
  body: z.strictObject({ optOut: z.boolean() }),
});
