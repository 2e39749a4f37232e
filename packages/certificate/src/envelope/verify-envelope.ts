import { createTrust, type Trusting } from '../offline/trust.ts';
import { canonicalJson } from '../proof/canonical-json.ts';
import { isObject } from '../proof/strict-json.ts';
import { credentialOf } from './credential.ts';
import { ENVELOPE_FAULTS, type EnvelopeFault } from './envelope-faults.ts';
import { readEnvelope } from './read-envelope.ts';

/** What was found out about a credential in an envelope. */
export interface EnvelopeFinding {
  /** Whether a trusted issuer signed it, it is current, and it says what its certificate does. */
  readonly valid: boolean;
  readonly fault?: { readonly code: EnvelopeFault; readonly sentence: string };
  /** What is signed; absent unless the signature is valid. */
  readonly credential?: Readonly<Record<string, unknown>>;
  /** The certificate in it, to be verified against the page where it was found; absent unless the signature is valid. */
  readonly certificate?: Readonly<Record<string, unknown>>;
}

/** Seconds by which clocks may differ: as for proofs (spec, `timestampValid`). */
const AHEAD = 300;
const BEHIND = 60;

/**
 * Verifies a certificate that was exported as a W3C credential (`application/vc+jwt`): that a trusted issuer signed it, and that it says no
 * more than the certificate in it. It is no verdict on a page or a shop: whoever copies a page can copy its credential. Give the
 * `certificate` and the address of the page to `verifyProductCertificate`, which also verifies the proof.
 * Whether it was withdrawn is not looked up. Credentials of others than the issuers of product certificates are refused.
 *
 * @throws CannotVerifyError if no issuer is trusted or the keys are unavailable
 * @throws TypeError if `now` is not a valid Date
 * @example
 * ```ts
 * import { verifyEnvelope } from '@touchstone/certificate/envelope';
 *
 * const trustedIssuers = ['https://certificates.example'];
 * const { fault } = await verifyEnvelope('no envelope', { trustedIssuers, now: new Date() });
 * fault?.code; // 'envelope_malformed'
 * ```
 */
export async function verifyEnvelope(
  envelope: unknown,
  options: { readonly now: Date } & Trusting,
): Promise<EnvelopeFinding> {
  const { now } = options;
  if (!Number.isFinite(now?.getTime?.())) throw new TypeError('now must be a valid Date.');
  const trust = options.trust ?? createTrust(options);
  const parts = readEnvelope(envelope);
  if (typeof parts === 'string') return refused(parts);
  const { credential, issuer, kid, signature, signingInput } = parts;
  const certificate = certificateIn(credential);
  const expected = certificate === undefined ? undefined : expectedOf(certificate);
  if (certificate === undefined || expected === undefined) return refused('envelope_without_certificate');
  // the keys of the issuer of the certificate, which must be that of the credential
  const { issuers, keySet } = await trust.keysFor(certificate, now);
  if (!issuers.includes(issuer) || expected.issuer !== issuer) return refused('envelope_issuer_untrusted');
  const key = keySet.find(kid);
  if (typeof key === 'string') {
    return refused(key === 'issuer_untrusted' ? 'envelope_issuer_untrusted' : 'envelope_key_unknown');
  }
  if (!(await keySet.verify(key, signature, signingInput))) return refused('envelope_signature_invalid');
  const signed = { credential, certificate };
  if (!says(credential, expected)) return { ...refused('envelope_certificate_differs'), ...signed };
  const seconds = now.getTime() / 1000;
  if (expected.iat > seconds + AHEAD || expected.exp <= seconds - BEHIND)
    return { ...refused('envelope_not_current'), ...signed };
  return { valid: true, ...signed };
}

function refused(code: EnvelopeFault): EnvelopeFinding {
  return { valid: false, fault: { code, sentence: ENVELOPE_FAULTS[code] } };
}

function certificateIn(
  credential: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> | undefined {
  const { credentialSubject: subject } = credential;
  return isObject(subject) && isObject(subject.certificate) ? subject.certificate : undefined;
}

/** Whether a value contains what is expected of it. Other members are those of a newer service, and are ignored. */
function says(actual: unknown, expected: object): boolean {
  return Object.entries(expected).every(([name, value]) => {
    // terms say nothing by themselves, and the certificate is the one that was expected from
    if (name === '@context' || name === 'certificate') return true;
    const found = isObject(actual) ? actual[name] : undefined;
    return isObject(value) ? says(found, value) : canonicalJson(found ?? null) === canonicalJson(value);
  });
}

/** The credential of this certificate. */
function expectedOf(certificate: object): ReturnType<typeof credentialOf> | undefined {
  try {
    return credentialOf(certificate);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
