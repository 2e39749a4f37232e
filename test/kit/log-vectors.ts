import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The format of test/vectors/log (docs/vectors.md). `reason` is a code of ours; others compare only whether it is valid. */
export interface LogVectorFile<V = LogVector> {
  readonly name: string;
  readonly about: string;
  readonly vectors: readonly V[];
}

interface Vector {
  readonly id: string;
  readonly title: string;
}

interface Refused {
  readonly valid: false;
  readonly reason: string;
}

export interface PolicyVector extends Vector {
  readonly policy: string;
  readonly expect:
    | {
        readonly valid: true;
        /** Sets of witnesses that meet the quorum. */
        readonly met: readonly (readonly string[])[];
        readonly unmet: readonly (readonly string[])[];
      }
    | (Refused & { readonly line?: number });
}

export interface CheckpointVector extends Vector {
  /** The keys of known logs. */
  readonly logs: readonly string[];
  readonly note: string;
  readonly expect:
    | { readonly valid: true; readonly origin: string; readonly size: number; readonly root: string }
    | Refused;
}

export interface CosignatureVector extends Vector {
  readonly logs: readonly string[];
  readonly witnesses: readonly string[];
  /** A checkpoint that its log has signed. */
  readonly note: string;
  readonly expect:
    | {
        readonly valid: true;
        readonly cosignatures: readonly { readonly name: string; readonly timestamp: number }[];
      }
    | Refused;
}

export interface LogProofVector extends Vector {
  readonly policy: string;
  /** Base64. */
  readonly entry: string;
  readonly proof: string;
  readonly expect:
    | {
        readonly valid: true;
        readonly origin: string;
        readonly index: number;
        readonly size: number;
        /** Names of witnesses in the policy. */
        readonly cosigned: readonly string[];
        /** Whether they meet the quorum. */
        readonly quorum: boolean;
      }
    | Refused;
}

export interface CertificateLogVector extends Vector {
  readonly jwt: string;
  /** Absent: the certificate says nothing. */
  readonly logProof?: string;
  readonly policy: string;
  readonly expect: { readonly status: string | null; readonly reason: string };
}

export type LogVector =
  | PolicyVector
  | CheckpointVector
  | CosignatureVector
  | LogProofVector
  | CertificateLogVector;

/** Reads a file of test/vectors/log. */
export function logVectorsOf<V extends LogVector>(name: string): readonly V[] {
  const path = join(import.meta.dirname, '../vectors/log', `${name}.json`);
  return (JSON.parse(readFileSync(path, 'utf8')) as LogVectorFile<V>).vectors;
}
