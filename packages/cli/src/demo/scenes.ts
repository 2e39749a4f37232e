import type { ConclusionCode, PageVerdict } from '@touchstone/certificate';

/** What a page of the demo carries as its certificate. */
export type Carried = 'current' | 'old' | 'edited' | 'none' | 'foreign' | 'broken';

/** One page to check, and its expected verdict. */
export interface Scene {
  readonly title: string;
  readonly handle: string;
  /** Which host serves the page. */
  readonly host: 'shop' | 'copycat';
  readonly carries: Carried;
  readonly answers?: 'password' | 'not_found' | 'other_goods';
  readonly expected: PageVerdict;
  /** What is concluded; default: what the verdict alone says, and of `verified` that it can be relied on. */
  readonly concludes?: ConclusionCode;
}

export const SCENES: readonly Scene[] = [
  ...['cup', 'bowl', 'plate', 'vase', 'jug'].map(
    (handle): Scene => ({ title: 'active', handle, host: 'shop', carries: 'current', expected: 'verified' }),
  ),
  {
    title: 'active since the teapot gave up its seat',
    handle: 'caddy',
    host: 'shop',
    carries: 'current',
    expected: 'verified',
  },
  {
    title: 'hidden by the merchant',
    handle: 'spoon',
    host: 'shop',
    carries: 'current',
    expected: 'unverified',
  },
  {
    title: 'no free seat in the plan',
    handle: 'ladle',
    host: 'shop',
    carries: 'current',
    expected: 'unverified',
  },
  {
    title: 'certificate of eight days ago',
    handle: 'tray',
    host: 'shop',
    carries: 'old',
    expected: 'certificate_expired',
  },
  {
    title: 'copied onto another host',
    handle: 'cup',
    host: 'copycat',
    carries: 'current',
    expected: 'checks_failed',
    concludes: 'another_host',
  },
  {
    title: 'sells something else beside its certificate',
    handle: 'lamp',
    host: 'shop',
    carries: 'current',
    answers: 'other_goods',
    expected: 'verified',
    concludes: 'page_differs',
  },
  {
    title: 'copied, and the copy is old',
    handle: 'lamp',
    host: 'copycat',
    carries: 'old',
    expected: 'checks_failed',
    concludes: 'another_host',
  },
  {
    title: 'proof edited',
    handle: 'candle',
    host: 'shop',
    carries: 'edited',
    expected: 'checks_failed',
    concludes: 'not_signed_by_issuer',
  },
  {
    title: 'password gate',
    handle: 'clock',
    host: 'shop',
    carries: 'current',
    answers: 'password',
    expected: 'password_protected',
  },
  {
    title: 'gone from the registry',
    handle: 'teapot',
    host: 'shop',
    carries: 'current',
    expected: 'product_deleted',
  },
  {
    title: 'no certificate on the page',
    handle: 'bowl',
    host: 'copycat',
    carries: 'none',
    expected: 'no_certificate',
  },
  {
    title: 'certificate of another service',
    handle: 'plate',
    host: 'copycat',
    carries: 'foreign',
    expected: 'canonical_mismatch',
  },
  {
    title: 'certificate that points nowhere',
    handle: 'vase',
    host: 'copycat',
    carries: 'broken',
    expected: 'invalid_certificate',
  },
  {
    title: 'page taken down',
    handle: 'jug',
    host: 'copycat',
    carries: 'none',
    answers: 'not_found',
    expected: 'page_fetch_failed',
  },
];
