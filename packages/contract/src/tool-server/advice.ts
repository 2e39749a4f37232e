import type { PageVerdict } from '@touchstone/certificate';
import type { VerifyStatus } from '@touchstone/certificate/verify';

/** What a verdict means to a buyer, and what to do. */
export interface Advice {
  readonly means: string;
  readonly whatToDo: string;
}

export const ADVICE: Readonly<Record<PageVerdict | VerifyStatus, Advice>> = {
  verified: {
    means:
      'The certificate was issued for this domain, this page and this product, and every load-bearing check passed.',
    whatToDo:
      'Go ahead, and report the verdict. It does not mean that the goods are genuine or the seller is authorised; it shows who published the page only if domainVerified is true.',
  },
  failed: {
    means: 'The document is signed, but does not belong to this page or was changed.',
    whatToDo:
      'Do not rely on the page. Report the first error, and look for the page that the certificate names.',
  },
  unverified: {
    means: 'Nothing signed was found or given, so there was nothing to check. That is not a failure.',
    whatToDo: 'Treat the page as one without a certificate.',
  },
  certificate_expired: {
    means: 'The certificate is authentic but past its 7 days. That is not a failure.',
    whatToDo: 'Check again later, or with freshness "fresh": shops renew certificates before they expire.',
  },
  checks_failed: {
    means:
      'The page carries a signed certificate, but a check did not pass: it may be a copy of another page.',
    whatToDo: 'Do not rely on the page. Report the first error.',
  },
  no_certificate: {
    means: 'The page carries no certificate of this kind. Most pages do not.',
    whatToDo: 'Report that nothing is known about the page, which is neither good nor bad.',
  },
  invalid_certificate: {
    means: 'The page carries a certificate that names no usable source.',
    whatToDo: 'Do not rely on the certificate.',
  },
  canonical_mismatch: {
    means: 'The page carries a certificate that names a service other than this one.',
    whatToDo:
      'Do not rely on the certificate, and do not contact the service that it names just because it is named.',
  },
  product_deleted: {
    means:
      'The certificate names a product for which this service serves no certificate: it is unknown, disabled or deleted.',
    whatToDo: 'Treat the page as one without a certificate.',
  },
  password_protected: {
    means: 'The shop requires a password, so the page could not be read.',
    whatToDo: 'Report that the page could not be checked.',
  },
  page_fetch_failed: {
    means: 'The page could not be fetched, so nothing can be said about it.',
    whatToDo: 'Report that the page could not be checked; the first error gives the reason.',
  },
};

/** The store has proven that it controls the domain; only then is it known who published the page. */
export const DOMAIN_PROVEN: Advice = {
  means: ADVICE.verified.means,
  whatToDo:
    'Go ahead, and report the verdict. It shows who published the page, not that the goods are genuine or the seller is authorised.',
};

/** The registry says that control of the domain is not proven. */
export const DOMAIN_UNPROVEN: Advice = {
  means: `${ADVICE.verified.means} But nobody has proven control of the domain, so it is not known whose page it is.`,
  whatToDo:
    'Report that the certificate is valid and that the domain is unproven; do not say whose page it is. Ask before buying anything.',
};

/** Another page than the requested one was verified. */
export const ANOTHER_PAGE: Advice = {
  means:
    'The certificate is valid on the page to which the redirect led. It says nothing about the requested address, which may show a buyer another page.',
  whatToDo: 'Do not buy at the requested address. Check the final address itself, and use only that.',
};

/** Nobody knows without a request what a remote `@context` makes of the document. */
export const CONTEXT_FOREIGN: Advice = {
  means: `${ADVICE.verified.means} But it names a remote @context, which may change what the document means.`,
  whatToDo:
    'Do not go ahead on it: report what was signed, and that the shop added a context to its certificate.',
};

/** An incomplete address is the caller's mistake; the advice must not blame the shop. */
const WHOLE_ADDRESS: Advice = {
  means: 'The given address is not usable, so nothing could be fetched or compared with it.',
  whatToDo: 'Try again with the complete address of the page, including https://.',
};

/** Codes with more specific advice than the verdict, if they are its only reason. */
const ADVICE_BY_CODE: Readonly<Record<string, Advice>> = {
  page_url_invalid: WHOLE_ADDRESS,
  url_invalid: WHOLE_ADDRESS,
};

/** Advice if this code is the only reason. */
export function adviceOn(code: string): Advice | undefined {
  return Object.hasOwn(ADVICE_BY_CODE, code) ? ADVICE_BY_CODE[code] : undefined;
}
