/**
 * Every reason a check can give, and every note a verification can carry, with its sentence.
 *
 * The list is closed: codes are part of the public contract (docs/codes.md is generated from it) and are never reused
 * with another meaning. Sentences are written for first-time readers.
 */
export const REASONS = {
  ok: 'The check passed.',
  // why a check did not run (null)
  nothing_signed: 'No signed certificate was submitted.',
  registry_not_asked: 'The registry was not consulted.',
  document_not_compared: 'The signature is not valid: the document was not compared.',
  // the proof itself
  proof_malformed: 'The proof is not a compact JWS.',
  proof_too_large: 'The proof is over 8 KB.',
  header_not_allowed: 'The proof has a header parameter that is not allowed.',
  algorithm_not_allowed: 'The proof is not signed with RS256.',
  kid_missing: 'The proof names no key.',
  key_unknown: 'The issuer publishes no key of this name.',
  key_ambiguous: 'The issuer publishes several keys of this name.',
  key_unsuitable: 'The key is unfit for RS256.',
  signature_mismatch: 'The signature does not match.',
  // its claims
  proof_kind_wrong: 'The proof is for another kind of certificate.',
  claims_unreadable: 'The claims are not one JSON object.',
  claim_missing: 'A claim is missing.',
  claim_wrong_type: 'A claim has the wrong type.',
  lifetime_wrong: 'The proof does not expire 7 days after it was issued.',
  issuer_untrusted: 'The issuer of the proof is not trusted.',
  document_differs: 'The document contradicts its signed proof.',
  member_altered: 'A member of the document is not as it was issued.',
  // its time
  proof_expired: 'The proof is past its 7 days.',
  proof_not_yet_valid: 'The proof is from the future.',
  // its binding
  product_differs: 'The proof was issued for another product.',
  domain_differs: 'The proof was issued for another site.',
  another_address_of_shop: 'The proof was issued for another address of the shop.',
  host_lost: 'Another merchant has since proven control of this site.',
  page_url_invalid: 'The address of the page is not an absolute http or https URL.',
  signed_url_invalid: 'The signed address is not an absolute http or https URL.',
  url_differs: 'The proof was issued for another page.',
  url_extra_parameter: 'The address of the page has a parameter that was not signed.',
  url_too_long: 'An address is over 8,192 characters.',
  url_credentials: 'The address of the page has a user name or password.',
  // the registry's data
  domain_unknown: 'The site is not a domain of the store of this product.',
  domain_unverified: 'The store has not proven control of this domain.',
  coverage_changed: 'The coverage changed since the proof was issued.',
  // notes in addition to the checks
  document_not_single_node: 'The document is not one JSON-LD node.',
  document_not_json: 'The document is not JSON.',
  proof_absent: 'The document carries no signed proof.',
  trust_block_differs: 'The coverage in the document differs from the signed one.',
  context_foreign: 'A remote @context may change the meaning.',
  product_not_publishing: 'The product publishes nothing now.',
  registry_stale:
    'The registry is not reachable: its data are from shortly before, and later changes may be missing.',
} as const;

/** A code of `REASONS`. */
export type Reason = keyof typeof REASONS;

/**
 * `code: sentence`, the form of every entry in `warnings`, `errors` and `findings`. Programs should rely on the code;
 * the sentence may change.
 *
 * @example
 * ```ts
 * import { note } from '@touchstone/certificate';
 *
 * note('kid_missing'); // 'kid_missing: The proof names no key.'
 * ```
 */
export function note(code: Reason, ...details: readonly string[]): string {
  return [`${code}: ${REASONS[code]}`, ...details].join(' ');
}
