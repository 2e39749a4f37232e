import { createHash } from 'node:crypto';

/** 96 bits of an id's digest: of ten million ids, two share them with a chance of one to 10^15. */
const WORDS = 3;
const FIRST_SLOTS = 4_096;

/**
 * A set of ids that only grows, at 24 to 48 bytes an id whatever its length. A million ids of 15 letters take 60 MB in a
 * `Set`, of 200 letters 250 MB, and the garbage collector walks over them again and again.
 */
export class IdSet {
  #words = new Uint32Array(FIRST_SLOTS * WORDS);
  #count = 0;

  /** True if the id is new to the set. */
  add(id: string): boolean {
    const digest = createHash('sha256').update(id).digest();
    // an entry that begins with zero is empty
    const first = digest.readUInt32LE(0) || 1;
    if (!put(this.#words, first, digest.readUInt32LE(4), digest.readUInt32LE(8))) return false;
    this.#count += 1;
    if (this.#count * WORDS * 2 > this.#words.length) this.#grow();
    return true;
  }

  #grow(): void {
    const words = new Uint32Array(this.#words.length * 2);
    for (let at = 0; at < this.#words.length; at += WORDS) {
      const first = this.#words[at] as number;
      if (first !== 0) put(words, first, this.#words[at + 1] as number, this.#words[at + 2] as number);
    }
    this.#words = words;
  }
}

/** Inserts the three words into the first free slot, probing from the one given by the first; false if already present. */
function put(table: Uint32Array, first: number, second: number, third: number): boolean {
  // the number of entries is a power of two
  const mask = table.length / WORDS - 1;
  for (let slot = first & mask; ; slot = (slot + 1) & mask) {
    const at = slot * WORDS;
    if (table[at] === first && table[at + 1] === second && table[at + 2] === third) return false;
    if (table[at] === 0) {
      table[at] = first;
      table[at + 1] = second;
      table[at + 2] = third;
      return true;
    }
  }
}
