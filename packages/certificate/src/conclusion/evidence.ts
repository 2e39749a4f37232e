import type { AgreementOutcome } from '../agreement/types.ts';
import type { PageVerdict } from '../page-verdicts.ts';
import type { CheckName, VerifyStatus } from '../verify/types.ts';

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
}
