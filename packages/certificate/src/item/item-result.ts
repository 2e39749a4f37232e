import { hostOf, normalizeHost, sameHost } from '../binding/hosts.ts';
import { MAX_PAGE_URL } from '../binding/normalize-page-url.ts';
import { type Conclusion, concludeBy } from '../verify/conclusion/conclude.ts';
import type { ItemOutcome } from '../verify/conclusion/evidence.ts';
import { ITEM_CONCLUSION_TABLE, type ItemConclusionCode } from '../verify/conclusion/item-conclusions.ts';
import type { VerificationResult } from '../verify/result.ts';
import { compareItem, cut, nothingSigned } from './compare-item.ts';
import {
  ITEM_NOTES,
  type ItemFields,
  type ItemNote,
  type ItemVerification,
  type StatedItem,
} from './types.ts';

/** A certificate of an item with its verification at the address to which the item links. */
export interface JudgedItem {
  /** Absent: the item carries no certificate, and none was found. */
  readonly document?: unknown;
  readonly result: VerificationResult;
  readonly certificate: ItemVerification['certificate'];
  readonly place?: string | undefined;
  /** Address or host of the feed, catalogue or seller that offers the item. */
  readonly source?: string | undefined;
}

/** Names of members that are told. */
const MAX_OTHERS = 50;

/** Compares an item with its verified certificate, and draws the conclusion. */
export function itemResult(item: StatedItem, judged: JudgedItem): ItemVerification {
  const { result, certificate, place } = judged;
  const node = nodeOf(judged.document);
  const fields = node === undefined ? nothingSigned(item) : compareItem(item, node, result);
  const offeredBy = judged.source === undefined ? undefined : hostOfSource(judged.source);
  const { productId, ...verified } = result;
  const notes = notesOn(item, fields, result, offeredBy).map((code) => `${code}: ${ITEM_NOTES[code]}`);
  const { id, link, name } = item;
  const told = {
    ...verified,
    ...(productId === '' ? {} : { productId }),
    warnings: [...notes, ...result.warnings],
    certificate,
    ...(place === undefined ? {} : { place: cut(place) }),
    item: {
      ...(id === undefined ? {} : { id: cut(id) }),
      ...(link === undefined ? {} : { link: cut(link, MAX_PAGE_URL) }),
      ...(name === undefined ? {} : { name: cut(name) }),
    },
    fields,
    notCompared: (item.others ?? []).slice(0, MAX_OTHERS).map((other) => cut(other)),
    ...(offeredBy === undefined ? {} : { offeredBy }),
  };
  return { ...told, conclusion: concludeItem(told) };
}

/** What a conclusion about an item is drawn from. */
type Concluded = Pick<VerificationResult, 'status' | 'checks' | 'errors' | 'warnings'> & {
  readonly signed?: VerificationResult['signed'] | undefined;
  readonly fields: { readonly [Name in keyof ItemFields]: Pick<ItemFields[Name], 'result'> };
};

/** The conclusion that follows from everything else that is told of an item. It is never `good`: the page was not seen. */
export function concludeItem({
  status,
  checks,
  signed,
  errors,
  warnings,
  fields,
}: Concluded): Conclusion<ItemConclusionCode> {
  // that no address was given is no answer about the certificate
  const isWithoutPage = warnings.some((note) => note.startsWith('item_link_missing:'));
  const relevant = isWithoutPage ? errors.filter((note) => !note.startsWith('page_url_invalid:')) : errors;
  return concludeBy(ITEM_CONCLUSION_TABLE, status, {
    checks,
    signed,
    errors: relevant,
    warnings,
    item: itemOutcome(fields),
  });
}

/**
 * A difference counts, whatever else agrees; that of a price leaves it open what the item is. It is the signed product if its name or GTIN
 * agrees, or both its article number and brand.
 */
function itemOutcome({ price, ...others }: Concluded['fields']): ItemOutcome {
  if (Object.values(others).some(({ result }) => result === 'differs')) return 'differs';
  const { name, brand, sku, gtin } = others;
  const isNamed = name.result === 'agrees' || gtin.result === 'agrees';
  const isArticle = sku.result === 'agrees' && brand.result === 'agrees';
  return price.result !== 'differs' && (isNamed || isArticle) ? 'agrees' : 'unclear';
}

function notesOn(
  { link }: StatedItem,
  { price }: ItemFields,
  { signed }: VerificationResult,
  offeredBy: string | undefined,
): ItemNote[] {
  const isElsewhere =
    signed !== undefined && offeredBy !== undefined && !sameHost(normalizeHost(signed.domain), offeredBy);
  return [
    ...(link === undefined ? (['item_link_missing'] as const) : []),
    ...(isElsewhere ? (['item_offered_by_another_host'] as const) : []),
    ...(price.result === 'differs' ? (['item_price_differs'] as const) : []),
  ];
}

/** The host of an address, or a bare host; what is neither is nobody's. */
function hostOfSource(source: string): string | undefined {
  return hostOf(source) ?? normalizeHost(source.trim()) ?? undefined;
}

function nodeOf(document: unknown): Readonly<Record<string, unknown>> | undefined {
  let node = document;
  if (typeof document === 'string') {
    try {
      node = JSON.parse(document);
    } catch {
      return undefined;
    }
  }
  return typeof node === 'object' && node !== null ? (node as Readonly<Record<string, unknown>>) : undefined;
}
