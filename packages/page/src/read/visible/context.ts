import type { El, HtmlDocument } from '../dom/document.ts';
import { HIDDEN_TEXT } from '../dom/tables.ts';
import { absolute, type PageLinks, pageKey } from '../links.ts';

/** What the markup around a piece of text says about it, as bits. */
export const MARK = {
  hidden: 1,
  /** Navigation, footer, cart summary: the shop's frame. */
  frame: 2,
  /** Other products: related, recommended, recently seen, compared, sponsored. */
  related: 4,
  /** Struck through, or named as a former or list price. */
  old: 8,
  price: 16,
  /** Named as what is paid now. */
  current: 32,
  /** Named as another amount: shipping, saving, tax, unit, instalment, a choice's price. */
  otherAmount: 64,
  /** Inside a link to another page. */
  linkAway: 128,
  /** Reviews, questions, comments. */
  talk: 256,
  /** The place where one buys. */
  buy: 512,
  brand: 1024,
  sku: 2048,
  stock: 4096,
  title: 8192,
  /** Named as a price before tax. */
  net: 16_384,
} as const;

/** Words of class and id names, as shops of any platform and language of code use them. */
const WORDS: readonly (readonly [number, string])[] = [
  [MARK.hidden, 'hidden-print sr-only-focusable d-none display-none is-hidden template'],
  [
    MARK.frame,
    'nav navbar navigation megamenu menu footer breadcrumb breadcrumbs minicart mini-cart mini-basket minibasket cookie cookies consent newsletter topbar sitemap',
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
    'shipping delivery ship save saving savings saved discount discounts tax vat mwst unit unit-price per-unit installment installments instalment instalments monthly month finance financing rate rates credit coupon voucher points bonus cashback rebate warranty protection insurance deposit tip trade tradein trade-in used-price refurbished quantity tier tiered bulk minimum threshold gift reward rewards subscribe klarna afterpay paypal zip laybuy swatch option options variant-price olp range converted conversion approx member-price members-price club-price loyalty-price',
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

/** Each word, and each compound of two or three, with its bits. */
const BITS_BY_WORD: ReadonlyMap<string, number> = wordBits();

function wordBits(): Map<string, number> {
  const bits = new Map<string, number>();
  for (const [bit, words] of WORDS) {
    for (const word of words.split(' ')) bits.set(word, (bits.get(word) ?? 0) | bit);
  }
  return bits;
}

/** Bits of a class list or id: its words and what two or three neighbours make. */
function bitsOfNames(names: string): number {
  const words = names
    .slice(0, 400)
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z]+/);
  let bits = 0;
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string;
    if (!isTaxOfPrice(words, i)) bits |= BITS_BY_WORD.get(word) ?? 0;
    if (i + 1 >= words.length) continue;
    const pair = `${word}-${words[i + 1]}`;
    bits |= BITS_BY_WORD.get(pair) ?? 0;
    if (i + 2 < words.length) bits |= BITS_BY_WORD.get(`${pair}-${words[i + 2]}`) ?? 0;
  }
  return bits;
}

/** A price with or without tax is a price; a tax alone is another amount. */
function isTaxOfPrice(words: readonly string[], i: number): boolean {
  if (!TAXES.has(words[i] as string)) return false;
  return WITH_OR_WITHOUT.has(words[i - 1] ?? '') || WITH_OR_WITHOUT.has(words[i + 1] ?? '');
}

const TAXES: ReadonlySet<string> = new Set(['tax', 'vat', 'mwst']);
const WITH_OR_WITHOUT: ReadonlySet<string> = new Set(
  'with without inc incl included including ex excl excluded excluding inclusive exclusive'.split(' '),
);

const FRAME_TAGS: ReadonlySet<string> = new Set(['nav', 'footer']);
const OLD_TAGS: ReadonlySet<string> = new Set(['del', 's', 'strike']);
/** Bits that hold for everything inside; the others only name what is near. */
const INHERITED = MARK.hidden | MARK.frame | MARK.related | MARK.linkAway | MARK.talk;
/** Which amount of several it is: the nearest name tells, whatever the box of all of them is called. */
const AMOUNT_KINDS = MARK.old | MARK.current | MARK.otherAmount;
/** How far above a text a name still speaks of it. */
const NEAR_LEVELS = 4;

/** Answers what surrounds an element; remembers what it has seen, for a page asks of the same ones often. */
export class Surroundings {
  readonly #doc: HtmlDocument;
  readonly #links: PageLinks;
  readonly #ownKeys: ReadonlySet<string>;
  readonly #host: string;
  readonly #byNames = new Map<string, number>();
  /** Bits by element, -1 where not asked yet. */
  readonly #own: Int32Array;
  readonly #all: Int32Array;

