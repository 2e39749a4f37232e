import type { PageReading } from '@touchstone/page/read';
import { expect, it } from 'vitest';
import { readPage } from './testing.ts';

const PAGE = 'https://shop.example/products/cup';

/** A page with 50 images whose addresses are `path` and a number. */
function pageWithImages(path: string): PageReading {
  const images = Array.from({ length: 50 }, (_, index) => `/${path}${index}.jpg`);
  const record = { '@context': 'https://schema.org', '@type': 'Product', name: 'Cup', image: images };
  return readPage(`<script type="application/ld+json">${JSON.stringify(record)}</script>`, { url: PAGE });
}

it('omits images whose encoded URLs are too long, and reports it', () => {
  const reading = pageWithImages('杯'.repeat(1_990));
  expect(reading.facts.images).toEqual([]);
  expect(reading.findings.filter((finding) => finding.startsWith('image_address_too_long:'))).toHaveLength(1);
  expect(pageWithImages('杯'.repeat(220)).facts.images).toHaveLength(50);
});

it('keeps an image whose encoded URL is exactly at the limit', () => {
  const room = 2_048 - 'https://shop.example/'.length - '0.jpg'.length;
  // two digits from the eleventh on
  expect(pageWithImages('x'.repeat(room)).facts.images).toHaveLength(10);
  expect(pageWithImages('x'.repeat(room - 1)).facts.images).toHaveLength(50);
});
