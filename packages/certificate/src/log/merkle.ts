import { type AnyHash, areEqualBytes, concatBytes, HASH_BYTES } from './bytes.ts';

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

/**
 * Hash of an entry as a leaf (RFC 6962, section 2.1).
 *
 * @example
 * ```ts
 * import { createHash } from 'node:crypto';
 * import { leafHash } from '@touchstone/certificate/log';
 *
 * const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash('sha256').update(bytes).digest());
 * leafHash(new Uint8Array(), sha256).length; // 32
 * ```
 */
export function leafHash<H>(entry: Uint8Array, hash: (bytes: Uint8Array<ArrayBuffer>) => H): H {
  return hash(concatBytes(LEAF, entry));
}

/**
 * Hash of an inner node (RFC 6962, section 2.1).
 *
 * @example
 * ```ts
 * import { nodeHash } from '@touchstone/certificate/log';
 *
 * nodeHash(Uint8Array.of(7), Uint8Array.of(8), (bytes) => [...bytes]); // [1, 7, 8]
 * ```
 */
export function nodeHash<H>(
  left: Uint8Array,
  right: Uint8Array,
  hash: (bytes: Uint8Array<ArrayBuffer>) => H,
): H {
  return hash(concatBytes(NODE, left, right));
}

/**
 * Computes the root that follows from an inclusion proof (RFC 9162, section 2.1.3.2): the leaf is in the tree if it is that tree's root.
 *
 * @param index - of the leaf, from 0
 * @param size - of the tree, in leaves
 * @param proof - from the leaf's sibling to the child of the root
 * @returns `null` if the proof does not have the length that index and size require
 * @example
 * ```ts
 * import { rootOfInclusion, webCryptoHash } from '@touchstone/certificate/log';
 *
 * await rootOfInclusion(new Uint8Array(32), 0, 2, [], webCryptoHash); // null
 * ```
 */
export async function rootOfInclusion(
  leaf: Uint8Array,
  index: number,
  size: number,
  proof: readonly Uint8Array[],
  hash: AnyHash,
): Promise<Uint8Array | null> {
  if (!isCount(index) || !isCount(size) || index >= size) return null;
  if (![leaf, ...proof].every(isHash)) return null;
  let node = index;
  let last = size - 1;
  let root = leaf;
  for (const sibling of proof) {
    if (last === 0) return null;
    if (node % 2 === 1 || node === last) {
      root = await nodeHash(sibling, root, hash);
      // without a sibling to the right, the node itself moves up
      while (node % 2 === 0 && node !== 0) {
        node /= 2;
        last = half(last);
      }
    } else root = await nodeHash(root, sibling, hash);
    node = half(node);
    last = half(last);
  }
  return last === 0 ? root : null;
}

/** A tree's number of leaves, and its root. */
export interface TreeHead {
  readonly size: number;
  readonly root: Uint8Array;
}

/**
 * Whether a consistency proof shows that the larger tree only appends to the smaller one (RFC 9162, section 2.1.4.2). Never true from an
 * empty tree, of which nothing can be proved.
 *
 * @example
 * ```ts
 * import { verifyConsistency, webCryptoHash } from '@touchstone/certificate/log';
 *
 * const head = { size: 1, root: new Uint8Array(32) };
 * await verifyConsistency(head, head, [], webCryptoHash); // true
 * ```
 */
export async function verifyConsistency(
  from: TreeHead,
  to: TreeHead,
  proof: readonly Uint8Array[],
  hash: AnyHash,
): Promise<boolean> {
  if (!isCount(from.size) || !isCount(to.size) || from.size === 0 || from.size > to.size) return false;
  if (from.size === to.size) return proof.length === 0 && areEqualBytes(from.root, to.root);
  // a complete smaller tree is itself the first node of the path
  const [first, ...rest] = isPowerOfTwo(from.size) ? [from.root, ...proof] : proof;
  if (first === undefined || proof.length === 0 || !proof.every(isHash)) return false;
  let node = from.size - 1;
  let last = to.size - 1;
  while (node % 2 === 1) {
    node = half(node);
    last = half(last);
  }
  let fromRoot = first;
  let toRoot = first;
  for (const sibling of rest) {
    if (last === 0) return false;
    if (node % 2 === 1 || node === last) {
      fromRoot = await nodeHash(sibling, fromRoot, hash);
      toRoot = await nodeHash(sibling, toRoot, hash);
      while (node % 2 === 0 && node !== 0) {
        node /= 2;
        last = half(last);
      }
    } else toRoot = await nodeHash(toRoot, sibling, hash);
    node = half(node);
    last = half(last);
  }
  return last === 0 && areEqualBytes(fromRoot, from.root) && areEqualBytes(toRoot, to.root);
}

/** Others could make two nodes of the same bytes. */
function isHash(bytes: Uint8Array): boolean {
  return bytes.length === HASH_BYTES;
}

function half(value: number): number {
  return Math.floor(value / 2);
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function isPowerOfTwo(value: number): boolean {
  return Number.isInteger(Math.log2(value)) && 2 ** Math.log2(value) === value;
}
