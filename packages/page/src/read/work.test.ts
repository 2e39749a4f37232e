import { describe, expect, it } from 'vitest';
import { readPage } from './read-page.ts';

const url = 'https://shop.example/products/cup';
const CERTIFICATE =
  '<script type="application/ld+json">{"@type":"Product","svc:issuedFor":"shop.example"}</script>';
const PAGE = `<link rel="canonical" href="/products/cup"><title>Blue cup</title>${CERTIFICATE}
<h1>Blue cup</h1><p class="price">$5.00</p><p>In stock</p><p>SKU: CUP-5</p>`;
const STOPPED = 'reading_stopped';

const read = (html: string, maxSteps?: number) =>
  readPage(html, maxSteps === undefined ? { url } : { url, maxSteps });
const codes = (html: string, maxSteps?: number) =>
  read(html, maxSteps).findings.map((finding) => finding.split(':', 1)[0]);

/** The fewest steps that the page can be read in. */
function fewestSteps(html: string): number {
  let [least, most] = [0, 1_000_000];
  while (least < most) {
    const middle = (least + most) >> 1;
    if (codes(html, middle).includes(STOPPED)) least = middle + 1;
    else most = middle;
  }
  return most;
}

describe('a page that takes more steps than are allowed', () => {
  const fewest = fewestSteps(PAGE);

  it('is read whole in as many as it takes', () => {
    expect(read(PAGE, fewest)).toEqual(read(PAGE));
    expect(read(PAGE).facts).toMatchObject({ name: { value: 'Blue cup' }, price: { value: '5.00' } });
  });

  it('has no facts with one step less, nor with none, but all its certificates', () => {
    for (const maxSteps of [fewest - 1, fewest >> 1, 0]) {
      const reading = read(PAGE, maxSteps);
      expect(reading).toMatchObject({ facts: { name: null, price: null, images: [] }, gate: null });
      expect(codes(PAGE, maxSteps)).toContain(STOPPED);
      expect(reading.certificates).toEqual(read(PAGE).certificates);
      expect(reading.canonicalUrl).toBe(url);
    }
  });

  it('takes as many each time', () => {
    expect(fewestSteps(PAGE)).toBe(fewest);
  });

  it('is told by the default too', () => {
    const attributes = Array.from({ length: 250 }, (_, i) => ` a${i}`).join('');
    const reading = read(`${PAGE}${`<meta${attributes}>`.repeat(2_000)}`);
    expect(reading.findings.join()).toContain(STOPPED);
    expect(reading.certificates).toHaveLength(1);
  });
});
