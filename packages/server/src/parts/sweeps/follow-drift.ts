import type { RecordedDrift } from '../../platform/database/column-types.ts';
import type { Difference, PageComparison } from './compare-page.ts';

/**
 * Milliseconds between the first and the last page that showed a difference, from which on it is told. Catalogues are imported daily and
 * caches kept for a day: what such a delay explains is gone by then. Four hours less than a day, since sweeps are not punctual.
 */
export const CONFIRMED_AFTER = 20 * 3_600_000;
/** Milliseconds after which a difference that no page has shown again is forgotten, however uncertain those pages were. */
const FORGOTTEN_AFTER = 14 * 86_400_000;

export interface FollowedDrift {
  /** What is to be recorded now. */
  readonly drift: readonly RecordedDrift[];
  /** Of these, what is told for the first time. */
  readonly told: readonly RecordedDrift[];
}

/**
 * Follows the differences of a page from one check to the next. Pure. One is told once it was seen on two pages fetched at least
 * `CONFIRMED_AFTER` apart. It ends when a page states the same as the catalogue, or nothing, and goes on as long as page or catalogue
 * state what they stated before: if both have changed, it is another one.
 *
 * @param before - as recorded by the last check
 * @param seenAt - when the page was fetched
 */
export function followDrift(
  before: readonly RecordedDrift[],
  { differences, settled }: PageComparison,
  seenAt: Date,
): FollowedDrift {
  const now = seenAt.toISOString();
  const followed: RecordedDrift[] = [];
  const told: RecordedDrift[] = [];
  for (const difference of differences) {
    const known = before.find((one) => one.field === difference.field && isContinued(one, difference));
    const is = follow(known, difference, now);
    followed.push(is);
    if (is.toldAt !== undefined && known?.toldAt === undefined) told.push(is);
  }
  const uncertain = before.filter(
    ({ field, lastAt }) =>
      !settled.has(field) &&
      !differences.some((difference) => difference.field === field) &&
      seenAt.getTime() - Date.parse(lastAt) < FORGOTTEN_AFTER,
  );
  return { drift: [...followed, ...uncertain], told };
}

function follow(known: RecordedDrift | undefined, difference: Difference, now: string): RecordedDrift {
  if (known === undefined) return { ...difference, since: now, lastAt: now, times: 1 };
  const { since, toldAt } = known;
  // the same observation, or an earlier one that another check had kept, shows nothing new
  const isNew = now > known.lastAt;
  const seen = { since, lastAt: isNew ? now : known.lastAt, times: known.times + (isNew ? 1 : 0) };
  if (toldAt !== undefined) return { ...difference, ...seen, toldAt };
  const isConfirmed = Date.parse(seen.lastAt) - Date.parse(since) >= CONFIRMED_AFTER;
  return { ...difference, ...seen, ...(isConfirmed && { toldAt: now }) };
}

function isContinued(known: RecordedDrift, { catalogue, signed, page }: Difference): boolean {
  return known.page === page || (known.catalogue ?? known.signed) === (catalogue ?? signed);
}

/** A difference as lists and events tell it. */
export function driftView({ toldAt: _told, times: _times, ...view }: RecordedDrift) {
  return view;
}
