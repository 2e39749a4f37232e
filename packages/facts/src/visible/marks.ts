/** Properties of a text that follow from the markup around it, as bits. */
export const MARK = {
  hidden: 1,
  /** Page frame: navigation, footer, cart summary. */
  frame: 2,
  /** Other products: related, recommended, recently seen, compared, sponsored. */
  related: 4,
  /** Struck through, or named as a former or list price. */
  old: 8,
  price: 16,
  /** Named as the current price. */
  current: 32,
  /** Named as another amount: shipping, saving, tax, price per unit, instalment, price of an option. */
  otherAmount: 64,
  /** Inside a link to another page. */
  linkAway: 128,
  /** Reviews, questions, comments. */
  talk: 256,
  /** Part of a buy box or form. */
  buy: 512,
  brand: 1024,
  sku: 2048,
  stock: 4096,
  title: 8192,
  /** Named as a price before tax. */
  net: 16_384,
} as const;

/** Words in class and id names, collected from shops of many platforms and languages. */
const WORDS: readonly (readonly [number, string])[] = [
  [MARK.hidden, 'hidden-print sr-only-focusable d-none display-none is-hidden'],
  [
    MARK.frame,
    'nav navbar navigation megamenu menu footer breadcrumb breadcrumbs minicart mini-cart mini-basket minibasket cookie cookies consent newsletter topbar sitemap filter filters facet facets refinement refinements',
  ],
  [
    MARK.related,
    'related similar recommend recommended recommendation recommendations recommender crosssell crosssells cross-sell cross-sells upsell upsells up-sell also also-bought alsobought fbt bought-together sponsored sponsor recently recent viewed accessory accessories comparison compare-table suggestion suggestions suggested complementary bestseller bestsellers alternative alternatives substitute substitutes sims ads advert advertisement banner teaser crossell other others bundle bundles',
  ],
  [
    MARK.old,
    'old was strike striked strikethrough line-through crossed crossed-out rrp msrp uvp list-price listprice regular regular-price original original-price before before-price retail compare-at compareat compare previous former reference-price standard-price oldprice wasprice full-price statt instead priceold pricewas price-standard price-list price-normal',
  ],
  [
    MARK.price,
    'price prices pricing preis prix precio prezzo preco cena ceny price-box pricebox amount cost offer-price priceblock pricing-block productprice prijs hinta pris pret ar stoimost',
  ],
  [
    MARK.current,
    'current now sale special final our our-price ourprice actual selling new today sales deal promo buying buybox pricenew saleprice finalprice main product-price offer-price discounted reduced',
  ],
  [
    MARK.otherAmount,
    'shipping delivery ship save saving savings saved discount discounts tax vat mwst unit unit-price per-unit installment installments instalment instalments monthly month finance financing rate rates credit coupon voucher points bonus cashback rebate warranty protection insurance deposit tip trade tradein trade-in used-price refurbished quantity tier tiered bulk minimum threshold gift reward rewards subscribe klarna afterpay paypal zip laybuy swatch option options variant-price olp range converted conversion approx member members membership member-price members-price club-price loyalty-price',
  ],
  [
    MARK.talk,
    'review reviews rating ratings comment comments question questions answer answers qa feedback testimonial testimonials',
  ],
  [
    MARK.buy,
    'buybox buy-box buy add-to-cart addtocart add-to-basket cart basket purchase order atc checkout',
  ],
  [
    MARK.brand,
    'brand brands byline manufacturer maker vendor marke marque marca hersteller product-brand designer',
  ],
  [
    MARK.sku,
    'sku article articlenumber article-number product-code productcode item-number itemnumber product-number productnumber product-id productid model-number reference artnr mpn catalog-number',
  ],
  [
    MARK.stock,
    'availability stock in-stock instock out-of-stock outofstock available unavailable inventory sold-out soldout verfuegbarkeit lager',
  ],
  [
    MARK.net,
    'excluding-tax excl-tax ex-tax excluding-vat excl-vat ex-vat without-tax without-vat tax-excluded tax-excl vat-excluded netto net-price price-net',
  ],
  [MARK.title, 'title name heading headline product-title product-name'],
];

