import type { CheckName, SignedClaims } from '../types.ts';
import { CONCLUSION_TABLE, type ConclusionCode } from './conclusion-table.ts';
import type { ConclusionLevel, Row } from './conclusions.ts';
import type { AgreementOutcome, Control, Evidence, ItemOutcome } from './evidence.ts';

/** What a reader may conclude: the first line of every surface. A program that reads only `level` does the right thing. */
export interface Conclusion<Code extends string = ConclusionCode> {
  readonly level: ConclusionLevel;
  readonly code: Code;
  /** Our own words; of what was signed it contains only the host, and nothing that a page states. */
  readonly sentence: string;
}

/** The parts of a verification result or a page check report from which a conclusion is drawn. */
export interface Concluded {
  readonly checks?: Readonly<Partial<Record<CheckName, boolean | null>>> | undefined;
  readonly signed?: SignedClaims | undefined;
  /** Each as `code: sentence`, like `warnings` and `findings`. */
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  readonly findings?: readonly string[] | undefined;
  /** Absent if no page was compared with the certificate. */
  readonly agreement?: AgreementOutcome | undefined;
  /** How an item of a feed agrees with its certificate; absent for a page. */
  readonly item?: ItemOutcome | undefined;
}

/**
 * Draws the conclusion from a verdict and what else is known, so that every surface says the same of a result.
 *
 * @param verdict - of a verification or a page check; `undetermined`: nobody has said where the certificate was seen
 * @param accepted - codes of conclusions that the caller does not mind, such as `control_unproven`
 * @example
 * ```ts
 * import { conclude } from '@touchstone/certificate';
 *
 * const { level, code } = conclude('no_certificate', { errors: [], warnings: [] });
 * level; // 'none'
 * code; // 'no_certificate'
 * ```
 */
export function conclude(
  verdict: Evidence['verdict'],
  concluded: Concluded,
  accepted: readonly ConclusionCode[] = [],
): Conclusion {
  return concludeBy(
    CONCLUSION_TABLE.filter(({ code }) => !accepted.includes(code)),
    verdict,
    concluded,
  );
}

/** The conclusion by these rows of the table. */
export function concludeBy<Code extends string>(
  rows: readonly Row<Code>[],
  verdict: Evidence['verdict'],
  { checks = {}, signed, errors, warnings, findings = [], agreement, item }: Concluded,
): Conclusion<Code> {
  const codes = new Set([...errors, ...warnings, ...findings].map((note) => note.split(':', 1)[0] ?? ''));
  const evidence = { verdict, checks, control: controlOf(checks, signed), codes, agreement, item };
  const row = rows.find(({ verdicts, when }) => verdicts.includes(verdict) && (when?.(evidence) ?? true));
  // unreachable: the last row of each verdict has no further condition
  if (row === undefined) throw new TypeError(`No conclusion for ${verdict}.`);
  const { code, level, sentence } = row;
  return { level, code, sentence: sentence.replace(/\{(\w+)\}/g, (_, name) => filled(name, signed)) };
}

/** The registry knows it now; without one, the proof says how it was when it was signed. Older proofs say nothing. */
function controlOf(checks: Evidence['checks'], signed: SignedClaims | undefined): Control {
  if (typeof checks.domainVerified === 'boolean') return checks.domainVerified ? 'proven' : 'unproven';
  if (signed?.control === undefined) return 'unknown';
  return signed.control.method === 'none' ? 'unproven' : 'proven';
}

function filled(name: string, signed: SignedClaims | undefined): string {
  const { domain = 'its site', expiresAt, control } = signed ?? {};
  if (name === 'host') return domain;
  if (name === 'expired') return day(expiresAt);
  return control?.checkedAt === undefined
    ? 'whose control was proven'
    : `whose control was last proven on ${day(control.checkedAt)}`;
}

/** `3 Mar 2026`, UTC. */
function day(time: string | undefined): string {
  return time === undefined ? 'an unknown day' : new Date(time).toUTCString().slice(5, 16).replace(/^0/, '');
}
