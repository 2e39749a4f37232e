import {
  CONCLUSION_TABLE,
  type ConclusionCode,
  conclude,
  type PageVerdict,
  VERIFIER,
} from '@touchstone/certificate';
import type { PageReport } from '@touchstone/contract';
import { pageNote } from '@touchstone/page';

type Checks = NonNullable<PageReport['mc4p']['checks']>;
type Signed = NonNullable<PageReport['mc4p']['signed']>;
type Agreement = NonNullable<PageReport['agreement']>;

export const PAGE = 'https://kilnhouse.example/products/pot-number-6';
const PASSED: Checks = {
  signatureValid: true,
  certificateIntegrity: true,
  timestampValid: true,
  boundToDomain: true,
  boundToUrl: true,
  productIdMatches: true,
  domainKnown: true,
  domainVerified: true,
  trustDataCurrent: true,
};
const PRODUCT = '0b54ecb8-6a0c-4d43-a2ee-ae49e0c8a0a6';
const SIGNED: Signed = {
  kind: 'product',
  issuer: 'https://certificates.example',
  issuedAt: '2026-03-01T12:00:00.000Z',
  expiresAt: '2026-03-08T12:00:00.000Z',
  domain: 'kilnhouse.example',
  url: PAGE,
  productId: PRODUCT,
  externalProductId: 'pot-6',
  productName: 'Pot number 6',
  storeName: 'Kiln House',
  storeUrl: 'https://kilnhouse.example/',
  control: { method: 'dns_txt', checkedAt: '2026-03-03T09:00:00.000Z' },
  certifiedAssets: 2,
  totalAssets: 3,
};
const PICTURES = [1, 2, 3, 4].map(
  (number) => `https://kilnhouse.example/pictures/pot-number-6-${number}.jpg`,
);

function agreement(outcome: Agreement['outcome'], fields: Partial<Agreement['fields']> = {}): Agreement {
  return {
    outcome,
    fields: {
      name: { result: 'same', signed: 'Pot number 6', stated: 'Pot number 6 – Kiln House', source: 'title' },
      brand: { result: 'same', signed: 'Kiln House', stated: 'KILN HOUSE', source: 'jsonld' },
      sku: { result: 'not_stated', signed: 'POT-6' },
      gtin: { result: 'not_signed' },
      pictures: { result: 'same', signed: PICTURES, stated: PICTURES.slice(0, 2) },
      ...fields,
    },
  };
}
const SAME = agreement('same');
const DIFFERENT = agreement('different', {
  name: {
    result: 'different',
    signed: 'Pot number 6',
    stated: 'Rolex Submariner, 18k gold, with box and papers',
    source: 'h1',
  },
  brand: { result: 'different', signed: 'Kiln House', stated: 'Rolex', source: 'jsonld' },
  pictures: {
    result: 'different',
    signed: PICTURES,
    stated: ['https://kilnhouse.example/pictures/watch.jpg'],
  },
});
const UNCLEAR = agreement('unclear', {
  name: { result: 'not_comparable', signed: 'Pot number 6', stated: '壺六号', source: 'h1' },
});

interface Made {
  readonly verdict: PageVerdict;
  readonly checks?: Partial<Checks>;
  /** Changes of what was signed; `null`: nothing valid. */
  readonly signed?: { readonly control: Signed['control'] | undefined } | null;
  readonly errors?: readonly string[];
  readonly warnings?: readonly string[];
  readonly findings?: readonly string[];
  readonly agreement?: Agreement;
  readonly url?: string;
  readonly finalUrl?: string;
  readonly withdrawal?: PageReport['mc4p']['withdrawal'];
}

const verified = (more: Partial<Made> = {}): Made => ({ verdict: 'verified', agreement: SAME, ...more });
const failed = (check: keyof Checks | null, code: string, more: Partial<Made> = {}): Made => ({
  verdict: 'checks_failed',
  checks: check === null ? {} : { [check]: false },
  errors: [`${code}: What was found differs.`],
  ...more,
});
const note = (code: string) => `${code}: A sentence of a later version.`;
const COPY = 'https://kiln-house-outlet.example/products/pot-number-6';

