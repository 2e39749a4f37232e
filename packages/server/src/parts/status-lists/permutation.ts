import { createCipheriv } from 'node:crypto';
import { STATUS_LIST_SIZE } from '@touchstone/certificate/withdrawal';

/** Bytes of a key of the order in which the entries of a list are given out. */
export const ORDER_KEY_BYTES = 32;

const ROUNDS = 8;
const HALF = 10;
const MASK = (1 << HALF) - 1;

/**
 * The order in which the entries of a list are given out: the `n`th entry, of 2^20, without repetition. Without the key it looks random:
 * indices that followed each other would tell which proofs were made together (draft-ietf-oauth-status-list-20, section 12.5).
 *
 * A balanced Feistel network of eight rounds, whose round functions are tables of AES-256 in counter mode.
 *
 * @param key - 32 bytes, of this list alone
 */
export function indexOrder(key: Uint8Array): (n: number) => number {
  const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16));
  const stream = cipher.update(Buffer.alloc(ROUNDS * 2 * (MASK + 1)));
  const table = new Uint16Array(stream.buffer, stream.byteOffset, ROUNDS * (MASK + 1));
  return (n) => {
    if (!Number.isInteger(n) || n < 0 || n >= STATUS_LIST_SIZE)
      throw new RangeError(`a list has no entry ${n}`);
    let left = n >>> HALF;
    let right = n & MASK;
    for (let round = 0; round < ROUNDS; round += 1) {
      const next = left ^ ((table[round * (MASK + 1) + right] ?? 0) & MASK);
      left = right;
      right = next;
    }
    return (left << HALF) | right;
  };
}
