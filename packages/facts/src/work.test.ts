import { describe, expect, it } from 'vitest';
import { readPage } from './testing.ts';

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

  it('is read completely with exactly the steps that it takes', () => {
    expect(read(PAGE, fewest)).toEqual(read(PAGE));
    expect(read(PAGE).facts).toMatchObject({ name: { value: 'Blue cup' }, price: { value: '5.00' } });
  });

  it('has no facts with one step less, or with none, but all its certificates', () => {
    for (const maxSteps of [fewest - 1, fewest >> 1, 0]) {
      const reading = read(PAGE, maxSteps);
      expect(reading).toMatchObject({ facts: { name: null, price: null, images: [] }, gate: null });
      expect(codes(PAGE, maxSteps)).toContain(STOPPED);
      expect(reading.certificates).toEqual(read(PAGE).certificates);
      expect(reading.canonicalUrl).toBe(url);
    }
  });

  it('takes the same number of steps each time', () => {
    expect(fewestSteps(PAGE)).toBe(fewest);
  });

  it('is stopped by the default limit too', () => {
    const attributes = Array.from({ length: 250 }, (_, i) => ` a${i}`).join('');
    const reading = read(`${PAGE}${`<i itemprop="name"${attributes}></i>`.repeat(2_000)}`);
    expect(reading.findings.join()).toContain(STOPPED);
    expect(reading.certificates).toHaveLength(1);
  });

  const call =
    '<script>x.track("Viewed Product",{"currency":"EUR","variantId":1,"variant":"S","price":"5"});</script>';
  const HOSTILE: Readonly<Record<string, (n: number) => string>> = {
    'records of one variant': (n) =>
      `${call}<script>${'{"id":1,"available":0,"a":['.repeat(n)}</script><p>${'{&quot;id&quot;:1,'.repeat(n)}</p>`,
    'variants without a stated availability': (n) =>
      `${call}<script>var meta = {"product":{"variants":[${Array.from({ length: n / 10 }, (_, i) => `{"id":${i},"price":1}`).join()}]}};{"id":1,"available":false}</script>`,
    'ranges in ranges': (n) => `<div class="price">${'<b>$1</b>-'.repeat(n)}</div>`,
    'boxes of a range': (n) => `<div class="price">${'<b class="price">$1 –'.repeat(n)}`,
    'controls in forms of this page': (n) =>
      `${'<form action="/products/cup">'.repeat(n / 10)}${'<a href="/x">A cup</a><button>Add to cart</button>'.repeat(n / 10)}`,
    badges: (n) => '<span class="badge sold-out">Sold out</span>'.repeat(n),
  };

  it.each(Object.entries(HOSTILE))('takes steps in proportion to its length: %s', (_, body) => {
    const html = (n: number) => `<title>Blue cup</title><h1>Blue cup</h1>${body(n)}`;
    const few = fewestSteps(html(200));
    expect(codes(html(2_000), few * 10 * 1.5)).not.toContain(STOPPED);
  });
});
