/** Reading took more steps than it may; thrown by `Work.spend`, and caught where the page's facts are read. */
export class WorkSpent extends Error {}

/**
 * Counts the steps of reading a page, and ends it when they are spent. Steps are counted, not time, so that a page
 * reads alike on every machine, and the reader needs no clock. One step is about one element, attribute or run of
 * text that is looked at, or 64 characters of it.
 */
export class Work {
  #left = Number.POSITIVE_INFINITY;

  /** Allows so many steps from now on; none are counted before. */
  allow(steps: number): void {
    this.#left = steps;
  }

  /** @throws WorkSpent when more than the allowed steps are taken */
  spend(steps = 1): void {
    this.#left -= steps;
    if (this.#left < 0) throw new WorkSpent();
  }

  /** Spends what looking at so many characters takes. */
  spendOn(characters: number): void {
    this.spend(1 + (characters >> 6));
  }
}
