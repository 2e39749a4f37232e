import { decodeBase64url } from '@touchstone/certificate/issue';
import { isNode, type Node } from '@touchstone/page/document';
import { textOf } from '../markup-node.ts';
import { idOf, issuerOf, type RawClaim } from './claim.ts';

/** Media types of credentials (VC Data Model 2.0, Securing VCs using JOSE and COSE), with a former one. */
const MEDIA_TYPE = /^application\/(?:vc|vp)(?:\+(?:jwt|sd-jwt|cose|ld\+json(?:\+(?:jwt|sd-jwt))?))?$/;

/** Types of W3C credentials and of those of UNTP. */
const CREDENTIAL_TYPES: ReadonlySet<string> = new Set([
  'VerifiableCredential',
  'DigitalProductPassport',
  'DigitalConformityCredential',
  'ConformityCredential',
  'DigitalFacilityRecord',
  'DigitalTraceabilityEvent',
  'DigitalIdentityAnchor',
]);
const GENERAL_TYPES: ReadonlySet<string> = new Set(['VerifiableCredential', 'EnvelopedVerifiableCredential']);

/** Characters of an enveloped credential that are read. */
const MAX_ENVELOPE = 200_000;
/** Types of a credential that are told. */
const MAX_TYPES = 4;

export function isCredentialMediaType(type: string | undefined): boolean {
  return type !== undefined && MEDIA_TYPE.test((type.split(';', 1)[0] ?? '').trim().toLowerCase());
}

/** What a node claims if it is a credential, embedded or in an envelope, whose signature nobody checks here. */
export function credentialOf(
  node: Node,
  resolve: (node: Node) => Node,
): Omit<RawClaim, 'source' | 'field'> | undefined {
  const types = typesOf(node);
  if (types.includes('EnvelopedVerifiableCredential')) return envelopedIn(idOf(node) ?? '');
  if (!types.some((type) => CREDENTIAL_TYPES.has(type))) return undefined;
  const id = idOf(node);
  const own = types.filter((type) => !GENERAL_TYPES.has(type)).slice(0, MAX_TYPES);
  return {
    kind: 'credential',
    name: textOf(node, 'name') ?? (own.length === 0 ? undefined : own.join(', ')),
    id,
    issuer: issuerOf(node, ['issuer'], resolve),
    url: id,
  };
}

/** The claims of a credential as a `data:` address (VC Data Model 2.0, section 4.13). */
function envelopedIn(address: string): Omit<RawClaim, 'source' | 'field'> | undefined {
  const [, type, data] = /^data:([^,;]+)[^,]*,(.*)$/is.exec(address.slice(0, MAX_ENVELOPE)) ?? [];
  if (type === undefined || data === undefined || !isCredentialMediaType(type)) return undefined;
  return credentialIn(data) ?? { kind: 'credential', name: type.toLowerCase() };
}

/** What a compact JWS claims that secures a credential; `undefined` if its payload cannot be read. */
export function credentialIn(jws: string): Omit<RawClaim, 'source' | 'field'> | undefined {
  if (jws.length > MAX_ENVELOPE) return undefined;
  const bytes = decodeBase64url(jws.trim().split('.')[1] ?? '');
  try {
    const payload: unknown = bytes === null ? undefined : JSON.parse(new TextDecoder().decode(bytes));
    if (!isNode(payload)) return undefined;
    // before version 2.0 of the data model, the credential was the claim `vc`
    const node = isNode(payload.vc) ? { issuer: payload.iss, ...payload.vc } : payload;
    return typesOf(node).includes('EnvelopedVerifiableCredential')
      ? undefined
      : credentialOf(node, (one) => one);
  } catch {
    return undefined;
  }
}

/** Local names of a node's types under `@type`, or `type` as credentials write it. */
function typesOf(node: Node): string[] {
  return ['@type', 'type']
    .flatMap((key) => (Object.hasOwn(node, key) ? [node[key]].flat().slice(0, 20) : []))
    .filter((type): type is string => typeof type === 'string')
    .map((type) => type.slice(0, 300).replace(/^.*[#/:]/, ''));
}
