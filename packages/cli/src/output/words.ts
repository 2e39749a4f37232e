import type { CheckName, VerifyStatus } from '@touchstone/certificate/verify';
import type { PageVerdict } from '@touchstone/page';
import type { Style } from './text.ts';

export interface Words {
  readonly title: string;
  readonly style: Style;
  /** The reason, in a sentence for first-time readers. */
  readonly why: string;
  readonly next?: string;
}

/** Headlines of the verdicts. */
export const VERDICT_WORDS: Readonly<Record<PageVerdict | VerifyStatus, Words>> = {
  verified: {
    title: 'VERIFIED',
    style: 'good',
    why: 'The certificate is signed by the issuer, in time, and bound to this page and product.',
  },
  failed: {
    title: 'FAILED',
    style: 'bad',
    why: 'The certificate is signed, but a check that decides did not pass.',
    next: 'Do not rely on this certificate; ask the shop, or look at the page that it was issued for.',
  },
  checks_failed: {
    title: 'CHECKS FAILED',
    style: 'bad',
    why: 'The page carries a signed certificate, but a check that decides did not pass.',
    next: 'Do not rely on this certificate; ask the shop, or look at the page that it was issued for.',
  },
  unverified: {
    title: 'UNVERIFIED',
    style: 'unsure',
    why: 'A product is named, but nothing signed came with it. That is not a failure: there was nothing to check.',
    next: 'The shop has to put the full certificate, proof included, on the page.',
  },
  certificate_expired: {
    title: 'EXPIRED',
    style: 'unsure',
    why: 'The certificate is authentic and for this page, but past its 7 days.',
    next: 'The shop has to put the present certificate on the page.',
  },
  no_certificate: {
    title: 'NO CERTIFICATE',
    style: 'unsure',
    why: 'The page carries no certificate.',
  },
  invalid_certificate: {
    title: 'INVALID CERTIFICATE',
    style: 'bad',
    why: 'The page carries a certificate that does not say usably where it comes from.',
    next: 'The shop has to put the certificate on the page as the service serves it.',
  },
  canonical_mismatch: {
    title: 'FOREIGN CERTIFICATE',
    style: 'bad',
    why: 'The certificate claims to come from a service that is not among the trusted ones.',
    next: 'Trust it only if you know that service; then name it as issuer.',
  },
  product_deleted: {
    title: 'PRODUCT GONE',
    style: 'unsure',
    why: 'The service serves no certificate for the product that is named: it is unknown, disabled or deleted.',
  },
  password_protected: {
    title: 'PASSWORD PROTECTED',
    style: 'unsure',
    why: 'The shop lets nobody in without a password, so the page could not be read.',
    next: 'Check again when the shop is open.',
  },
  page_fetch_failed: {
    title: 'PAGE NOT READ',
    style: 'unsure',
    why: 'The page could not be fetched, so nothing can be said about it.',
    next: 'Open the address in a browser; if it works there, the host may turn automatic readers away.',
  },
};

/** Headline of a page that was verified on another host than the requested one. */
export const ELSEWHERE: Words = {
  title: 'ANOTHER HOST',
  style: 'unsure',
  why: 'The page where the redirect led is verified. Nothing is known of the address that was asked for: it may show visitors another page.',
  next: 'Open the address above itself, and check that. If you know that both hosts are one shop: --follow-host.',
};

/** Next steps for pages that could not be fetched, by a pattern of the error. */
const FETCH_NEXT: readonly (readonly [why: RegExp, next: string])[] = [
  [/^(url_invalid|scheme_blocked|host_unknown):/, 'Check the spelling of the address.'],
  [
    /^(address|port)_blocked:/,
    'Give the address under which the public reaches the page; others are not fetched.',
  ],
  [/^http_status:.* 4(04|10)\b/, 'The host has no page there (any more): check the address.'],
  [/^not_html:/, 'Give the address of the product page itself.'],
  [/^tls_failed:/, 'Open the address in a browser: it tells what is wrong with the encryption of the host.'],
];

/** The next step; the first error decides if the verdict alone is not specific enough. */
export function nextStep(verdict: PageVerdict | VerifyStatus, errors: readonly string[]): string | undefined {
  const why = verdict === 'page_fetch_failed' ? (errors[0] ?? '') : '';
  return FETCH_NEXT.find(([pattern]) => pattern.test(why))?.[1] ?? VERDICT_WORDS[verdict].next;
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
