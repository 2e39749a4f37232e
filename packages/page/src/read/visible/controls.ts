import type { El } from '../dom/document.ts';
import { MARK } from './marks.ts';
import type { Region } from './region.ts';

/** Names in code that shops give to what puts a product into the cart. */
const ADD_TO_CART =
  /add-?_?to-?_?(?:cart|basket|bag|trolley)|(?:cart|basket)[-_/]add|tocart|buy-?_?now|buy-?_?(?:button|btn)|(?:button|btn)-?_?buy|in-?den-?warenkorb|single_add_to_cart/i;
const NAME_ATTRIBUTES = ['id', 'class', 'name', 'action', 'data-action', 'data-role', 'data-testid'] as const;
const CONTROL_TAGS: ReadonlySet<string> = new Set(['button', 'a', 'input', 'form']);
const FOREIGN = MARK.hidden | MARK.related | MARK.frame | MARK.talk;

/**
 * Whether a control near the heading puts the product into a cart, by its name in code or by the words on an
 * input; a disabled one does not.
 */
export function hasCartControl(region: Region, words: RegExp): boolean {
  const first = region.runs[0];
  const last = region.runs.at(-1);
  if (first === undefined || last === undefined) return false;
  const to = Math.min(last.owner.index, region.heading.index + MAX_ELEMENTS);
  for (let i = first.owner.index; i <= to; i++) {
    const el = region.doc.elements[i];
    if (el === undefined || !CONTROL_TAGS.has(el.name)) continue;
    if (isCartControl(region, el, words)) return true;
  }
  return false;
}

const MAX_ELEMENTS = 1_500;

function isCartControl(region: Region, el: El, words: RegExp): boolean {
  const { doc, around } = region;
  const named = NAME_ATTRIBUTES.some((name) => {
    const value = doc.attr(el, name);
    return value !== undefined && ADD_TO_CART.test(value.slice(0, 300));
  });
  const label = el.name === 'input' ? (doc.attr(el, 'value') ?? doc.attr(el, 'alt')) : doc.attr(el, 'title');
  const worded = label !== undefined && label.length <= 40 && words.test(label.toLowerCase());
  if ((!named && !worded) || doc.hasAttr(el, 'disabled') || /\bdisabled\b/.test(doc.attr(el, 'class') ?? ''))
    return false;
  return (around.of(el) & FOREIGN) === 0 && !inOptionCard(region, el);
}

/** A cart form inside a card of another product: it carries a heading or picture link of its own. */
function inOptionCard(region: Region, el: El): boolean {
  for (let at: El | null = el.parent, level = 0; at !== null && level < 5; at = at.parent, level++) {
    if (region.doc.contains(at, region.heading)) return false;
    for (let i = at.index + 1; i < el.index && i - at.index < 60; i++) {
      const inner = region.doc.elements[i] as El;
      if (
        inner.name === 'a' &&
        (region.around.own(inner) & MARK.linkAway) !== 0 &&
        inner.textTo > inner.textFrom
      )
        return true;
    }
  }
  return false;
}
