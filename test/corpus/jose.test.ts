import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { verifyProof } from '@touchstone/certificate/verify';
import { describe, expect, it } from 'vitest';

const CORPUS = join(
  process.env.TOUCHSTONE_CORPORA ?? resolve(import.meta.dirname, '../../../shared/corpora'),
  'jose',
);
const NOW = new Date('2026-03-04T12:00:00Z');

interface Case {
  readonly name: string;
  readonly proof: unknown;
  readonly jwks: unknown;
}

type Jwk = Readonly<Record<string, unknown>>;

const read = (path: string): unknown => JSON.parse(readFileSync(join(CORPUS, path), 'utf8'));

/** The public part of a key: an RSA or elliptic key without its private members. */
function publicHalf({ d: _1, p: _2, q: _3, dp: _4, dq: _5, qi: _6, ...rest }: Jwk): Jwk {
  return rest;
}

/** The RFC 7520 and RFC 7797 examples: every serialisation in each, as an object and as JSON text. */
function cookbook(): Case[] {
  const folders = ['cookbook/jws', 'cookbook/rfc7797'];
  const paths = folders.flatMap((folder) =>
    readdirSync(join(CORPUS, folder))
      .filter((name) => name.endsWith('.json'))
      .map((name) => `${folder}/${name}`),
  );
  return paths.flatMap((path) => {
    const { input, output } = read(path) as { input: { key: Jwk | Jwk[] }; output: Jwk };
    const keys = [input.key].flat();
    const jwks = { keys: keys.map(publicHalf) };
    return Object.entries(output).flatMap(([form, proof]) => [
      { name: `${path} ${form}`, proof, jwks },
      ...(typeof proof === 'string'
        ? []
        : [{ name: `${path} ${form} as text`, proof: JSON.stringify(proof), jwks }]),
    ]);
  });
}

interface WycheproofGroup {
  readonly public?: unknown;
  readonly private: unknown;
  readonly tests: readonly { readonly tcId: number; readonly comment: string; readonly jws: unknown }[];
}

/** Wycheproof's JWK file: its public key set, or the secret one if there is none. */
function wycheproof(): Case[] {
  const { testGroups } = read('wycheproof/json_web_key_test.json') as { testGroups: WycheproofGroup[] };
  return testGroups.flatMap((group) =>
    group.tests.map(({ tcId, comment, jws }) => ({
      name: `wycheproof ${tcId} ${comment}`,
      proof: jws,
      jwks: group.public ?? group.private,
    })),
  );
}

/** The two valid RS256 compact proofs of both corpora. */
const SOUND = ['cookbook/jws/4_1.rsa_v15_signature.json compact', 'wycheproof 5 acceptsValid'];

describe.skipIf(!existsSync(CORPUS))('the JOSE corpora', () => {
  const cases = existsSync(CORPUS) ? [...cookbook(), ...wycheproof()] : [];

  it.each(cases)('$name', async ({ name, proof, jwks }) => {
    const { signatureValid, certificateIntegrity } = await verifyProof(proof, jwks, { now: NOW });
    expect(signatureValid.result).toBe(SOUND.includes(name));
    // none of them is our certificate, however valid its signature is
    expect(certificateIntegrity.result).toBe(false);
  });

  it('contain valid proofs, and many invalid ones', () => {
    expect(cases.filter(({ name }) => SOUND.includes(name))).toHaveLength(2);
    expect(cases.length).toBeGreaterThan(40);
  });

  it('with the private key published in place of the public one verify nothing', async () => {
    const { input, output } = read('cookbook/jws/4_1.rsa_v15_signature.json') as {
      input: { key: Jwk };
      output: { compact: string };
    };
    const { signatureValid } = await verifyProof(output.compact, { keys: [input.key] }, { now: NOW });
    expect(signatureValid).toMatchObject({ result: false, reason: 'key_unsuitable' });
  });
});
