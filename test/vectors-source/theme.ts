import type { Vector, VectorFile } from '../kit/vectors.ts';
import type { Keys, VectorKey } from './keys.ts';

/** One file of vectors. */
export interface Theme {
  readonly name: string;
  readonly about: string;
  readonly jwks: Readonly<Record<string, unknown>>;
  readonly vectors: readonly Vector[];
}

/** Makes the vectors of one file. */
export type MakeTheme = (keys: Keys) => Theme | Promise<Theme>;

/** The public keys as a JWKS (spec "JWKS"). */
export function jwksOf(...keys: readonly Pick<VectorKey, 'jwk'>[]) {
  return { keys: keys.map(({ jwk }) => jwk) };
}

/** The key set of most vectors: the issuer's current key and its next one. */
export function issuerKeySet({ issuer, next }: Keys) {
  return jwksOf(issuer, next);
}

export function vectorFile({ about, jwks, vectors }: Theme): VectorFile {
  return { format: 'touchstone-vectors/1', about, jwks, vectors };
}
