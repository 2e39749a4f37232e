import { finish, problemRow, type Reading } from './draft.ts';
import { type FeedItem, ItemGroup } from './google-feed.ts';
import type { CatalogueRow, CatalogueShape } from './types.ts';

/** Items that are kept until their group is complete: some 10 MB. Variants that lie further apart become two products. */
const MAX_HELD = 10_000;

/**
 * Brings the items of a product together. Those of a group may stand anywhere among the last `MAX_HELD` (shops list by
 * number of article, or by what is new); without groups they follow each other. Products come in the order of their
 * first items.
 */
export class FeedGroups {
  readonly #reading: Reading;
  readonly #shape: CatalogueShape;
  /** Identifiers that were given. */
  readonly #given = new Set<string>();
  /** By group and page; in the order of the feed. */
  readonly #held = new Map<string, ItemGroup>();
  #heldItems = 0;
  /** Whose page it is, for pages that are a guess; `null` for a page of several. */
  readonly #owners = new Map<string, string | null>();
  #last: ItemGroup | undefined;
  items = 0;

  constructor(shape: CatalogueShape, reading: Reading) {
    this.#shape = shape;
    this.#reading = reading;
  }

  *take(item: FeedItem, row = this.items + 1): Generator<CatalogueRow, void, undefined> {
    this.items++;
    if (item.size === 0) return yield problemRow(row, 'row_not_product', 'It has no attributes.');
    const next = new ItemGroup(item, row);
    const key = next.group === undefined ? `${row}` : JSON.stringify([next.group, next.page.key]);
    const known = this.#last?.isVariant(next) === true ? this.#last : this.#held.get(key);
    if (known === undefined) {
      this.#held.set(key, next);
      this.#claim(next);
    } else known.join(next);
    this.#last = known ?? next;
    this.#heldItems++;
    yield* this.#give((group) => this.#heldItems > MAX_HELD || (!mayGrow(group) && group !== this.#last));
  }

  *end(): Generator<CatalogueRow, void, undefined> {
    yield* this.#give(() => true);
  }

  /** Gives from the front as long as there is no reason to wait. */
  *#give(isComplete: (front: ItemGroup) => boolean): Generator<CatalogueRow, void, undefined> {
    for (const [key, group] of this.#held) {
      if (!isComplete(group)) return;
      this.#held.delete(key);
      this.#heldItems -= group.size;
      if (group === this.#last) this.#last = undefined;
      for (const part of this.#isShared(group) ? group.split() : [group]) yield this.#rowOf(part);
    }
  }

  #rowOf(group: ItemGroup): CatalogueRow {
    const isFirst = group.id === undefined || !this.#given.has(group.id);
    if (group.id !== undefined) this.#given.add(group.id);
    return finish(group.draft(isFirst), { row: group.row, shape: this.#shape }, this.#reading);
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

/** Further items of a group may come, or another product on its page. */
function mayGrow({ group, page }: ItemGroup): boolean {
  return group !== undefined || page.isGuess;
}
