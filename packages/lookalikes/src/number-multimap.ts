/** Values of one key that are kept: more would make every question about it slow, as whoever registers names may intend. */
const MAX_VALUES = 64;

/**
 * Numbers by hash, several of each: two arrays with open addressing, a tenth of the memory of a `Map`. Values are only added;
 * whoever holds it makes it again without those that are gone.
 */
export class NumberMultimap {
  #keys = new Int32Array(64);
  /** 0: the place is free; otherwise the value + 1. */
  #values = new Int32Array(64);
  /** A bit for each key that may be there: nearly all questions end here, in memory that stays in the caches of the processor. */
  #bits = new Int32Array(16);
  #size = 0;
  #shift = 32 - 6;

  add(key: number, value: number): void {
    if (2 * this.#size >= this.#values.length) this.#grow();
    let count = 0;
    let at = this.#placeOf(key);
    for (; this.#values[at] !== 0; at = this.#next(at)) {
      if (this.#keys[at] !== key) continue;
      count += 1;
      if (count >= MAX_VALUES || this.#values[at] === value + 1) return;
    }
    this.#keys[at] = key;
    this.#values[at] = value + 1;
    this.#mark(key);
    this.#size += 1;
  }

  each(key: number, use: (value: number) => void): void {
    const bit = this.#bitOf(key);
    if (((this.#bits[bit >>> 5] ?? 0) & (1 << (bit & 31))) === 0) return;
    for (let at = this.#placeOf(key); this.#values[at] !== 0; at = this.#next(at)) {
      if (this.#keys[at] === key) use((this.#values[at] ?? 0) - 1);
    }
  }

  /** The lowest bits of a product are those of its factors: the highest spread better. */
  #placeOf(key: number): number {
    return Math.imul(key, 0x9e3779b1) >>> this.#shift;
  }

  /** 8 bits for each place. */
  #bitOf(key: number): number {
    return Math.imul(key, 0x85ebca6b) >>> (this.#shift - 3);
  }

  #mark(key: number): void {
    const bit = this.#bitOf(key);
    this.#bits[bit >>> 5] = (this.#bits[bit >>> 5] ?? 0) | (1 << (bit & 31));
  }

  #next(at: number): number {
    return (at + 1) & (this.#values.length - 1);
  }

  #grow(): void {
    const [keys, values] = [this.#keys, this.#values];
    this.#keys = new Int32Array(2 * keys.length);
    this.#values = new Int32Array(2 * values.length);
    this.#shift -= 1;
    this.#bits = new Int32Array(values.length / 2);
    for (let from = 0; from < values.length; from += 1) {
      if (values[from] === 0) continue;
      let at = this.#placeOf(keys[from] ?? 0);
      while (this.#values[at] !== 0) at = this.#next(at);
      this.#keys[at] = keys[from] ?? 0;
      this.#values[at] = values[from] ?? 0;
      this.#mark(keys[from] ?? 0);
    }
  }
}
