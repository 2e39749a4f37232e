import type { PageReading } from '@touchstone/page';
import { readPage } from '@touchstone/page/read';
import { expect, it } from 'vitest';
import { storable } from './storable-reading.ts';

const SOUND = { '@type': 'Product', productID: 'p' };

function reading(certificates: readonly Record<string, unknown>[]): PageReading {
  return { ...readPage('<title>Cup</title>', { url: 'https://shop.example/' }), certificates };
}

it('a certificate of any size that ours can have is stored, without a finding', () => {
  const large = { ...SOUND, images: 'x'.repeat(390_000) };
  const read = reading([SOUND, large]);
  expect(storable(read)).toEqual(read);
});

it.each([
  ['larger than any of ours', [{ ...SOUND, images: 'x'.repeat(500_000) }]],
  ['one more than fits', Array.from({ length: 4 }, () => ({ ...SOUND, images: 'x'.repeat(399_000) }))],
  ['nested deeper than anybody should follow', [JSON.parse(`{"a":${'['.repeat(50)}${']'.repeat(50)}}`)]],
  ['nested deeper than can be followed', [JSON.parse(`{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`)]],
])('a certificate that is %s is omitted, and that is reported', (_what, certificates) => {
  const kept = storable(reading([SOUND, ...certificates]));
  expect(kept.certificates).toHaveLength(certificates.length);
  expect(kept.certificates[0]).toBe(SOUND);
  expect(kept.findings[0]).toMatch(/^certificate_too_large:/);
});
