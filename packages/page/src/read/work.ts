/** Thrown by `Work.spend` when reading exceeds its step limit; `readPage` catches it. */
export class WorkSpent extends Error {}

/**
 * Counts the steps of reading a page and aborts at a limit. It counts steps instead of time, so that the result is the
 * same on every machine and needs no clock. One step is about one visited element, attribute or text run, or 64 characters.
 */
export class Work {
  #left = Number.POSITIVE_INFINITY;

  /** Sets the number of steps allowed from now on; before the first call there is no limit. */
  allow(steps: number): void {
    this.#left = steps;
  }

  /** @throws WorkSpent if the limit is exceeded */
  spend(steps = 1): void {
    this.#left -= steps;
    if (this.#left < 0) throw new WorkSpent();
  }

  /** Counts the steps for reading this number of characters. */
  spendOn(characters: number): void {
    this.spend(1 + (characters >> 6));
  }
}
