import { readFacts } from '@touchstone/facts';
import { readPage } from '@touchstone/page/read';
import { RIGHT, WITH_FINDING } from '../../../packages/facts/src/testing-bytes.ts';

const URL_OF_PAGE = 'https://shop.example/p/coffee';

/** Reads the odd inputs of the tests: counts those with correct facts, and those with a finding instead. */
export function oddInputs(): void {
  const right = RIGHT.filter(([, bytes, contentType, { name, brand }]) => {
    const { facts } = reading(bytes, contentType);
    return facts.name?.value === name && facts.brand?.value === brand && facts.price?.value === '19.90';
  });
  const reported = WITH_FINDING.filter(([, bytes, contentType, { name, brand }, finding]) => {
    const { facts, findings } = reading(bytes, contentType);
    const wrong = [
      [facts.name?.value, name],
      [facts.brand?.value, brand],
      [facts.price?.value, '19.90'],
    ].some(([given, wanted]) => given !== undefined && given !== wanted);
    return !wrong && findings.some((note) => note.startsWith(finding));
  });
  console.log(
    `\nOdd inputs (charsets, truncations, compressions): ${right.length} of ${RIGHT.length} right, ` +
      `${reported.length} of ${WITH_FINDING.length} without a wrong fact and with a finding`,
  );
}

function reading(bytes: Uint8Array, contentType: string | undefined): ReturnType<typeof readPage> {
  return readPage(bytes, { url: URL_OF_PAGE, ...(contentType !== undefined && { contentType }) }, readFacts);
}

/** Hostile pages, designed for quadratic work: `n` items, each of which a reader might compare with every other. */
const HOSTILE: Readonly<Record<string, (n: number) => string>> = {
  'nested elements': (n) => '<div>'.repeat(n),
  'elements that are never closed': (n) => '<p class="price">$5'.repeat(n),
  prices: (n) => '<span class="price">$5.00</span>'.repeat(n),
  'labels without a value': (n) => '<b>SKU:</b>'.repeat(n),
  'titles of other products': (n) => '<h3>Related products</h3>'.repeat(n),
  'tabs of other products': (n) => '<a href="#top">Related products</a>'.repeat(n),
  'links in cards': (n) => '<li><a href="/p/another-lamp">Another lamp</a> $5</li>'.repeat(n),
  headings: (n) => '<h2>Copper lamp</h2>'.repeat(n),
  'meta elements': (n) => '<meta property="product:price:amount" content="5">'.repeat(n),
  'JSON-LD products': (n) =>
    `<script type="application/ld+json">[${'{"@type":"Product","name":"Lamp","sku":"1"},'.repeat(n)}1]</script>`,
  'embedded products': (n) => `<script>var a=[${'{"name":"Copper lamp","price":5},'.repeat(n)}]</script>`,
  'opening braces': (n) => `<script>var productData = ${'{a:['.repeat(n)}</script>`,
  'item references': (n) =>
    `<i itemscope itemtype=Product itemref="${'a '.repeat(n)}"></i><b id=a itemprop=name>x</b>`,
  'digits and separators': (n) => `<p class="price">${'1,'.repeat(n)}`,
  'attributes of one tag': (n) => `<p ${Array.from({ length: n }, (_, i) => `a${i}=1`).join(' ')}>`,
};

const SIZE = 20_000;
const ROUNDS = 5;
/** Maximum factor for doubling a page's size, including noise. */
const LINEAR = 3;

/** The factor by which doubling a hostile page's size multiplies its cost; about 2 is linear. */
export function hostilePages(): void {
  console.log(`\nHostile pages, processor time of ${SIZE} and of ${2 * SIZE} of a thing`);
  for (const [name, make] of Object.entries(HOSTILE)) {
    const [one, two] = [SIZE, 2 * SIZE].map((n) => costOf(`<h1>Copper lamp</h1>${make(n)}`)) as [
      number,
      number,
    ];
    const ratio = two / one;
    const mark = ratio > LINEAR && two > 20 ? '  NOT LINEAR' : '';
    console.log(
      `  ${name.padEnd(32)} ${one.toFixed(1).padStart(8)} ms ${two.toFixed(1).padStart(8)} ms  ${ratio.toFixed(2)}${mark}`,
    );
  }
}

function costOf(html: string): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const start = process.cpuUsage();
    readPage(html, { url: URL_OF_PAGE }, readFacts);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000;
  });
  // other programs only add time
  return Math.min(...times);
}
