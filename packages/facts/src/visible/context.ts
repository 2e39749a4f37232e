import { absolute, type El, HIDDEN_TEXT, type HtmlDocument, type PageLinks } from '@touchstone/page/document';
import { pageKey, withoutClosingSlashes } from '../page-key.ts';
import { bitsOfNames, MARK } from './marks.ts';

const FRAME_TAGS: ReadonlySet<string> = new Set(['nav', 'footer']);
const OLD_TAGS: ReadonlySet<string> = new Set(['del', 's', 'strike']);
/** Bits inherited by all descendants; the others apply only within `NEAR_LEVELS`. */
const INHERITED = MARK.hidden | MARK.frame | MARK.related | MARK.linkAway | MARK.talk;
/** Kinds of amounts. The nearest ancestor with any of these bits decides: a box around several amounts must not overrule it. */
const AMOUNT_KINDS = MARK.old | MARK.current | MARK.otherAmount;
/** Levels above a text within which class and id names apply to it. */
const NEAR_LEVELS = 4;

/** Computes the marks of elements from the markup around them, with a cache. */
export class Surroundings {
  readonly #doc: HtmlDocument;
  readonly #links: PageLinks;
  readonly #ownKeys: ReadonlySet<string>;
  readonly #host: string;
  readonly #byNames = new Map<string, number>();
  /** Bits by element index; -1: not computed yet. */
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

  /** Bits of the element alone. */
  own(el: El): number {
    const known = this.#own[el.index] as number;
    if (known >= 0) return known;
    const bits = this.#read(el);
    this.#own[el.index] = bits;
    return bits;
  }

  /** All bits that apply to the element: those inherited from any ancestor, and the names of near ones. */
  of(el: El): number {
    this.#doc.work.spend();
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
   * Clears the inherited bits of the heading and its ancestors: their names, such as a menu's on a page container, must not
   * discount the product's own content.
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
    this.#doc.work.spend(1 + el.attrTo - el.attrFrom);
    let bits = 0;
    if (HIDDEN_TEXT.has(el.name)) bits |= MARK.hidden;
    if (FRAME_TAGS.has(el.name)) bits |= MARK.frame;
    if (OLD_TAGS.has(el.name)) bits |= MARK.old;
    // class names of html, body and main describe the page, not a part of it
    const wide = el.name === 'body' || el.name === 'html' || el.name === 'main';
    for (let i = el.attrFrom; i < el.attrTo; i++) bits |= this.#readAttribute(el, i, wide);
    return bits;
  }

  #readAttribute(el: El, i: number, wide: boolean): number {
    switch (this.#doc.attrNames[i]) {
      case 'class':
      case 'id':
      case 'data-testid':
      case 'data-test':
      case 'data-qa':
      case 'data-cy':
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

  /** Whether the form around an element is submitted to the page itself, and so sells the page's product. */
  inOwnForm(el: El): boolean {
    let at: El | null = el;
    while (at !== null && at.name !== 'form') at = at.parent;
    const action = at === null ? undefined : this.#doc.attr(at, 'action')?.trim();
    if (action === undefined || action === '') return false;
    return this.#ownKeys.has(pageKey(absolute(action, this.#links.base) ?? '') ?? '');
  }

  #leadsAway(href: string): boolean {
    if (href === '' || href.startsWith('#') || href.startsWith('?')) return false;
    if (/^(?:javascript|tel|mailto|data):/i.test(href)) return false;
    const key = quickKey(href, this.#host);
    // only a relative path without a leading slash needs full URL resolution
    const own = key ?? pageKey(absolute(href, this.#links.base) ?? '');
    return own !== undefined && !this.#ownKeys.has(own);
  }
}

/** Computes `pageKey` of an address that begins with a slash or a scheme, without URL parsing. */
function quickKey(href: string, host: string): string | undefined {
  const absoluteHref =
    href.startsWith('/') && !href.startsWith('//') ? host + href : href.replace(/^(?:https?:)?\/\//i, '');
  if (absoluteHref === href) return undefined;
  const end = absoluteHref.search(/[?#]/);
  const path = (end < 0 ? absoluteHref : absoluteHref.slice(0, end)).replace(/^www\./i, '');
  return withoutClosingSlashes(path).toLowerCase();
}

function styleBits(style: string): number {
  let bits = 0;
  if (/display\s*:\s*none|visibility\s*:\s*hidden/i.test(style)) bits |= MARK.hidden;
  if (/line-through/i.test(style)) bits |= MARK.old;
  return bits;
}
