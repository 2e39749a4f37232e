import { LANDING_WARNINGS } from '../../page-verdicts.ts';
import type { CheckName } from '../types.ts';
import type { Evidence } from './evidence.ts';

/**
 * How far a reader may rely on what was found. `good`: go ahead. `caution`: not as it stands. `bad`: do not rely on it. `none`: nothing
 * is known that would allow a conclusion, which is no failure.
 */
export const CONCLUSION_LEVELS = ['good', 'caution', 'bad', 'none'] as const;

export type ConclusionLevel = (typeof CONCLUSION_LEVELS)[number];

export interface Row<Code extends string> {
  readonly code: Code;
  readonly level: ConclusionLevel;
  /**
   * `{host}`: the signed host. `{control}`: how far its control was proven. `{expired}`: the end of the lifetime. Nothing else of what a
   * page or a shop says: the sentence can be shown to people and language models as ours.
   */
  readonly sentence: string;
  readonly verdicts: readonly Evidence['verdict'][];
  /** Further conditions; default: none. */
  readonly when?: (evidence: Evidence) => boolean;
}

const VERIFIED = ['verified'] as const;
const FAILED = ['failed', 'checks_failed'] as const;

const isFalse =
  (name: CheckName) =>
  ({ checks }: Evidence) =>
    checks[name] === false;
export const hasNote =
  (...codes: readonly string[]) =>
  ({ codes: found }: Evidence) =>
    codes.some((code) => found.has(code));

