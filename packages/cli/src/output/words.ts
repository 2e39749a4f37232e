import type { Conclusion, ConclusionCode, ConclusionLevel } from '@touchstone/certificate';
import type { CheckName } from '@touchstone/certificate/verify';
import type { Style } from './text.ts';

/** The headline of a conclusion, and what its reader should do next. */
export interface Words {
  readonly title: string;
  readonly next?: string;
}

/** A title in capitals is the first word that is read: only the good one may say that something is verified. */
export const CONCLUSION_WORDS: Readonly<Record<ConclusionCode, Words>> = {
  issued_to_proven_host: { title: 'VERIFIED' },
  withdrawn: { title: 'WITHDRAWN', next: 'Do not rely on this certificate.' },
  not_in_status_list: {
    title: 'NOT LISTED',
    next: 'Do not rely on this certificate: whoever made it may hold a stolen key.',
  },
  suspended: {
    title: 'SUSPENDED',
    next: 'Do not rely on it at present: the shop does not publish it. Check again later.',
  },
  withdrawal_unknown: {
    title: 'WITHDRAWAL NOT KNOWN',
    next: 'Try again when the status lists of its issuer can be read.',
  },
  log_proof_invalid: {
    title: 'LOG ENTRY NOT TRUE',
    next: 'Do not rely on this certificate until its issuer explains it; keep it as evidence.',
  },
  log_required: {
    title: 'NOT KNOWN TO BE LOGGED',
    next: 'Ask the issuer or its log for the proof of inclusion; a policy with other logs or witnesses may count it.',
  },
  redirected: {
    title: 'ANOTHER PAGE',
    next: 'Check the final address above itself. If you know that it is the page you mean: --follow-host.',
  },
  page_differs: {
    title: 'ANOTHER PRODUCT SHOWN',
    next: 'Do not buy on the strength of this certificate. If you know that both name one product: --ignore-page-facts.',
  },
  not_published: {
    title: 'NOT PUBLISHED',
    next: 'The shop must publish the product again; check again then.',
  },
  control_unproven: {
    title: 'HOST UNPROVEN',
    next: 'Do not conclude who sells here. The shop can prove control of its host; if you know who runs it: --accept-unproven.',
  },
  context_foreign: {
    title: 'FOREIGN CONTEXT',
    next: 'Rely only on what was signed. The shop must publish the certificate exactly as the service serves it.',
  },
  control_unknown: {
    title: 'SIGNED, HOST NOT KNOWN',
    next: 'Ask the service, which knows whether control of the host is proven: touchstone check <url>',
  },
  page_not_compared: {
    title: 'SIGNED, PAGE NOT COMPARED',
    next: 'Compare what the page sells with what was signed.',
  },
  page_unclear: {
    title: 'SIGNED, PRODUCT UNCLEAR',
    next: 'Compare what the page sells with what was signed.',
  },
  keys_unavailable: { title: 'NOT CHECKED', next: 'Try again later.' },
  page_url_invalid: {
    title: 'ADDRESS INCOMPLETE',
    next: 'Give the whole address of the page, with https://.',
  },
  issuer_untrusted: {
    title: 'ISSUER NOT TRUSTED',
    next: 'Trust it only if you know that service; then give it as --issuer.',
  },
  not_signed_by_issuer: {
    title: 'NOT GENUINE',
    next: 'Do not rely on this certificate.',
  },
  host_lost: { title: 'HOST CHANGED HANDS', next: 'Do not rely on this certificate.' },
  altered: {
    title: 'ALTERED',
    next: 'Do not rely on this certificate. The shop must publish it exactly as the service serves it.',
  },
  product_list: {
    title: 'LIST OF PRODUCTS',
    next: 'Open the page of one product and check that.',
  },
  another_host_of_shop: {
    title: 'ANOTHER ADDRESS OF THE SHOP',
    next: 'Open the signed address below and check that.',
  },
  another_host: {
    title: 'ISSUED FOR ANOTHER SITE',
    next: 'Do not rely on this certificate. The page may be a copy of the signed one below.',
  },
  another_product: { title: 'ANOTHER PRODUCT', next: 'Do not rely on this certificate for this product.' },
  unknown_parameter: {
    title: 'UNKNOWN PARAMETER',
    next: 'Open the signed address below, without the added parameter, and check that.',
  },
  another_page: {
    title: 'ISSUED FOR ANOTHER PAGE',
    next: 'Do not rely on this certificate here. Open the signed address below and check that.',
  },
  not_yet_valid: { title: 'CLOCK WRONG', next: 'Set the clock of this machine, and try again.' },
  certificate_expired: {
    title: 'EXPIRED',
    next: 'The shop must publish the current certificate on the page.',
  },
  checks_failed: {
    title: 'CHECKS FAILED',
    next: 'Do not rely on this certificate.',
  },
  place_unknown: {
    title: 'SIGNED FOR',
    next: 'Say where you saw it, by the address bar and not by the file: --page-url https://…',
  },
  unverified: {
    title: 'UNVERIFIED',
    next: 'The shop must publish the full certificate, with its proof, on the page.',
  },
  no_certificate: {
    title: 'NO CERTIFICATE',
    next: 'Judge the shop as you would without this service.',
  },
  invalid_certificate: {
    title: 'INVALID CERTIFICATE',
    next: 'The shop must publish the certificate exactly as the service serves it.',
  },
  canonical_mismatch: {
    title: 'FOREIGN CERTIFICATE',
    next: 'Trust it only if you know that service; then give it as --issuer.',
  },
  product_deleted: { title: 'PRODUCT GONE', next: 'Judge the page as one without a certificate.' },
  password_protected: { title: 'PASSWORD PROTECTED', next: 'Check again when the shop is open.' },
  page_fetch_failed: {
    title: 'PAGE NOT READ',
    next: 'Open the address in a browser; if it works there, the host may block automated clients.',
  },
};

