import type { ConclusionCode } from '@touchstone/certificate';
import type { BadgeDetail, BadgeState, BadgeWhy } from './badge-result.ts';

/** How a badge shows a conclusion. */
export interface Shown {
  readonly state: BadgeState;
  readonly detail: BadgeDetail;
  readonly why?: BadgeWhy;
}

/** Every conclusion as a badge shows it; only one has a tick. */
export const SHOWN: Readonly<Record<ConclusionCode, Shown>> = {
  withdrawn: { state: 'withdrawn', detail: 'removed', why: 'withdrawn' },
  not_in_status_list: { state: 'invalid', detail: 'failed' },
  suspended: { state: 'suspended', detail: 'hidden', why: 'suspended' },
  withdrawal_unknown: { state: 'unknown', detail: 'offline' },
  log_proof_invalid: { state: 'unknown', detail: 'failed' },
  log_required: { state: 'unknown', detail: 'offline' },
  redirected: { state: 'address', detail: 'otherPage' },
  page_differs: { state: 'differs', detail: 'otherPage' },
  not_published: { state: 'suspended', detail: 'hidden', why: 'suspended' },
  control_unproven: { state: 'unproven', detail: 'forDomain' },
  context_foreign: { state: 'unknown', detail: 'context' },
  control_unknown: { state: 'signed', detail: 'forDomain', why: 'control' },
  page_not_compared: { state: 'signed', detail: 'forDomain', why: 'page' },
  page_unclear: { state: 'signed', detail: 'forDomain', why: 'page' },
  issued_to_proven_host: { state: 'verified', detail: 'forDomain' },
  keys_unavailable: { state: 'unknown', detail: 'offline' },
  page_url_invalid: { state: 'unknown', detail: 'noSite' },
  issuer_untrusted: { state: 'unknown', detail: 'elsewhere' },
  not_signed_by_issuer: { state: 'invalid', detail: 'altered' },
  host_lost: { state: 'site', detail: 'forDomain' },
  altered: { state: 'invalid', detail: 'altered' },
  product_list: { state: 'listed', detail: 'forProduct' },
  another_host_of_shop: { state: 'address', detail: 'forDomain' },
  another_host: { state: 'site', detail: 'forDomain' },
  another_product: { state: 'page', detail: 'otherPage' },
  unknown_parameter: { state: 'address', detail: 'otherPage' },
  another_page: { state: 'page', detail: 'otherPage' },
  not_yet_valid: { state: 'unknown', detail: 'clock' },
  certificate_expired: { state: 'expired', detail: 'expiredOn' },
  checks_failed: { state: 'invalid', detail: 'failed' },
  place_unknown: { state: 'unknown', detail: 'noSite' },
  // no failure: the merchant may have hidden the product
  unverified: { state: 'unsigned', detail: 'unsigned' },
  no_certificate: { state: 'none', detail: 'nothing' },
  invalid_certificate: { state: 'invalid', detail: 'incomplete' },
  canonical_mismatch: { state: 'unknown', detail: 'elsewhere' },
  product_deleted: { state: 'withdrawn', detail: 'removed', why: 'withdrawn' },
  password_protected: { state: 'none', detail: 'nothing' },
  page_fetch_failed: { state: 'none', detail: 'nothing' },
};

/** Conclusions that are about a certificate signed for this very page, and whose badge may change after the service was asked. */
export const SIGNED_HERE: readonly ConclusionCode[] = [
  'page_differs',
  'control_unproven',
  'control_unknown',
  'page_not_compared',
  'page_unclear',
  'issued_to_proven_host',
];
