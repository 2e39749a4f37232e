import type { Conclusion, ConclusionLevel, PageVerdict } from '@touchstone/certificate';
import type { VerifyStatus } from '@touchstone/certificate/verify';
import { adviceOn } from './advice.ts';
import type { Explain } from './explanations.ts';
import { quoted } from './untrusted.ts';

export interface DescribedVerdict {
  readonly verdict: PageVerdict | VerifyStatus;
  readonly conclusion: Conclusion;
  /** The checked page, if a redirect led to another page than the requested one: `a page on shop.example`. */
  readonly landedOn?: string;
  /** Sentences that are told first: what a page without a certificate resembles. */
  readonly first?: readonly string[];
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  /** Further lines, without text from the page. */
  readonly about: readonly string[];
  /** Text from the page or document, each with a label. */
  readonly quotations?: readonly (readonly [string, string])[];
  /** Overrides the advice on the conclusion. */
  readonly advice?: string;
  /** What else to do. */
  readonly besides?: string | undefined;
}

/** The first word that is read. */
export const LEVELS: Readonly<Record<ConclusionLevel, string>> = {
  good: 'Good',
  caution: 'Caution',
  bad: 'Bad',
  none: 'No conclusion',
};

/**
 * Describes a verdict for people: a block of our own text, then a block of quotations. A reason may quote the page
 * ("Found …"), whose text could imitate another verdict below ours; so the first block has only its code and sentence,
 * and the second the full reason.
 */
export function describeVerdict(described: DescribedVerdict, explain: Explain): string[] {
  const { verdict, conclusion, errors, warnings, about, quotations = [] } = described;
  const [reason] = [...errors, ...warnings];
  const onConclusion = described.advice ?? adviceOn(conclusion, errors);
  const advice = described.besides === undefined ? onConclusion : `${onConclusion} ${described.besides}`;
  const ours = reason === undefined ? null : reasonInOurWords(reason, explain);
  const landed =
    described.landedOn === undefined ? '' : `, for ${described.landedOn} to which a redirect led`;
  const lines = [
    ...(described.first ?? []),
    `${LEVELS[conclusion.level]}: ${conclusion.sentence}`,
    `What to do: ${advice}`,
    `Verdict: ${verdict}${landed}`,
    ...(ours === null ? [] : [`${verdict === 'verified' ? 'Warning' : 'Reason'}: ${ours}`]),
    ...about,
  ];
  const whole: [string, string][] =
    reason === undefined || reason === ours ? [] : [['reason in full', reason]];
  return [lines.join('\n'), ...quoted([...whole, ...quotations])];
}

/** `code: sentence`, without compared values; `null` for an unknown code, as of a newer service. */
function reasonInOurWords(reason: string, explain: Explain): string | null {
  const explanation = explain(reason);
  return explanation === null ? null : `${explanation.code}: ${explanation.says}`;
}