/** The colour of each level. */
export const STYLES: Readonly<Record<ConclusionLevel, Style>> = {
  good: 'good',
  caution: 'unsure',
  bad: 'bad',
  none: 'unsure',
};

/** Next steps for pages that could not be fetched, by a pattern of the error. */
const FETCH_NEXT: readonly (readonly [why: RegExp, next: string])[] = [
  [/^(url_invalid|scheme_blocked|host_unknown):/, 'Check the spelling of the address.'],
  [/^(address|port)_blocked:/, 'Give the public address of the page; others are not fetched.'],
  [/^http_status:.* 4(04|10)\b/, 'The host has no page at this address: check the address.'],
  [/^not_html:/, 'Give the address of the product page itself.'],
  [/^tls_failed:/, 'Open the address in a browser: it shows what is wrong with TLS on the host.'],
];

/** The next step; the first error decides if a page could not be fetched. */
export function nextStep({ code }: Conclusion, errors: readonly string[]): string | undefined {
  const why = code === 'page_fetch_failed' ? (errors[0] ?? '') : '';
  return FETCH_NEXT.find(([pattern]) => pattern.test(why))?.[1] ?? CONCLUSION_WORDS[code].next;
}

/** The question that each check answers. */
export const CHECK_QUESTIONS: Readonly<Record<CheckName, string>> = {
  signatureValid: 'signed by a key of the issuer',
  certificateIntegrity: 'complete and unchanged',
  timestampValid: 'within its 7 days',
  boundToDomain: 'issued for this site',
  productIdMatches: 'issued for this product',
  boundToUrl: 'issued for this page',
  domainKnown: 'site known to the registry',
  domainVerified: 'site proven by the merchant',
  trustDataCurrent: 'coverage counts still current',
};

/** The order in which checks are shown: decisive ones first. */
export const CHECK_ORDER = Object.keys(CHECK_QUESTIONS) as readonly CheckName[];
