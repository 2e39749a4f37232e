import { decodeBase64url } from '../proof/base64url.ts';
import { isObject, parseStrictObject } from '../proof/strict-json.ts';
import { VC_CONTEXT } from './credential.ts';
import type { EnvelopeFault } from './envelope-faults.ts';

/** Characters of an envelope; the certificate in it is that of a product with thousands of pictures. */
export const MAX_ENVELOPE = 4_000_000;

/** An envelope that was parsed, and is not verified. */
export interface EnvelopeParts {
  readonly alg: string;
  readonly kid: string;
  readonly credential: Readonly<Record<string, unknown>>;
  readonly issuer: string;
  readonly signingInput: Uint8Array<ArrayBuffer>;
  readonly signature: Uint8Array<ArrayBuffer>;
}

/**
 * Parses a credential in an envelope by the rules of VC-JOSE-COSE: compact serialisation, `typ` vc+jwt, no `vc` or `vp` claim, `iss` as
 * the issuer. Members that are not known are ignored, as these rules demand; `crit` is not.
 *
 * @param algorithms - the values of `alg` that are accepted; services sign with RS256
 * @returns the parts, or the first fault
 * @example
 * ```ts
 * import { readEnvelope } from '@touchstone/certificate/envelope';
 *
 * readEnvelope('no envelope'); // 'envelope_malformed'
 * ```
 */
export function readEnvelope(
  envelope: unknown,
  algorithms: readonly string[] = ['RS256'],
): EnvelopeParts | EnvelopeFault {
  if (typeof envelope !== 'string') return 'envelope_malformed';
  if (envelope.length > MAX_ENVELOPE) return 'envelope_too_large';
  const parts = envelope.split('.', 4);
  const [head, payload, signature] = parts.map(decodeBase64url);
  const header = head && parseStrictObject(head);
  const credential = payload && parseStrictObject(payload);
  if (parts.length !== 3 || !header || !credential || !signature?.length) return 'envelope_malformed';
  const { alg, kid, typ, cty = 'vc' } = header;
  if (typ !== 'vc+jwt' || cty !== 'vc') return 'envelope_type_wrong';
  if (typeof alg !== 'string' || !algorithms.includes(alg)) return 'envelope_algorithm_not_allowed';
  if (Object.hasOwn(header, 'crit')) return 'envelope_header_not_allowed';
  if (typeof kid !== 'string' || kid === '') return 'envelope_malformed';
  const fault = credentialFault(credential);
  if (fault !== null) return fault;
  const signingInput = new TextEncoder().encode(envelope.slice(0, envelope.lastIndexOf('.')));
  return { alg, kid, credential, issuer: issuerOf(credential) as string, signingInput, signature };
}

/**
 * Why an object is no credential that an envelope may contain (VC Data Model 2.0, sections 4.3 to 4.9); `null` if it is one.
 *
 * @example
 * ```ts
 * import { credentialFault } from '@touchstone/certificate/envelope';
 *
 * credentialFault({ vc: {} }); // 'envelope_not_a_credential'
 * ```
 */
export function credentialFault(credential: Readonly<Record<string, unknown>>): EnvelopeFault | null {
  const { '@context': context, type, iss, credentialSubject } = credential;
  const issuer = issuerOf(credential);
  const isCredential =
    Array.isArray(context) &&
    context[0] === VC_CONTEXT &&
    [type].flat().includes('VerifiableCredential') &&
    issuer !== undefined &&
    [credentialSubject].flat().length > 0 &&
    [credentialSubject].flat().every((subject) => isObject(subject) && Object.keys(subject).length > 0) &&
    !Object.hasOwn(credential, 'vc') &&
    !Object.hasOwn(credential, 'vp');
  if (!isCredential) return 'envelope_not_a_credential';
  return iss === undefined || iss === issuer ? null : 'envelope_issuer_differs';
}

/** The issuer's URL; `undefined` if there is none. */
function issuerOf({ issuer }: Readonly<Record<string, unknown>>): string | undefined {
  const id = isObject(issuer) ? issuer.id : issuer;
  return typeof id === 'string' && URL.canParse(id) ? id : undefined;
}
