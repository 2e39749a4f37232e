import type { PageVerdict } from '@touchstone/certificate';
import type { VerifyStatus } from '@touchstone/certificate/verify';
import { ADVICE, type Advice, adviceOn } from './advice.ts';
import { codeOf, type Explain } from './explanations.ts';
import { quoted } from './untrusted.ts';

export interface DescribedVerdict {
  readonly verdict: PageVerdict | VerifyStatus;
  /** The host of the page that it is about, where that is not the one that was asked for. */
  readonly landedOn?: string;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  /** More lines, none of them with words of a page. */
  readonly about: readonly string[];
  /** What the page or document says, each with what it is. */
  readonly quotations?: readonly (readonly [string, string])[];
  /** Where there is more to advise than the verdict has to say. */
  readonly advice?: Advice;
}

/**
 * A verdict for people: a block in our own words alone, then one of quotations. A reason may quote the page ("Found
 * …"), whose text could otherwise write itself another verdict beneath ours; so its code and sentence stand in the
 * first block, and all of it in the second.
 */
export function describeVerdict(described: DescribedVerdict, explain: Explain): string[] {
  const { verdict, errors, warnings, about, quotations = [] } = described;
  const advice = described.advice ?? adviceOnly(errors) ?? ADVICE[verdict];
  const [reason] = [...errors, ...warnings];
  const ours = reason === undefined ? null : reasonInOurWords(reason, explain);
  const landed =
    described.landedOn === undefined ? '' : `, for a page on ${described.landedOn} where a redirect led`;
  const lines = [
    `Verdict: ${verdict}${landed}. ${advice.means}`,
    `What to do: ${advice.whatToDo}`,
    ...(ours === null ? [] : [`${verdict === 'verified' ? 'Warning' : 'Reason'}: ${ours}`]),
    ...about,
  ];
  const whole: [string, string][] =
    reason === undefined || reason === ours ? [] : [['reason in full', reason]];
  return [lines.join('\n'), ...quoted([...whole, ...quotations])];
}

function adviceOnly([error, ...others]: readonly string[]): Advice | undefined {
  return error === undefined || others.length > 0 ? undefined : adviceOn(codeOf(error));
}

/** `code: sentence`, without what was compared; `null` for a code that a newer service may know. */
function reasonInOurWords(reason: string, explain: Explain): string | null {
  const explanation = explain(reason);
  return explanation === null ? null : `${explanation.code}: ${explanation.says}`;
}
