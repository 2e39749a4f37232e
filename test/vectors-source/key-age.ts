import type { Vector } from '../kit/vectors.ts';
import { type Answer, certificate, documentVector, proofVector, timestamp } from './builder.ts';
import { type Keys, rsaKey } from './keys.ts';
import { node, page, pageVector } from './pages.ts';
import { issuerKeySet, type Theme } from './theme.ts';
import { DAY, ISSUED_AT, NOW, proof, WEEK } from './tokens.ts';

const RULES = ['KEYS-NEWER', 'AUTH-3-KID'];
const UNKNOWN = {
  signatureValid: 'key_unknown',
  certificateIntegrity: [null, 'document_not_compared'],
} as const satisfies Readonly<Record<string, Answer>>;

/** Key sets of a known age: a key may be newer than the set that lacks it. */
export function keyAge(keys: Keys): Theme {
  const jwt = proof(rsaKey('issuer-2026-emergency'));
  const older = timestamp(ISSUED_AT - DAY);
  return {
    name: 'key-age',
    about: 'Key sets that were read at a known time, and proofs by keys that they hold and lack.',
    jwks: { issuer: issuerKeySet(keys) },
    vectors: [
      ...refused(older, [
        unknown('key-age-older', 'An unknown key; the keys were read before the proof was issued', jwt),
        proofVector({
          id: 'key-age-older-proof',
          title: 'The same, for the proof by itself',
          rules: RULES,
          jwt,
          checks: { signatureValid: 'key_unknown' },
        }),
        pageVector({
          id: 'key-age-older',
          title: 'The same, on a page',
          rules: RULES,
          html: page(node(jwt)),
          verdict: 'checks_failed',
          checks: { signatureValid: false, certificateIntegrity: null },
          errors: ['key_unknown'],
        }),
      ]),
      ...refused(timestamp(ISSUED_AT), [
        unknown('key-age-same', 'An unknown key; the keys were read in the second of the proof', jwt),
      ]),
      decided(
        timestamp(ISSUED_AT + 1),
        unknown('key-age-newer', 'An unknown key; the keys were read after the proof was issued', jwt),
      ),
      decided(
        timestamp(NOW),
        unknown(
          'key-age-now',
          'An unknown key; the keys were read for this verification, by a clock that is behind',
          dated(NOW + 200),
        ),
      ),
      decided(
        older,
        documentVector({
          id: 'key-age-future',
          title: 'An unknown key; the proof is further in the future than any clock may be',
          rules: RULES,
          document: certificate(dated(NOW + 301)),
          status: 'failed',
          checks: { ...UNKNOWN, timestampValid: 'proof_not_yet_valid' },
        }),
      ),
      decided(
        older,
        documentVector({
          id: 'key-age-known',
          title: 'Keys that were read before the proof was issued, with its key',
          rules: RULES,
          document: certificate(proof(keys.issuer)),
          status: 'verified',
        }),
      ),
    ],
  };
}

/** By a key that the set lacks. */
function dated(iat: number): string {
  return proof(rsaKey('issuer-2026-emergency'), { iat, exp: iat + WEEK });
}

function unknown(id: string, title: string, jwt: string): Vector {
  return documentVector({
    id,
    title,
    rules: RULES,
    document: certificate(jwt),
    status: 'failed',
    checks: UNKNOWN,
  });
}

const decided = (keysReadAt: string, vector: Vector): Vector => ({ ...vector, keysReadAt });

function refused(keysReadAt: string, vectors: readonly Vector[]): Vector[] {
  return vectors.map(
    (vector) =>
      ({ ...vector, keysReadAt, expect: { ...vector.expect, refused: 'keys_unavailable' } }) as Vector,
  );
}