/** What leads to each conclusion; `place_unknown` is none of a page. */
const MADE: Readonly<Record<Exclude<ConclusionCode, 'place_unknown'>, Made>> = {
  withdrawn: failed('boundToDomain', 'certificate_withdrawn', {
    withdrawal: { status: 'invalid', reason: 'withdrawn' },
  }),
  not_in_status_list: failed('certificateIntegrity', 'status_claim_required', {
    withdrawal: { status: null, reason: 'status_claim_required' },
  }),
  suspended: verified({
    warnings: [note('certificate_suspended')],
    withdrawal: { status: 'suspended', reason: 'suspended' },
  }),
  withdrawal_unknown: verified({
    warnings: [note('withdrawal_unknown')],
    withdrawal: { status: null, reason: 'status_list_unreachable' },
  }),
  log_proof_invalid: verified({ warnings: [note('log_proof_invalid')] }),
  log_required: verified({ warnings: [note('log_required')] }),
  redirected: verified({
    url: 'https://kilnhouse.example/sale/today',
    warnings: [pageNote('redirected_to_another_page', PAGE)],
  }),
  page_differs: verified({ agreement: DIFFERENT }),
  not_published: verified({ warnings: [note('product_not_publishing')] }),
  control_unproven: verified({ checks: { domainVerified: false }, signed: { control: { method: 'none' } } }),
  context_foreign: verified({ warnings: [note('context_foreign')] }),
  control_unknown: verified({ checks: { domainVerified: null }, signed: { control: undefined } }),
  page_not_compared: { verdict: 'verified' },
  page_unclear: verified({ agreement: UNCLEAR }),
  issued_to_proven_host: verified(),
  keys_unavailable: failed('signatureValid', 'keys_unavailable', { signed: null }),
  page_url_invalid: failed('boundToUrl', 'page_url_invalid'),
  issuer_untrusted: failed('certificateIntegrity', 'issuer_untrusted', { signed: null }),
  not_signed_by_issuer: failed('signatureValid', 'signature_mismatch', { signed: null }),
  host_lost: failed('boundToDomain', 'host_lost', {
    checks: { boundToDomain: false, domainVerified: false },
  }),
  altered: failed('certificateIntegrity', 'member_altered'),
  product_list: failed('boundToUrl', 'url_differs', {
    url: 'https://kilnhouse.example/collections/pots',
    findings: [note('certified_product_list')],
  }),
  another_host_of_shop: failed('boundToDomain', 'another_address_of_shop', {
    url: 'https://kilnhouse-store.example/products/pot-number-6',
    checks: { boundToDomain: false, boundToUrl: false },
  }),
  another_host: failed('boundToDomain', 'domain_differs', {
    url: COPY,
    checks: { boundToDomain: false, boundToUrl: false, domainKnown: false, domainVerified: false },
  }),
  another_product: failed('productIdMatches', 'product_differs'),
  unknown_parameter: failed('boundToUrl', 'url_extra_parameter', { url: `${PAGE}?color=red` }),
  another_page: failed('boundToUrl', 'url_differs', { url: 'https://kilnhouse.example/products/watch' }),
  not_yet_valid: failed('timestampValid', 'proof_not_yet_valid'),
  certificate_expired: {
    verdict: 'certificate_expired',
    checks: { timestampValid: false },
    errors: [note('proof_expired')],
  },
  // a failure that no other row names
  checks_failed: failed(null, 'proof_too_large', { checks: { timestampValid: false } }),
  unverified: { verdict: 'unverified', signed: null },
  no_certificate: {
    verdict: 'no_certificate',
    url: COPY,
    findings: [
      pageNote('certificate_absent'),
      pageNote('host_certified_elsewhere'),
      pageNote('pictures_certified_elsewhere', 'kilnhouse.example, since 2026-03-01; 2 pictures'),
    ],
  },
  invalid_certificate: { verdict: 'invalid_certificate', errors: [pageNote('canonical_source_missing')] },
  canonical_mismatch: {
    verdict: 'canonical_mismatch',
    errors: [pageNote('canonical_host_foreign', 'certificates.bargains.example')],
  },
  product_deleted: { verdict: 'product_deleted', errors: [pageNote('product_unknown')] },
  password_protected: { verdict: 'password_protected', errors: [pageNote('shopify_password')] },
  page_fetch_failed: { verdict: 'page_fetch_failed', errors: [pageNote('http_status', 'status 404')] },
};

