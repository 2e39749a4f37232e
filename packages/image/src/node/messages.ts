import type { ManifestReport, TrustList } from '../manifest/report.ts';
import type { ManifestToSign } from '../manifest/sign.ts';
import type { ImageFaultCode } from './fault.ts';
import type { ImageInspection } from './inspect.ts';

/** What the process of an image is told to do. */
export type Order =
  | { readonly kind: 'inspect'; readonly bytes: Uint8Array; readonly trust: TrustList }
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

/** What it answers: `ready` once, then one end for each order. */
export type Answer =
  | { readonly kind: 'ready' }
  /** Asks for the signature over a claim; the key never gets here. */
  | { readonly kind: 'claim'; readonly claim: Uint8Array }
  | { readonly kind: 'inspected'; readonly inspection: ImageInspection; readonly held: number }
  | {
      readonly kind: 'signed';
      readonly bytes: Uint8Array;
      readonly report: ManifestReport;
      readonly held: number;
    }
  | {
      readonly kind: 'fault';
      readonly code: ImageFaultCode;
      readonly detail?: string;
      readonly held: number;
    };
