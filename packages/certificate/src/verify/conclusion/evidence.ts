import type { PageVerdict } from '../../page-verdicts.ts';
import type { CheckName, VerifyStatus } from '../types.ts';

/** Result of comparing what a page states with what was signed; a closed list. Only `same` means that the page names the product. */
export const AGREEMENT_OUTCOMES = ['same', 'different', 'unclear', 'nothing'] as const;

/**
 * `same`: the name agrees, or an identifier if no name can be compared, and nothing contradicts. `different`: a statement is of
 * something else. `unclear`: it cannot be told. `nothing`: the page states nothing to compare.
 */
export type AgreementOutcome = (typeof AGREEMENT_OUTCOMES)[number];

/**
 * How an item of a feed agrees with its certificate. `agrees`: it is the signed product, and nothing that it states differs. `differs`: a
 * field does. `unclear`: it cannot be told.
 */
export type ItemOutcome = 'agrees' | 'differs' | 'unclear';

/** Whether it is known who runs the signed host. The registry knows it now, a proof when it was signed; older proofs do not say. */
export type Control = 'proven' | 'unproven' | 'unknown';

/** Everything that a conclusion depends on. */
export interface Evidence {
  /** `undetermined`: nobody has said where the certificate was seen. */
  readonly verdict: PageVerdict | VerifyStatus | 'undetermined';
  readonly checks: Readonly<Partial<Record<CheckName, boolean | null>>>;
  readonly control: Control;
  /** The codes of all errors, warnings and findings. */
  readonly codes: ReadonlySet<string>;
  /** Absent if no page was compared. */
  readonly agreement?: AgreementOutcome | undefined;
  /** Absent unless an item was verified, whose page nobody saw. */
  readonly item?: ItemOutcome | undefined;
}