const LISTED = [6, 7, 8].map((number) => ({
  product_id: `${PRODUCT.slice(0, -1)}${number}`,
  url: `https://kilnhouse.example/products/pot-number-${number}`,
  name: `Pot number ${number}`,
  ...(number === 8 ? { expired: true } : {}),
}));

const fact = (value: string, field: string) => ({ value, source: 'jsonld' as const, field });

/** A report for each conclusion that a page can lead to, in the order of the table. */
export const CONCLUDED_REPORTS: readonly (readonly [code: ConclusionCode, report: PageReport])[] =
  CONCLUSION_TABLE.flatMap(({ code }) => {
    if (code === 'place_unknown') return [];
    const report = reportFor(MADE[code]);
    return [[code, code === 'product_list' ? { ...report, mc4p: { ...report.mc4p, list: LISTED } } : report]];
  });

function reportFor({ verdict, errors = [], warnings = [], findings = [], ...made }: Made): PageReport {
  const { url = PAGE, finalUrl = verdict === 'verified' ? PAGE : url, agreement: compared } = made;
  const mc4p = certificateOf(verdict, made);
  const notes = { errors: [...errors], warnings: [...warnings], findings: [...findings] };
  const { checks, signed } = mc4p;
  const conclusion = conclude(verdict, {
    checks,
    signed: signed as Parameters<typeof conclude>[1]['signed'],
    ...notes,
    agreement: compared?.outcome,
  });
  const isRead = verdict !== 'page_fetch_failed' && verdict !== 'password_protected';
  return {
    id: '01234567-89ab-8def-8123-456789abcdef',
    url,
    final_url: finalUrl,
    fetched_at: '2026-03-04T12:00:00.000Z',
    platform_detected: 'custom',
    verdict,
    conclusion,
    facts: {
      name: isRead ? fact(compared === DIFFERENT ? 'Rolex Submariner' : 'Pot number 6', 'name') : null,
      description: isRead
        ? fact('Thrown by hand, fired twice. Holds a litre and a half.', 'description')
        : null,
      price: isRead ? fact('64.00', 'offers.price') : null,
      currency: isRead ? fact('EUR', 'offers.priceCurrency') : null,
      availability: isRead ? fact('InStock', 'offers.availability') : null,
      sku: null,
      brand: isRead ? fact('Kiln House', 'brand.name') : null,
      images: isRead ? PICTURES.map((address) => fact(address, 'image')) : [],
    },
    mc4p,
    ...(compared === undefined ? {} : { agreement: compared }),
    ...notes,
    verifier: VERIFIER,
  } as PageReport;
}

/** What a report says about the certificate of the page. */
function certificateOf(
  verdict: PageVerdict,
  { checks, signed, withdrawal }: Pick<Made, 'checks' | 'signed' | 'withdrawal'>,
): PageReport['mc4p'] {
  if (['no_certificate', 'password_protected', 'page_fetch_failed'].includes(verdict))
    return { present: false };
  if (['invalid_certificate', 'canonical_mismatch'].includes(verdict)) return { present: true };
  if (verdict === 'product_deleted') return { present: true, product_id: PRODUCT };
  const status = verdict === 'checks_failed' || verdict === 'certificate_expired' ? 'failed' : verdict;
  return {
    present: true,
    product_id: PRODUCT,
    status,
    ...(signed === null ? {} : { signed: { ...SIGNED, ...signed } }),
    checks:
      verdict === 'unverified'
        ? (Object.fromEntries(Object.keys(PASSED).map((name) => [name, null])) as unknown as Checks)
        : { ...PASSED, ...checks },
    ...(withdrawal && { withdrawal }),
  } as PageReport['mc4p'];
}
