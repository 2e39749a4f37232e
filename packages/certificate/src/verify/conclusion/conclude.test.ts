import { describe, expect, it } from 'vitest';
import { LANDING_WARNINGS, PAGE_VERDICTS } from '../../page-verdicts.ts';
import type { SignedClaims } from '../types.ts';
import { LOAD_BEARING_CHECKS } from '../verdict.ts';
import { type Concluded, conclude } from './conclude.ts';
import { CONCLUSION_TABLE } from './conclusion-table.ts';
import type { Evidence } from './evidence.ts';

const SIGNED: SignedClaims = {
  kind: 'product',
  issuer: 'https://certificates.example',
  issuedAt: '2026-03-01T12:00:00.000Z',
  expiresAt: '2026-03-08T12:00:00.000Z',
  domain: 'kilnhouse.example',
  url: 'https://kilnhouse.example/pots/6',
  productId: 'p',
  externalProductId: '6',
  productName: 'Pot number 6',
  storeName: 'Kiln House',
  storeUrl: 'https://kilnhouse.example/',
  control: { method: 'dns', checkedAt: '2026-03-03T09:00:00.000Z' },
};
const { control: _, ...OLDER } = SIGNED;
const NO_NOTES = { errors: [], warnings: [], findings: [] };
const PASSED = Object.fromEntries(LOAD_BEARING_CHECKS.map((name) => [name, true]));
const OFFLINE = { checks: { ...PASSED, domainVerified: null }, signed: SIGNED, ...NO_NOTES } as const;
const PROVEN = { ...OFFLINE, checks: { ...PASSED, domainVerified: true } } as const;
const BEST = { ...PROVEN, agreement: 'same' } as const;

function failed(check: (typeof LOAD_BEARING_CHECKS)[number], error: string): Concluded {
  return { ...BEST, checks: { ...BEST.checks, [check]: false }, errors: [`${error}: Why.`] };
}
const warned = (code: string): Concluded => ({ ...BEST, warnings: [`${code}: Why.`] });

/** A case for each row, in the order of the table. */
const CASES: readonly (readonly [code: string, Evidence['verdict'], Concluded])[] = [
  ['withdrawn', 'checks_failed', failed('boundToDomain', 'certificate_withdrawn')],
  ['not_in_status_list', 'failed', failed('certificateIntegrity', 'status_claim_required')],
  ['suspended', 'verified', warned('certificate_suspended')],
  ['withdrawal_unknown', 'verified', warned('withdrawal_unknown')],
  ['log_proof_invalid', 'verified', warned('log_proof_invalid')],
  ['log_required', 'verified', warned('log_required')],
  ['redirected', 'verified', warned('redirected_to_another_page')],
  ['page_differs', 'verified', { ...BEST, agreement: 'different' }],
  ['not_published', 'verified', warned('product_not_publishing')],
  ['control_unproven', 'verified', { ...BEST, checks: { ...PASSED, domainVerified: false } }],
  ['context_foreign', 'verified', warned('context_foreign')],
  ['control_unknown', 'verified', { ...OFFLINE, signed: OLDER, agreement: 'same' }],
  ['page_not_compared', 'verified', PROVEN],
  ['page_unclear', 'verified', { ...BEST, agreement: 'unclear' }],
  ['issued_to_proven_host', 'verified', BEST],
  ['keys_unavailable', 'failed', { ...NO_NOTES, errors: ['keys_unavailable: Why.'] }],
  ['page_url_invalid', 'failed', failed('boundToUrl', 'page_url_invalid')],
  ['issuer_untrusted', 'failed', failed('certificateIntegrity', 'issuer_untrusted')],
  ['not_signed_by_issuer', 'failed', failed('signatureValid', 'signature_mismatch')],
  ['host_lost', 'checks_failed', failed('boundToDomain', 'host_lost')],
  ['altered', 'checks_failed', failed('certificateIntegrity', 'member_altered')],
  [
    'product_list',
    'checks_failed',
    { ...failed('boundToUrl', 'url_differs'), findings: ['certified_product_list: Why.'] },
  ],
  ['another_host_of_shop', 'checks_failed', failed('boundToDomain', 'another_address_of_shop')],
  [
    'another_host',
    'checks_failed',
    { ...failed('boundToDomain', 'domain_differs'), checks: { ...PASSED, boundToDomain: false } },
  ],
  ['another_product', 'failed', failed('productIdMatches', 'product_differs')],
  ['unknown_parameter', 'checks_failed', failed('boundToUrl', 'url_extra_parameter')],
  ['another_page', 'checks_failed', failed('boundToUrl', 'url_differs')],
  ['not_yet_valid', 'failed', failed('timestampValid', 'proof_not_yet_valid')],
  ['certificate_expired', 'certificate_expired', warned('certificate_past_lifetime')],
  ['checks_failed', 'checks_failed', BEST],
  ['place_unknown', 'undetermined', OFFLINE],
  ['unverified', 'unverified', NO_NOTES],
  ['no_certificate', 'no_certificate', NO_NOTES],
  ['invalid_certificate', 'invalid_certificate', NO_NOTES],
  ['canonical_mismatch', 'canonical_mismatch', NO_NOTES],
  ['product_deleted', 'product_deleted', NO_NOTES],
  ['password_protected', 'password_protected', NO_NOTES],
  ['page_fetch_failed', 'page_fetch_failed', NO_NOTES],
];