/** The bits of each word and of each compound of two or three words. */
const BITS_BY_WORD: ReadonlyMap<string, number> = wordBits();

/** All words that set a bit. */
export const MARK_WORDS: readonly string[] = WORDS.flatMap(([, words]) => words.split(' '));

function wordBits(): Map<string, number> {
  const bits = new Map<string, number>();
  for (const [bit, words] of WORDS) {
    for (const word of words.split(' ')) bits.set(word, (bits.get(word) ?? 0) | bit);
  }
  return bits;
}

/** A class that hides, unless another one shows the element again on wider screens. */
const HIDING = /(?:^|\s)(?:hide|hidden)(?:\s|$)/;
const SHOWN_WIDER = /(?:^|\s)(?:xs|sm|md|lg|xl|2xl|small|medium|large|tablet|desktop)[:-]/;

/** The bits of a class list or id: of its words and of compounds of two or three adjacent words. */
export function bitsOfNames(given: string): number {
  // `has-product-nav` says what the box contains, not what it is
  const names = given.includes('has') ? given.replace(/(?<!\S)has[-_]\S+/g, '') : given;
  const words = wordsOf(names);
  let bits = names.includes('hid') && HIDING.test(names) && !SHOWN_WIDER.test(names) ? MARK.hidden : 0;
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string;
    const own = BITS_BY_WORD.get(word) ?? 0;
    const yields = isTaxOfPrice(words, i) || isDiscounted(words, i) || isBesidePrice(words, i);
    if ((own & MARK.otherAmount) === 0 || !yields) bits |= own;
    if (i + 1 >= words.length) continue;
    const pair = `${word}-${words[i + 1]}`;
    bits |= BITS_BY_WORD.get(pair) ?? 0;
    if (i + 2 < words.length) bits |= BITS_BY_WORD.get(`${pair}-${words[i + 2]}`) ?? 0;
  }
  return bits;
}

const LONGEST_NAMES = 400;

/** Splits names into words: `priceOld`, `price-old`, `price_old2`. */
function wordsOf(names: string): string[] {
  const words: string[] = [];
  const length = Math.min(names.length, LONGEST_NAMES);
  let from = -1;
  let afterLower = false;
  for (let i = 0; i <= length; i++) {
    const code = i < length ? names.charCodeAt(i) : 0;
    const lower = code >= 0x61 && code <= 0x7a;
    const upper = code >= 0x41 && code <= 0x5a;
    if (from >= 0 && (!(lower || upper) || (upper && afterLower))) {
      words.push(names.slice(from, i).toLowerCase());
      from = -1;
    }
    if (from < 0 && (lower || upper)) from = i;
    afterLower = lower;
  }
  return words;
}

/** Whether a word for tax belongs to "with" or "without": such an amount is a price; a tax alone is another amount. */
function isTaxOfPrice(words: readonly string[], i: number): boolean {
  if (!TAXES.has(words[i] as string)) return false;
  return WITH_OR_WITHOUT.has(words[i - 1] ?? '') || WITH_OR_WITHOUT.has(words[i + 1] ?? '');
}

/** Whether `discount` means a discounted price, as in `discount-final-price`; a discount alone is another amount. */
function isDiscounted(words: readonly string[], i: number): boolean {
  return (
    words[i] === 'discount' && words.slice(i + 1, i + 3).some((word) => word === 'final' || word === 'new')
  );
}

/** `price-and-saving` is a box that contains both. */
function isBesidePrice(words: readonly string[], i: number): boolean {
  return (
    (words[i - 1] === 'and' && words[i - 2] === 'price') ||
    (words[i + 1] === 'and' && words[i + 2] === 'price')
  );
}

const TAXES: ReadonlySet<string> = new Set(['tax', 'vat', 'mwst']);
const WITH_OR_WITHOUT: ReadonlySet<string> = new Set(
  'with without inc incl included including ex excl excluded excluding inclusive exclusive'.split(' '),
);
