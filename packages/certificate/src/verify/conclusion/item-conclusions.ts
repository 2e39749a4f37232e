import { CONCLUSION_TABLE, type ConclusionCode } from './conclusion-table.ts';
import { hasNote, type Row } from './conclusions.ts';

const VERIFIED = ['verified'] as const;

/** What speaks against an offer that has a verified certificate, or leaves open what it is. */
const BEFORE = [
  {
    code: 'item_differs',
    level: 'caution',
    sentence:
      'Signed for {host} and the page that the item links to, but the item states something else than was signed.',
    verdicts: VERIFIED,
    when: ({ item }) => item === 'differs',
  },
  {
    code: 'item_offered_elsewhere',
    level: 'caution',
    sentence:
      'Signed for {host} and the page that the item links to. The item is offered elsewhere, and nothing about that offer is signed.',
    verdicts: VERIFIED,
    when: hasNote('item_offered_by_another_host'),
  },
  {
    code: 'item_without_page',
    level: 'none',
    sentence:
      'Signed for {host}. The item links to no page, so whether it belongs to the signed one is not known.',
    verdicts: ['failed'],
    when: (evidence) =>
      hasNote('item_link_missing')(evidence) &&
      !hasNote('host_lost')(evidence) &&
      (['signatureValid', 'certificateIntegrity', 'timestampValid', 'productIdMatches'] as const).every(
        (name) => evidence.checks[name] === true,
      ),
  },
] as const satisfies readonly Row<string>[];

/** In place of what is concluded for a page that was not compared. */
const COMPARED = [
  {
    code: 'item_unclear',
    level: 'none',
    sentence:
      'Issued to {host}, {control}, for the page that the item links to. Whether the item is the signed product could not be told.',
    verdicts: VERIFIED,
    when: ({ item }) => item === 'unclear',
  },
  {
    code: 'item_agrees',
    level: 'none',
    sentence: 'Issued to {host}, {control}. The item agrees with what was signed; its page was not seen.',
    verdicts: VERIFIED,
  },
] as const satisfies readonly Row<string>[];

/** A code of `ITEM_CONCLUSION_TABLE`. */
export type ItemConclusionCode = ConclusionCode | (typeof BEFORE | typeof COMPARED)[number]['code'];

/** The codes of items alone. */
export const ITEM_CODES: readonly ItemConclusionCode[] = [...BEFORE, ...COMPARED].map(({ code }) => code);

const LOGGED = CONCLUSION_TABLE.findIndex(({ code }) => code === 'redirected');
const UNSEEN = CONCLUSION_TABLE.findIndex(({ code }) => code === 'page_not_compared');
const SEEN = CONCLUSION_TABLE.findIndex(({ code }) => code === 'issued_to_proven_host') + 1;

/**
 * The table for an item of a feed, whose page nobody saw: that of pages, with rows of its own where that says what the page shows. None of
 * its rows is `good`.
 */
export const ITEM_CONCLUSION_TABLE: readonly Row<ItemConclusionCode>[] = [
  ...CONCLUSION_TABLE.slice(0, LOGGED),
  ...BEFORE,
  ...CONCLUSION_TABLE.slice(LOGGED, UNSEEN),
  ...COMPARED,
  ...CONCLUSION_TABLE.slice(SEEN),
];
