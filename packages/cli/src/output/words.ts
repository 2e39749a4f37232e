import type { CheckName, VerifyStatus } from '@touchstone/certificate/verify';
import type { PageVerdict } from '@touchstone/page';
import type { Reservation } from '../verify/landing.ts';
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
    why: 'The certificate is signed, but a decisive check did not pass.',
    next: 'Do not rely on this certificate; ask the shop, or open the page for which it was issued.',
  },
  checks_failed: {
    title: 'CHECKS FAILED',
    style: 'bad',
    why: 'The page carries a signed certificate, but a decisive check did not pass.',
    next: 'Do not rely on this certificate; ask the shop, or open the page for which it was issued.',
  },
  unverified: {
    title: 'UNVERIFIED',
    style: 'unsure',
    why: 'A product is named, but nothing is signed. That is not a failure: there was nothing to check.',
    next: 'The shop must publish the full certificate, with its proof, on the page.',
  },
  certificate_expired: {
    title: 'EXPIRED',
    style: 'unsure',
    why: 'The certificate is authentic and for this page, but past its 7 days.',
    next: 'The shop must publish the current certificate on the page.',
  },
  no_certificate: {
    title: 'NO CERTIFICATE',
    style: 'unsure',
    why: 'The page carries no certificate.',
  },
  invalid_certificate: {
    title: 'INVALID CERTIFICATE',
    style: 'bad',
    why: 'The page carries a certificate without a usable source.',
    next: 'The shop must publish the certificate exactly as the service serves it.',
  },
  canonical_mismatch: {
    title: 'FOREIGN CERTIFICATE',
    style: 'bad',
    why: 'The certificate claims to come from a service that is not among the trusted ones.',
    next: 'Trust it only if you know that service; then give it as --issuer.',
  },
  product_deleted: {
    title: 'PRODUCT GONE',
    style: 'unsure',
    why: 'The service serves no certificate for the named product: it is unknown, disabled or deleted.',
  },
  password_protected: {
    title: 'PASSWORD PROTECTED',
    style: 'unsure',
    why: 'The shop requires a password, so the page could not be read.',
    next: 'Check again when the shop is open.',
  },
  page_fetch_failed: {
    title: 'PAGE NOT READ',
    style: 'unsure',
    why: 'The page could not be fetched, so nothing can be said about it.',
    next: 'Open the address in a browser; if it works there, the host may block automated clients.',
  },
};

/** Headlines of what is verified, but not to be relied on as it stands. */
export const RESERVED: Readonly<Record<Reservation, Words>> = {
  another_page: {
    title: 'ANOTHER PAGE',
    style: 'unsure',
    why: 'The page to which the redirect led is verified. Nothing is known about the requested address: it may show visitors another page.',
    next: 'Check the final address above itself. If you know that it is the page you mean: --follow-host.',
  },
  context_foreign: {
    title: 'FOREIGN CONTEXT',
    style: 'unsure',
    why: 'The certificate is signed and bound to this page, but names a remote @context, which may change what the document means.',
    next: 'Rely only on what was signed. The shop must publish the certificate exactly as the service serves it.',
  },
};

/** Headline of a certificate of which nobody has said where it was seen; the page that it was signed for follows. */
export const UNPLACED = {
  title: 'SIGNED FOR',
  style: 'unsure',
  why: 'Nothing is wrong with the certificate itself. Whether it belongs where you saw it is not known: a file can name any address.',
  next: 'Say where you saw it, by the address bar and not by the file: --page-url https://…',
} as const satisfies Words;

/** Next steps for pages that could not be fetched, by a pattern of the error. */
const FETCH_NEXT: readonly (readonly [why: RegExp, next: string])[] = [
  [/^(url_invalid|scheme_blocked|host_unknown):/, 'Check the spelling of the address.'],
  [/^(address|port)_blocked:/, 'Give the public address of the page; others are not fetched.'],
  [/^http_status:.* 4(04|10)\b/, 'The host has no page at this address: check the address.'],
  [/^not_html:/, 'Give the address of the product page itself.'],
  [/^tls_failed:/, 'Open the address in a browser: it shows what is wrong with TLS on the host.'],
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
