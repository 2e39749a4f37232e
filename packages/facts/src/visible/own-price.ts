import type { VisibleInput } from './add-visible.ts';
import { Surroundings } from './context.ts';
import { MARK } from './marks.ts';
import { visiblePrices } from './price.ts';
import { findRegion } from './region.ts';

/**
 * Whether a price is printed between the page's heading and the first link to another page behind it. The price of the page's own product
 * is; in a list, the cards of products begin with such links.
 */
export function showsOwnPrice({
  doc,
  index,
  links,
  locale,
  names,
  ownKeys,
  siteNames,
}: VisibleInput): boolean {
  const around = new Surroundings(doc, links, ownKeys);
  const region = findRegion(doc, index, around, names, siteNames);
  if (region === undefined) return false;
  const card = region.runs.find(
    ({ distance, marks, text }) => distance > 0 && (marks & MARK.linkAway) !== 0 && /\p{L}{2}/u.test(text),
  );
  return visiblePrices(region, locale).some(
    ({ run }) => run.distance > 0 && (card === undefined || run.at < card.at),
  );
}
