/** Bytes up to which chunks are simply kept, as for nearly every body. */
const SMALL = 64 * 1024;

/**
 * Collects chunks up to `limit` bytes. What is large grows in place, in memory of its own: many large chunks beside
 * their concatenation leave an allocator behind that gives little of it back.
 */
export class GrowingBuffer {
  readonly #limit: number;
  #chunks: Uint8Array[] = [];
  #large: ArrayBuffer | undefined;
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** False where the chunk would lead over the limit; nothing is kept then. */
  take(chunk: Uint8Array): boolean {
    const before = this.#length;
    this.#length += chunk.length;
    if (this.#length > this.#limit) {
      this.#chunks = [];
      // given back at once, not when garbage is collected
      this.#large?.resize(0);
      this.#large = undefined;
      return false;
    }
    if (this.#large === undefined && this.#length <= SMALL) {
      this.#chunks.push(chunk);
      return true;
    }
    const large = this.#grown();
    new Uint8Array(large).set(chunk, before);
    return true;
  }

  bytes(): Uint8Array {
    if (this.#large === undefined) return Buffer.concat(this.#chunks);
    this.#large.resize(this.#length);
    return new Uint8Array(this.#large, 0, this.#length);
  }

  #grown(): ArrayBuffer {
    if (this.#large === undefined) {
      this.#large = new ArrayBuffer(this.#length, { maxByteLength: this.#limit });
      new Uint8Array(this.#large).set(Buffer.concat(this.#chunks));
      this.#chunks = [];
    } else if (this.#large.byteLength < this.#length) {
      this.#large.resize(Math.min(this.#limit, Math.max(this.#length, 2 * this.#large.byteLength)));
    }
    return this.#large;
  }
}
