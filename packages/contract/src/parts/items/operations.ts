import { CONCLUSION_LEVELS } from '@touchstone/certificate';
import {
  ITEM_CERTIFICATES,
  ITEM_CONCLUSION_TABLE,
  ITEM_FIELDS,
  ITEM_RESULTS,
  type ItemConclusionCode,
  type ItemFieldName,
  itemContradictions,
  NOT_COMPARED,
  type NotComparedReason,
  type ReceivedItem,
} from '@touchstone/certificate/item';
import { VerificationResultSchema } from '@touchstone/certificate/schema';
import { z } from 'zod';
import { defineOperation, type Wire } from '../../operation.ts';
import {
  BATCH_BODY_LIMIT,
  BATCH_DESCRIPTION,
  batchBody,
  batchContradictions,
  batchResults,
} from '../../operations/batch.ts';
import { PUBLIC_BASE } from '../../operations/shared.ts';

const told = z.union([z.string(), z.array(z.string())]).optional();

const ItemFieldSchema = z
  .object({
    result: z.enum(ITEM_RESULTS),
    why: z.enum(Object.keys(NOT_COMPARED) as [NotComparedReason, ...NotComparedReason[]]).optional(),
    signed: told,
    stated: told.meta({ description: 'Untrusted. Of several values those that differ, if any does.' }),
  })
  .meta({ id: 'ItemField', description: '`why` is there exactly if the field was not compared.' });

const fields = Object.fromEntries(ITEM_FIELDS.map((name) => [name, ItemFieldSchema])) as Record<
  ItemFieldName,
  typeof ItemFieldSchema
>;

const text = z.string().optional();

/** The verification of an item. */
export const ItemVerificationSchema = VerificationResultSchema.omit({ productId: true, conclusion: true })
  .extend({
    productId: z.guid().optional().meta({ description: 'That the certificate names; absent without one.' }),
    certificate: z.enum(ITEM_CERTIFICATES).meta({
      description:
        'carried: in the item; by_address: found by its link, since it carries none; none: there is none.',
    }),
    place: text.meta({ description: 'Where in the item the certificate was; untrusted.' }),
    item: z.object({ id: text, link: text, name: text }).meta({ description: 'As stated; untrusted.' }),
    fields: z.object(fields).meta({ id: 'ItemFields' }),
    notCompared: z.array(z.string()).meta({
      description: 'Names of what else the item states. Nothing of it was compared; untrusted.',
    }),
    offeredBy: text.meta({ description: 'The host of `source`.' }),
    conclusion: z
      .object({
        level: z.enum(CONCLUSION_LEVELS),
        code: z.enum(
          ITEM_CONCLUSION_TABLE.map(({ code }) => code) as [ItemConclusionCode, ...ItemConclusionCode[]],
        ),
        sentence: z.string(),
      })
      .meta({ id: 'ItemConclusion', description: 'As of a page, but never good: the page was not seen.' }),
  })
  .meta({ id: 'ItemVerification' });

/** A verified item, as in an answer. */
export type ItemAnswer = Wire<z.output<typeof ItemVerificationSchema>>;

/** An item in any supported form; what cannot be read is a fault of its own (`item_unreadable`). */
export const ItemSchema = z.unknown().meta({
  description:
    'A Product of schema.org (JSON-LD), a product or variant of UCP or ACP, an item of a Google feed, a product of Shopify or WooCommerce: an object, or its text (JSON, or XML of a feed).',
  anyOf: [{ type: 'object' }, { type: 'string' }],
});

/** Who offers the items. */
export const ItemSourceSchema = z.string().trim().min(1).max(8_192).nullish().meta({
  description:
    'Address or host of whoever offers the items: of the shop, catalogue or feed from which you have them. It is named beside each, and compared with the signed host. Products of Shopify have their pages there.',
  example: 'https://shop.example/products.json',
});

const results = batchResults(ItemVerificationSchema);

/** The results of `verifyItems`, in the order of the items. */
export type ItemsAnswer = Wire<z.output<typeof results>>;

export const verifyItems = defineOperation({
  id: 'verifyItems',
  method: 'POST',
  tag: 'Verification',
  access: 'public',
  anyOrigin: true,
  noStore: true,
  path: `${PUBLIC_BASE}/items/verify`,
  summary: 'Verify items of a feed, catalogue or commerce protocol',
  description: `Verifies the certificate that an item carries, or else the one that is published for the page to which it links, at that
address, and compares each field of the item with what was signed. No page is fetched: anybody can attach a public certificate and a
genuine link to an offer. So the conclusion is never good; check the page before you buy.

${BATCH_DESCRIPTION}`,
  body: batchBody('verifyItems', ItemSchema).extend({ source: ItemSourceSchema }),
  bodyLimit: BATCH_BODY_LIMIT,
  batch: true,
  replies: { 200: { description: 'One result per item.', schema: results } },
  errors: ['batches_busy', 'batch_answer_full'],
  contradictions: batchContradictions((_item, result: ReceivedItem) => itemContradictions(result)),
});
