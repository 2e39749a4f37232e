/** Why a credential in an envelope does not count, with its sentence; a closed list. */
export const ENVELOPE_FAULTS = {
  envelope_malformed:
    'This is no credential in an envelope: it is not three parts in base64url, of which two are JSON objects.',
  envelope_too_large: 'The envelope is larger than one may be.',
  envelope_type_wrong: 'This is a signed token of another type than vc+jwt.',
  envelope_algorithm_not_allowed: 'Credentials are signed with RS256 here and with nothing else.',
  envelope_header_not_allowed: 'The header of the envelope demands what this verifier does not know (crit).',
  envelope_not_a_credential: 'What is signed is no credential of the W3C data model 2.0.',
  envelope_issuer_differs: 'The token names another issuer than the credential in it.',
  envelope_without_certificate: 'The credential contains no product certificate with a proof.',
  envelope_issuer_untrusted:
    'The credential, or the certificate in it, names another issuer than the trusted ones.',
  envelope_key_unknown: 'The issuer publishes no usable key of this name.',
  envelope_signature_invalid:
    'The signature of the envelope does not match: it was changed, or made by another.',
  envelope_not_current: 'The credential is not valid yet, or no longer.',
  envelope_certificate_differs: 'The credential says something else than the proof of the certificate in it.',
} as const;

/** A code of `ENVELOPE_FAULTS`. */
export type EnvelopeFault = keyof typeof ENVELOPE_FAULTS;