describe('the table of conclusions', () => {
  it.each(CASES)('has a row for %s', (code, verdict, evidence) => {
    const conclusion = conclude(verdict, evidence);
    expect(conclusion.code).toBe(code);
    expect(conclusion.sentence).not.toMatch(/[{}]/);
  });

  it('has a case above for each of its rows, in their order', () => {
    expect(CONCLUSION_TABLE.map(({ code }) => code)).toEqual(CASES.map(([code]) => code));
  });

  it('concludes something from every verdict, whatever else is known', () => {
    for (const verdict of [...PAGE_VERDICTS, 'failed', 'undetermined'] as const) {
      expect(conclude(verdict, { errors: [], warnings: [] }).sentence).not.toBe('');
    }
  });
});

describe('nothing but a verified certificate for this page, on a proven host, of the product that it shows', () => {
  const everything: Concluded[] = [];
  for (const domainVerified of [true, false, null])
    for (const signed of [SIGNED, OLDER, { ...SIGNED, control: { method: 'none' } }, undefined])
      for (const agreement of ['same', 'different', 'unclear', 'nothing', undefined] as const)
        for (const warning of [...LANDING_WARNINGS, 'product_not_publishing', 'context_foreign', undefined])
          everything.push({
            checks: { ...PASSED, domainVerified },
            signed,
            agreement,
            errors: [],
            warnings: warning === undefined ? [] : [`${warning}: Why.`],
          });

  it.each([...PAGE_VERDICTS, 'failed', 'undetermined'] as const)(
    'is good, if the verdict is %s',
    (verdict) => {
      for (const one of everything) {
        const isGood =
          verdict === 'verified' &&
          one.warnings.length === 0 &&
          one.agreement === 'same' &&
          (one.checks?.domainVerified ?? (one.signed?.control && one.signed.control.method !== 'none')) ===
            true;
        expect(conclude(verdict, one).level === 'good', JSON.stringify(one)).toBe(isGood);
      }
    },
  );
});

it('names who was proven to control the host, and when, in the sentence of a good result', () => {
  expect(conclude('verified', BEST).sentence).toBe(
    'Issued to kilnhouse.example, whose control was last proven on 3 Mar 2026, for this page, which names the signed product.',
  );
});

it('prefers what the registry knows now to what was signed', () => {
  const lost = { ...BEST, checks: { ...PASSED, domainVerified: false } };
  expect(conclude('verified', lost).code).toBe('control_unproven');
});

it('goes on to what else speaks against a page if the caller accepts a conclusion', () => {
  const both = { ...BEST, checks: { ...PASSED, domainVerified: false }, agreement: 'different' } as const;
  expect(conclude('verified', both).code).toBe('page_differs');
  expect(conclude('verified', both, ['page_differs']).code).toBe('control_unproven');
});
