import { createPrivateKey, createPublicKey, type JsonWebKey, sign, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { credentialFault, encodeEnvelope, readEnvelope } from '@touchstone/certificate/envelope';
import { encodeBase64url } from '@touchstone/certificate/issue';

/*
 * Runs the tests of a checkout of w3c/vc-jose-cose-test-suite that are about credentials secured with JOSE through the SDK, without
 * Docker: node scripts/vc-jose-cose-suite.ts <checkout>
 *
 * The suite has no RSA key: form and rules are those of the SDK, the signature primitive is Node's, with the keys and algorithms of the
 * suite, of which services use none. Not run, as the SDK has neither: presentations, SD-JWT, COSE.
 */

/** Tests that fail, and why that is right here. */
const KNOWN: Readonly<Record<number, string>> = {
  5: 'what is issued is always made of a certificate, so no check of members that no context defines is needed; nor is a context fetched',
};

interface Test {
  readonly number: number;
  readonly input_file: string;
  readonly key_file: string;
  readonly fn: 'issue' | 'verify';
  readonly feature: string;
  readonly expected_result: string;
}

interface SuiteKey {
  readonly publicKeyJwk: JsonWebKey & { readonly alg: string; readonly kid: string };
  readonly secretKeyJwk: JsonWebKey;
}

const HASH: Readonly<Record<string, string | null>> = {
  ES256: 'sha256',
  ES384: 'sha384',
  ES512: 'sha512',
  EdDSA: null,
};
const P1363 = { dsaEncoding: 'ieee-p1363' } as const;

const tests = join(resolve(process.argv[2] ?? '.'), 'tests');
const { JOSETestMapping: all } = (await import(pathToFileURL(join(tests, 'test-mapping.js')).href)) as {
  readonly JOSETestMapping: Readonly<Record<string, Test>>;
};

const input = (name: string) => readFileSync(join(tests, 'input', name), 'utf8');

function issue(credential: Record<string, unknown>, key: SuiteKey): string {
  if (credentialFault(credential) !== null) return 'failure';
  const { alg, kid } = key.publicKeyJwk;
  const signingInput = encodeEnvelope({ alg, kid }, credential);
  const privateKey = createPrivateKey({ key: key.secretKeyJwk, format: 'jwk' });
  const signature = sign(HASH[alg], Buffer.from(signingInput), { key: privateKey, ...P1363 });
  return checked(`${signingInput}.${encodeBase64url(signature)}`, key);
}

function checked(envelope: string, { publicKeyJwk }: SuiteKey): string {
  const { alg, kid } = publicKeyJwk;
  const parts = readEnvelope(envelope, [alg]);
  if (typeof parts === 'string' || parts.kid !== kid) return 'failure';
  const key = createPublicKey({ key: publicKeyJwk, format: 'jwk' });
  return verify(HASH[alg], parts.signingInput, { key, ...P1363 }, parts.signature) ? 'success' : 'failure';
}

let failed = 0;
for (const [name, test] of Object.entries(all)) {
  if (test.feature !== 'credential_jose') {
    console.log(`not run  ${name} (${test.feature})`);
    continue;
  }
  const key = JSON.parse(input(test.key_file)) as SuiteKey;
  const text = input(test.input_file);
  const result = test.fn === 'issue' ? issue(JSON.parse(text), key) : checked(text.trim(), key);
  const isPassed = result === test.expected_result;
  const known = KNOWN[test.number];
  if (isPassed === (known !== undefined)) failed++;
  console.log(
    `${isPassed ? 'passed ' : 'FAILED '}  ${name}: ${result}${known === undefined ? '' : ` (known: ${known})`}`,
  );
}
process.exitCode = failed === 0 ? 0 : 1;