  constructor(doc: HtmlDocument, links: PageLinks, ownKeys: ReadonlySet<string>) {
    this.#doc = doc;
    this.#own = new Int32Array(doc.elements.length).fill(-1);
    this.#all = new Int32Array(doc.elements.length).fill(-1);
    this.#links = links;
    this.#ownKeys = ownKeys;
    this.#host = pageKey(links.base)?.split('/', 1)[0] ?? '';
  }

  /** Bits of the element itself. */
  own(el: El): number {
    const known = this.#own[el.index] as number;
    if (known >= 0) return known;
    const bits = this.#read(el);
    this.#own[el.index] = bits;
    return bits;
  }

  /** Bits that hold here: inherited from every ancestor, named by the near ones. */
  of(el: El): number {
    let bits = this.#inherited(el);
    let kind = 0;
    let at: El | null = el;
    for (let level = 0; level < NEAR_LEVELS && at !== null; level++, at = at.parent) {
      const own = this.own(at);
      if (kind === 0) kind = own & AMOUNT_KINDS;
      bits |= own & ~AMOUNT_KINDS;
    }
    return bits | kind;
  }

  /**
   * Takes the product's heading as given: names of the boxes around it say nothing against what is in them,
   * such as a page container that is called after a menu.
   */
  trust(heading: El): void {
    for (let at: El | null = heading; at !== null; at = at.parent)
      this.#own[at.index] = this.own(at) & ~INHERITED;
    this.#all.fill(-1);
  }

  #inherited(el: El): number {
    const known = this.#all[el.index] as number;
    if (known >= 0) return known;
    const chain: El[] = [];
    let at: El | null = el;
    while (at !== null && (this.#all[at.index] as number) < 0) {
      chain.push(at);
      at = at.parent;
    }
    let bits = at === null ? 0 : (this.#all[at.index] as number);
    for (const link of chain.toReversed()) {
      bits |= this.own(link) & INHERITED;
      this.#all[link.index] = bits;
    }
    return bits;
  }

  #read(el: El): number {
    let bits = 0;
    if (HIDDEN_TEXT.has(el.name)) bits |= MARK.hidden;
    if (FRAME_TAGS.has(el.name)) bits |= MARK.frame;
    if (OLD_TAGS.has(el.name)) bits |= MARK.old;
    // a body's or a form's classes speak of the page, not of a part of it
    const wide = el.name === 'body' || el.name === 'html' || el.name === 'main';
    for (let i = el.attrFrom; i < el.attrTo; i++) bits |= this.#readAttribute(el, i, wide);
    return bits;
  }

  #readAttribute(el: El, i: number, wide: boolean): number {
    switch (this.#doc.attrNames[i]) {
      case 'class':
      case 'id':
        return wide ? 0 : this.#names(this.#doc.attrValue(i));
      case 'hidden':
        return MARK.hidden;
      case 'style':
        return styleBits(this.#doc.attrValue(i));
      case 'href':
        return el.name === 'a' && this.#leadsAway(this.#doc.attrValue(i)) ? MARK.linkAway : 0;
      case 'itemprop':
        return /price/i.test(this.#doc.attrValue(i)) ? MARK.price : 0;
      default:
        return 0;
    }
  }

  #names(value: string): number {
    const known = this.#byNames.get(value);
    if (known !== undefined) return known;
    const bits = bitsOfNames(value);
    this.#byNames.set(value, bits);
    return bits;
  }

  #leadsAway(href: string): boolean {
    if (href === '' || href.startsWith('#') || href.startsWith('?')) return false;
    if (/^(?:javascript|tel|mailto|data):/i.test(href)) return false;
    const key = quickKey(href, this.#host);
    // only a path without a slash in front needs the whole of URL resolution
    const own = key ?? pageKey(absolute(href, this.#links.base) ?? '');
    return own !== undefined && !this.#ownKeys.has(own);
  }
}

/** `pageKey` of an address that begins with a slash or a scheme, without parsing it as a URL. */
function quickKey(href: string, host: string): string | undefined {
  const absoluteHref =
    href.startsWith('/') && !href.startsWith('//') ? host + href : href.replace(/^(?:https?:)?\/\//i, '');
  if (absoluteHref === href) return undefined;
  const end = absoluteHref.search(/[?#]/);
  return (end < 0 ? absoluteHref : absoluteHref.slice(0, end))
    .replace(/^www\./i, '')
    .replace(/\/+$/, '')
    .toLowerCase();
}

function styleBits(style: string): number {
  let bits = 0;
  if (/display\s*:\s*none|visibility\s*:\s*hidden/i.test(style)) bits |= MARK.hidden;
  if (/line-through/i.test(style)) bits |= MARK.old;
  return bits;
}
