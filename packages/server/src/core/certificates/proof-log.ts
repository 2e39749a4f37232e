import type { ProofKind } from '../../platform/database/tables.ts';

/** A proof that is signed and not published yet. */
export interface UnpublishedProof {
  readonly merchantId: string;
  readonly kind: ProofKind;
  /** Compact JWS. */
  readonly jwt: string;
}

/** Where a proof stands in a log. */
export interface LogPlace {
  /** First line of the checkpoints of the log. */
  readonly origin: string;
  readonly index: number;
}

/** The transparency log of all proofs. */
export interface ProofLog {
  /**
   * Has the proofs logged, and waits for their inclusion: for a second at most, for those issued in advance some more, so that what nobody
   * waits for is not issued faster than it is logged. A proof that was entered before is logged once. It may be published as soon as this
   * returns, whether or not its inclusion is known.
   *
   * @returns for each its inclusion (tlog-proof), to be published with it; `null` if that is not known in time
   * @throws if it cannot be recorded that they are to be logged: then they must not be published
   */
  enter(
    proofs: readonly UnpublishedProof[],
    options: { readonly isAhead: boolean },
  ): Promise<readonly (string | null)[]>;
  /** The place of a proof in the last checkpoint of its log; `null`: it has none there. */
  placeOf(jwt: string): Promise<LogPlace | null>;
  /** What the operator must look at, in sentences. */
  findings(): readonly string[];
}
