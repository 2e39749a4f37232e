import type { ConclusionCode } from '@touchstone/certificate';
import { ITEM_CODES } from '@touchstone/certificate/item';
import type { Texts } from '../text/texts.ts';

/** Title, meaning and next step of a conclusion. */
export type Words = readonly [title: string, meaning: string, next: string];

/** The texts of the card in one language, taken from those of the pages, so that both say the same. */
export interface CardTexts {
  readonly conclusions: Readonly<Record<string, Words>>;
  readonly control: Texts['control'];
  readonly card: Omit<Texts['card'], 'items'>;
  readonly fields: Texts['report']['comparison']['fields'];
  readonly different: Texts['report']['comparison']['different'];
  readonly signed: string;
  readonly stated: string;
  readonly withdrawal: string;
  readonly states: Texts['report']['withdrawal']['states'];
  readonly checkedAt: string;
  readonly pageChecked: string;
  readonly related: string;
  readonly about: string;
  readonly shop: string;
  readonly product: string;
  readonly expiresAt: string;
}

/**
 * What only verifiers conclude that ask no registry: the tools never do, and the card has little room. It shows the sentence of a code that it
 * has no words for.
 */
const OFFLINE: ReadonlySet<string> = new Set<ConclusionCode>([
  'control_unknown',
  'keys_unavailable',
  'log_proof_invalid',
  'log_required',
  'place_unknown',
  'withdrawal_unknown',
]);

/** Only used when the card is built. */
export function cardTexts({ conclusions, control, card, report, common }: Texts): CardTexts {
  const { items, ...rest } = card;
  const words = Object.entries({ ...conclusions, ...items })
    .filter(([code]) => !OFFLINE.has(code))
    .map(([code, { title, meaning, next }]) => [code, [title, meaning, next] as const]);
  if (ITEM_CODES.some((code) => !Object.hasOwn(items, code)))
    throw new Error('a conclusion about items has no words');
  const { comparison, signed, withdrawal } = report;
  return {
    conclusions: Object.fromEntries(words),
    control,
    card: rest,
    fields: comparison.fields,
    different: comparison.different,
    signed: comparison.signed,
    stated: comparison.stated,
    withdrawal: withdrawal.title,
    states: withdrawal.states,
    checkedAt: report.checkedAt,
    pageChecked: report.pageChecked,
    related: report.relatedHost,
    about: common.about,
    shop: signed.store,
    product: signed.product,
    expiresAt: signed.expiresAt,
  };
}
