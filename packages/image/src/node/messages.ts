import type { FaultAnswer, InspectedAnswer, InspectOrder, ReadyAnswer } from '../inspect/messages.ts';
import type { ManifestReport } from '../manifest/report.ts';
import type { ManifestToSign } from '../manifest/sign.ts';

/** What the process of an image is told to do. */
export type Order =
  | InspectOrder
  | {
      readonly kind: 'sign';
      readonly bytes: Uint8Array;
      readonly manifest: ManifestToSign;
      readonly algorithm: string;
      /** Bytes that the signature takes, certificates and all. */
      readonly signatureSize: number;
    }
  /** The answer to `claim`. */
  | { readonly kind: 'signature'; readonly cose: Uint8Array };

export interface SignedAnswer {
  readonly kind: 'signed';
  readonly bytes: Uint8Array;
  readonly report: ManifestReport;
  readonly held: number;
}

/** What it answers: `ready` once, then one end for each order. */
export type Answer =
  | ReadyAnswer
  /** Asks for the signature over a claim; the key never gets here. */
  | { readonly kind: 'claim'; readonly claim: Uint8Array }
  | InspectedAnswer
  | SignedAnswer
  | FaultAnswer;
