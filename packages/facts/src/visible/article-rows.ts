import type { El } from '@touchstone/page/document';
import { hasLink } from './cards.ts';
import type { Region, Run } from './region.ts';
import type { VisiblePrice } from './visible-price.ts';

/** Levels above an amount among which its table row is searched. */
const ROW_LEVELS = 8;

/**
 * Whether an amount is one of several in a table of articles, whose rows link to other pages and have different prices.
 * Rows without such links are prices by quantity.
 */
export function isOneOfArticles(
  region: Region,
  best: VisiblePrice,
  prices: readonly VisiblePrice[],
): boolean {
  const row = rowOf(best.run);
  if (row === undefined || !hasLink(region, row)) return false;
  return prices.some(({ run, old, other, amount }) => {
    if (old || other || Number(amount) === Number(best.amount)) return false;
    const next = rowOf(run);
    return next !== undefined && next !== row && next.parent === row.parent && hasLink(region, next);
  });
}

function rowOf({ owner }: Run): El | undefined {
  for (let el: El | null = owner, level = 0; level < ROW_LEVELS && el !== null; level++, el = el.parent)
    if (el.name === 'tr') return el;
  return undefined;
}
