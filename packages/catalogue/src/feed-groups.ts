import { problemRow, type Reading, rowOfDraft } from './draft.ts';
import { type FeedItem, ItemGroup } from './google-feed.ts';
import { CATALOGUE_LIMITS, overLimit } from './limits.ts';
import type { CatalogueRow, CatalogueShape } from './types.ts';

/** Items that wait until their group is complete: some 10 MB. Variants that are further apart become two products. */
const MAX_PENDING = 10_000;

/**
 * Groups the items of a feed into products. The items of a group may be anywhere among the last `MAX_PENDING` (shops list by
 * article number, or by date); without groups the variants of a product are adjacent. Products are returned in the order of
 * their first items.
 */
export class FeedGroups {
  readonly #reading: Reading;
  readonly #shape: CatalogueShape;
  /** Identifiers of the products returned so far. */
  readonly #returned = new Set<string>();
  /** By group and page; in the order of the feed. */
  readonly #pending = new Map<string, ItemGroup>();
  #pendingItems = 0;
  /** The product of each guessed page; `null` for a page of several. */
  readonly #owners = new Map<string, string | null>();
  #last: ItemGroup | undefined;
  items = 0;

  constructor(shape: CatalogueShape, reading: Reading) {
    this.#shape = shape;
    this.#reading = reading;
  }

  *add(item: FeedItem, row = this.items + 1): Generator<CatalogueRow, void, undefined> {
    this.items++;
    if (item.size === 0) return yield problemRow(row, 'row_not_product', 'It has no attributes.');
    const next = new ItemGroup(item, row);
    const key = next.group === undefined ? `${row}` : JSON.stringify([next.group, next.page.key]);
    const known = this.#last?.isVariant(next) === true ? this.#last : this.#pending.get(key);
    if (known === undefined) {
      this.#pending.set(key, next);
      this.#claim(next);
    } else known.merge(next);
    this.#last = known ?? next;
    this.#pendingItems++;
    yield* this.#release(
      (group) => this.#pendingItems > MAX_PENDING || (!mayGrow(group) && group !== this.#last),
    );
  }

  *end(): Generator<CatalogueRow, void, undefined> {
    yield* this.#release(() => true);
  }

  /** Returns groups in order, up to the first that is not complete. */
  *#release(isComplete: (first: ItemGroup) => boolean): Generator<CatalogueRow, void, undefined> {
    for (const [key, group] of this.#pending) {
      if (!isComplete(group)) return;
      this.#pending.delete(key);
      this.#pendingItems -= group.size;
      if (group === this.#last) this.#last = undefined;
      for (const part of this.#isShared(group) ? group.split() : [group]) yield this.#rowOf(part);
    }
  }

  #rowOf(group: ItemGroup): CatalogueRow {
    const isFirst = group.id === undefined || !this.#returned.has(group.id);
    if (group.id !== undefined) this.#returned.add(group.id);
    if (group.size > CATALOGUE_LIMITS.rowsOfProduct.most)
      return problemRow(group.row, 'row_too_large', overLimit('rowsOfProduct'), group.id);
    return rowOfDraft(group.draft(isFirst), { row: group.row, shape: this.#shape }, this.#reading);
  }

  #isShared({ page }: ItemGroup): boolean {
    if (!page.isGuess || page.key === undefined) return false;
    if (this.#owners.get(page.key) === null) return true;
    this.#owners.delete(page.key);
    return false;
  }

  #claim({ page, id = '' }: ItemGroup): void {
    if (!page.isGuess || page.key === undefined) return;
    const owner = this.#owners.get(page.key);
    this.#owners.set(page.key, owner === undefined || owner === id ? id : null);
  }
}

/** Whether more items of the group may follow, or another product with the same page. */
function mayGrow({ group, page }: ItemGroup): boolean {
  return group !== undefined || page.isGuess;
}
