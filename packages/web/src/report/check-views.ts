import type { CheckName, ProfileCheck, VerificationResult } from '@touchstone/certificate';
import type { PageReport } from '@touchstone/contract';
import { parseNote } from './notes.ts';

/** The view of one check; the compared values are untrusted text. */
export interface CheckView {
  readonly name: CheckName | ProfileCheck;
  /** `null`: it did not run. */
  readonly result: boolean | null;
  /** A code of the reasons of checks or profiles; absent if only the result is known. */
  readonly reason?: string | undefined;
  readonly expected?: string | undefined;
  readonly found?: string | undefined;
}

/** Decisive checks first, in the order of a reader's questions. */
const CHECK_ORDER: readonly CheckName[] = [
  'signatureValid',
  'boundToDomain',
  'boundToUrl',
  'productIdMatches',
  'timestampValid',
  'certificateIntegrity',
  'domainKnown',
  'domainVerified',
  'trustDataCurrent',
];

const ADVISORY: readonly string[] = ['domainKnown', 'domainVerified', 'trustDataCurrent'];

export function isAdvisory(name: CheckView['name']): boolean {
  return ADVISORY.includes(name);
}

/** The checks of a verification, by the service or by the SDK in this browser. */
export function checksOfResult({ checkDetails }: Pick<VerificationResult, 'checkDetails'>): CheckView[] {
  return CHECK_ORDER.map((name) => {
    const { result, reason, expected, actual } = checkDetails[name];
    return { name, result, reason, expected, found: actual };
  });
}

/** The possible reasons of each check; a report has reasons in its notes, without their checks. */
const REASONS_OF: Readonly<Record<CheckName, readonly string[]>> = {
  signatureValid: [
    'proof_malformed',
    'proof_too_large',
    'header_not_allowed',
    'algorithm_not_allowed',
    'kid_missing',
    'key_unknown',
    'key_ambiguous',
    'key_unsuitable',
    'signature_mismatch',
  ],
  boundToDomain: [
    'certificate_withdrawn',
    'domain_differs',
    'another_address_of_shop',
    'host_lost',
    'page_url_invalid',
  ],
  boundToUrl: [
    'url_differs',
    'url_extra_parameter',
    'url_too_long',
    'url_credentials',
    'signed_url_invalid',
    'page_url_invalid',
  ],
  productIdMatches: ['product_differs'],
  timestampValid: ['proof_expired', 'proof_not_yet_valid'],
  certificateIntegrity: [
    'proof_kind_wrong',
    'claims_unreadable',
    'claim_missing',
    'claim_wrong_type',
    'lifetime_wrong',
    'issuer_untrusted',
    'document_differs',
    'member_altered',
    'status_claim_required',
    'status_claim_malformed',
    'status_uri_differs',
    'status_index_out_of_range',
    'proof_malformed',
    'proof_too_large',
  ],
  domainKnown: ['domain_unknown'],
  domainVerified: ['domain_unverified', 'domain_unknown'],
  trustDataCurrent: ['coverage_changed'],
};

/**
 * The checks of a page report, which has only their results: the compared values are derived from the signed claims and the page, the
 * reasons from its notes. `null` if no certificate was checked.
 *
 * @param known - the English sentences of reasons
 */
export function checksOfReport(
  report: PageReport,
  known: Readonly<Record<string, string>>,
): CheckView[] | null {
  const { checks } = report.mc4p;
  if (checks === undefined) return null;
  const notes = [...report.errors, ...report.warnings].map((entry) => parseNote(entry, known));
  return CHECK_ORDER.map((name) => {
    const result = checks[name];
    const note = result === false ? notes.find(({ code }) => REASONS_OF[name].includes(code)) : undefined;
    const { expected = note?.expected, found = note?.found } = comparedBy(name, report);
    return { name, result, reason: note?.code, expected, found };
  });
}

function comparedBy(
  name: CheckName,
  { mc4p, final_url, fetched_at }: PageReport,
): Pick<CheckView, 'expected' | 'found'> {
  const { signed, product_id } = mc4p;
  if (signed === undefined) return {};
  switch (name) {
    case 'boundToDomain':
      return { expected: signed.domain, found: URL.parse(final_url)?.hostname ?? final_url };
    case 'boundToUrl':
      return { expected: signed.url, found: final_url };
    case 'productIdMatches':
      return { expected: signed.productId, found: product_id };
    case 'timestampValid':
      return { expected: `${signed.issuedAt} – ${signed.expiresAt}`, found: fetched_at };
    default:
      return {};
  }
}