/** The rows that apply to what `verify` returns. */
export const VERIFICATION_ROWS = [
  // verified, what speaks against relying on it first
  {
    code: 'redirected',
    level: 'caution',
    sentence:
      'The page to which a redirect led is certified. The address that was asked for is not, and may show visitors something else.',
    verdicts: VERIFIED,
    when: hasNote(...LANDING_WARNINGS),
  },
  {
    code: 'page_differs',
    level: 'caution',
    sentence: 'Signed for {host} and this page, but not for the product that the page shows.',
    verdicts: VERIFIED,
    when: ({ agreement }) => agreement === 'different',
  },
  {
    code: 'not_published',
    level: 'caution',
    sentence: 'Signed for {host} and this page, but its product is not published at the moment.',
    verdicts: VERIFIED,
    when: hasNote('product_not_publishing'),
  },
  {
    code: 'control_unproven',
    level: 'caution',
    sentence: 'Signed for {host}, but nobody has shown who runs it.',
    verdicts: VERIFIED,
    when: ({ control }) => control === 'unproven',
  },
  {
    code: 'context_foreign',
    level: 'caution',
    sentence:
      'Signed for {host} and this page, but the certificate names a remote @context, which may change what it means.',
    verdicts: VERIFIED,
    when: hasNote('context_foreign'),
  },
  {
    code: 'control_unknown',
    level: 'none',
    sentence: 'Signed for {host} and this page. Whether anybody has shown who runs {host} is not known here.',
    verdicts: VERIFIED,
    when: ({ control }) => control === 'unknown',
  },
  {
    code: 'page_not_compared',
    level: 'none',
    sentence: 'Issued to {host}, {control}, for this page. Nothing that the page shows was compared with it.',
    verdicts: VERIFIED,
    when: ({ agreement }) => agreement === undefined || agreement === 'nothing',
  },
  {
    code: 'page_unclear',
    level: 'none',
    sentence:
      'Issued to {host}, {control}, for this page. Whether the page shows the signed product could not be told.',
    verdicts: VERIFIED,
    when: ({ agreement }) => agreement !== 'same',
  },
  {
    code: 'issued_to_proven_host',
    level: 'good',
    sentence: 'Issued to {host}, {control}, for this page, which names the signed product.',
    verdicts: VERIFIED,
  },
  // signed, but a decisive check did not pass
  {
    code: 'keys_unavailable',
    level: 'none',
    sentence:
      'The certificate could not be checked: no current keys of its issuer could be read. Try again later.',
    verdicts: FAILED,
    when: hasNote('keys_unavailable'),
  },
  {
    code: 'page_url_invalid',
    level: 'none',
    sentence: 'The given address is not the whole address of a page, so nothing could be compared with it.',
    verdicts: FAILED,
    when: hasNote('page_url_invalid'),
  },
  {
    code: 'issuer_untrusted',
    level: 'bad',
    sentence: 'The certificate was signed by a service that is not trusted here.',
    verdicts: FAILED,
    when: hasNote('issuer_untrusted'),
  },
  {
    code: 'not_signed_by_issuer',
    level: 'bad',
    sentence: 'The certificate was not signed by the service that it names, or was changed afterwards.',
    verdicts: FAILED,
    when: ({ checks }) => checks.signatureValid !== true,
  },
  {
    code: 'host_lost',
    level: 'bad',
    sentence: 'Signed for {host} before another merchant proved control of it.',
    verdicts: FAILED,
    when: hasNote('host_lost'),
  },
  {
    code: 'altered',
    level: 'bad',
    sentence: 'Signed for {host}, but changed after it was signed.',
    verdicts: FAILED,
    when: isFalse('certificateIntegrity'),
  },
  {
    code: 'product_list',
    level: 'none',
    sentence: 'A list of certified products of {host}. Each certificate is for the page of its product.',
    verdicts: FAILED,
    when: hasNote('certified_product_list'),
  },
  {
    code: 'another_host_of_shop',
    level: 'caution',
    sentence: 'Signed for {host}, another address of this shop. Open the page there.',
    verdicts: FAILED,
    when: ({ checks }) => checks.boundToDomain === false && checks.domainVerified === true,
  },
  {
    code: 'another_host',
    level: 'bad',
    sentence: 'Signed for {host}, not for the site that shows it.',
    verdicts: FAILED,
    when: isFalse('boundToDomain'),
  },
  {
    code: 'another_product',
    level: 'bad',
    sentence: 'Signed for {host}, but for another product than the one in question.',
    verdicts: FAILED,
    when: isFalse('productIdMatches'),
  },
  {
    code: 'unknown_parameter',
    level: 'caution',
    sentence:
      'The certified page of {host} with a parameter in its address that was not signed. Open it without.',
    verdicts: FAILED,
    when: hasNote('url_extra_parameter'),
  },
  {
    code: 'another_page',
    level: 'bad',
    sentence: 'Signed for another page of {host}.',
    verdicts: FAILED,
    when: isFalse('boundToUrl'),
  },
  {
    code: 'not_yet_valid',
    level: 'caution',
    sentence: 'Signed for {host} at a time that has not come yet: a clock is wrong, here or at the service.',
    verdicts: FAILED,
    when: hasNote('proof_not_yet_valid'),
  },
  {
    code: 'certificate_expired',
    level: 'caution',
    sentence:
      'Signed for {host} and this page, but expired on {expired}. Shops renew certificates: try again later.',
    verdicts: [...FAILED, 'certificate_expired'],
    when: hasNote('proof_expired', 'certificate_past_lifetime'),
  },
  {
    code: 'checks_failed',
    level: 'bad',
    sentence: 'The certificate is signed, but a decisive check did not pass.',
    verdicts: [...FAILED, 'certificate_expired'],
  },
  // nothing signed, or nothing that could be read
  {
    code: 'place_unknown',
    level: 'none',
    sentence: 'Signed for {host}. Whether you saw it there is not known: a file can name any address.',
    verdicts: ['undetermined'],
  },
  {
    code: 'unverified',
    level: 'none',
    sentence: 'A product is named, but nothing about it is signed, so nothing is proven.',
    verdicts: ['unverified'],
  },
  {
    code: 'no_certificate',
    level: 'none',
    sentence: 'This page carries no certificate, so it proves nothing about the shop or the goods.',
    verdicts: ['no_certificate'],
  },
  {
    code: 'invalid_certificate',
    level: 'bad',
    sentence: 'The page carries something like a certificate that cannot be one of this service.',
    verdicts: ['invalid_certificate'],
  },
  {
    code: 'canonical_mismatch',
    level: 'caution',
    sentence: 'The certificate on this page names a service that is not trusted here.',
    verdicts: ['canonical_mismatch'],
  },
  {
    code: 'product_deleted',
    level: 'caution',
    sentence:
      'The certificate on this page names a product for which the service serves none: it was removed, or never issued.',
    verdicts: ['product_deleted'],
  },
  {
    code: 'password_protected',
    level: 'none',
    sentence: 'The shop asks for a password, so nothing is known about this page.',
    verdicts: ['password_protected'],
  },
  {
    code: 'page_fetch_failed',
    level: 'none',
    sentence: 'The page could not be read, so nothing is known about it.',
    verdicts: ['page_fetch_failed'],
  },
] as const satisfies readonly Row<string>[];
