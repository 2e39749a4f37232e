import { conclude } from '@touchstone/certificate';
import { note, REASONS } from '@touchstone/certificate/verify';
import type { PageReport } from '@touchstone/contract';
import { PAGE_CODES, pageNote } from '@touchstone/page';
import { describe, expect, it } from 'vitest';
import { checksOfReport } from './check-views.ts';
import { imagesOf } from './images.tsx';
import { parseNote } from './notes.ts';

const KNOWN = { ...PAGE_CODES, ...REASONS };
const ALL = {
  domainKnown: true,
  domainVerified: true,
  boundToUrl: true,
  boundToDomain: true,
  productIdMatches: true,
  signatureValid: true,
  certificateIntegrity: true,
  trustDataCurrent: true,
  timestampValid: true,
};
const SIGNED = {
  kind: 'product',
  issuer: 'https://certificates.example',
  issuedAt: '2026-03-01T12:00:00.000Z',
  expiresAt: '2026-03-08T12:00:00.000Z',
  domain: 'shop.example',
  url: 'https://shop.example/cup',
  productId: 'p',
  externalProductId: '1',
  productName: 'Cup',
  storeName: 'Shop',
  storeUrl: 'https://shop.example/',
} as const;

function report(changes: Partial<PageReport> = {}, mc4p: Partial<PageReport['mc4p']> = {}): PageReport {
  const none = {
    name: null,
    description: null,
    price: null,
    currency: null,
    availability: null,
    sku: null,
    brand: null,
  };
  return {
    id: '00000000-0000-8000-8000-000000000000',
    url: 'https://copy.example/cup',
    final_url: 'https://copy.example/cup',
    fetched_at: '2026-03-02T12:00:00.000Z',
    platform_detected: 'custom',
    verdict: 'checks_failed',
    conclusion: conclude('checks_failed', { warnings: [], errors: [] }),
    facts: { ...none, images: [] },
    mc4p: { present: true, product_id: 'p', signed: SIGNED, checks: ALL, ...mc4p },
    findings: [],
    warnings: [],
    errors: [],
    ...changes,
  };
}

describe('an entry of a report is parsed', () => {
  it.each([
    [note('kid_missing'), { code: 'kid_missing' }],
    [
      note('domain_differs', 'Expected shop.example.', 'Found copy.example.'),
      { expected: 'shop.example', found: 'copy.example' },
    ],
    [note('member_altered', 'Found name.'), { found: 'name' }],
    [pageNote('image_same', 'https://shop.example/a.jpg'), { detail: 'https://shop.example/a.jpg' }],
    [pageNote('certificate_absent'), { code: 'certificate_absent' }],
    // an entry of a later version, with another sentence
    ['kid_missing: Another sentence.', { code: 'kid_missing', sentence: 'Another sentence.' }],
    ['no code at all', { code: '', sentence: 'no code at all' }],
    ['constructor: x', { code: 'constructor', sentence: 'x' }],
  ])('%s', (entry, parts) => {
    expect(parseNote(entry, KNOWN)).toMatchObject(parts);
  });
});

it('each check of a report has what it compared, and the reason for its failure', () => {
  const errors = [note('domain_differs', 'Expected shop.example.', 'Found copy.example.')];
  const views = checksOfReport(
    report({ errors }, { checks: { ...ALL, boundToDomain: false, domainKnown: null } }),
    KNOWN,
  );
  expect(views).toHaveLength(9);
  expect(views?.find(({ name }) => name === 'boundToDomain')).toEqual({
    name: 'boundToDomain',
    result: false,
    reason: 'domain_differs',
    expected: 'shop.example',
    found: 'copy.example',
  });
  expect(views?.find(({ name }) => name === 'domainKnown')?.result).toBeNull();
  expect(checksOfReport({ ...report(), mc4p: { present: false } }, KNOWN)).toBeNull();
});

it('every image of a page has its findings', () => {
  const fact = (value: string) => ({ value, source: 'jsonld' as const, field: 'image' });
  const [same, other] = ['https://shop.example/a.jpg', 'https://shop.example/b.jpg'];
  const { facts } = report();
  const withImages = report({
    facts: { ...facts, images: [fact(same), fact(other), fact(same)] },
    findings: [pageNote('image_same', same), pageNote('page_judged', other)],
  });
  expect(imagesOf(withImages, KNOWN)).toEqual([{ url: same, found: 'image_same' }, { url: other }]);
});
