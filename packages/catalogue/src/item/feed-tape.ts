/** The text of a feed that was read and not yet passed on. Positions are characters of the whole text. */
export class FeedTape {
  #kept = '';
  #from = 0;

  push(piece: string): void {
    this.#kept += piece;
  }

  /** Where what is kept begins. */
  get from(): number {
    return this.#from;
  }

  /** Where it ends. */
  get to(): number {
    return this.#from + this.#kept.length;
  }

  /** Removes and returns the text up to a position. */
  take(to: number = this.to): string {
    const length = Math.max(0, Math.min(to - this.#from, this.#kept.length));
    const taken = this.#kept.slice(0, length);
    this.#kept = this.#kept.slice(length);
    this.#from += length;
    return taken;
  }
}
