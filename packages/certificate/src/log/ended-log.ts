import { areEqualBytes, decodeBase64, encodeBase64, HASH_BYTES, parseDecimal } from './bytes.ts';
import type { TreeHead } from './merkle.ts';
import type { VerifiedSignature } from './signed-note.ts';
import { ED25519, formatVkey, parseVkey, type Vkey } from './vkey.ts';

/**
 * A log that ended, since its key was revoked: somebody else may sign with it. What this says of it counts, not the signature alone.
 * `size` and `root` are of its last checkpoint.
 */
export interface EndedLog extends TreeHead {
  readonly key: Vkey;
  /** Seconds since 1970: when the key was revoked. */
  readonly endedAt: number;
  /** Entries of the last checkpoint that the quorum of the operator's policy has cosigned; 0: none. */
  readonly witnessedSize: number;
  readonly url?: string;
}

/** How a policy says that a log ended: a comment, so that readers which do not know it do not trust the log at all. */
const WORD = '#ended';

/**
 * Writes the line of a policy about a log that ended.
 *
 * @example
 * ```ts
 * import { formatEndedLog, vkeyOf } from '@touchstone/certificate/log';
 *
 * const key = await vkeyOf('a.example/log', new Uint8Array(32));
 * formatEndedLog({ key, endedAt: 5, size: 0, root: new Uint8Array(32), witnessedSize: 0 }).split(' ')[0]; // '#ended'
 * ```
 */
export function formatEndedLog({ key, endedAt, size, root, witnessedSize, url }: EndedLog): string {
  const items = [WORD, formatVkey(key), endedAt, size, encodeBase64(root), witnessedSize];
  return [...items, ...(url === undefined ? [] : [url])].join(' ');
}

/** Reads the items of such a line; `null` for any other comment. */
export async function parseEndedLog([word, ...items]: readonly string[]): Promise<EndedLog | null> {
  const [vkey = '', ...rest] = items;
  if (word !== WORD || rest.length < 4 || rest.length > 5) return null;
  const [seconds = '', decimal = '', encoded = '', cosigned = '', url] = rest;
  const key = await parseVkey(vkey);
  const [endedAt, size, witnessedSize] = [seconds, decimal, cosigned].map(parseDecimal);
  const root = decodeBase64(encoded);
  if (key?.type !== ED25519 || endedAt == null || size == null || witnessedSize == null) return null;
  if (root?.length !== HASH_BYTES || witnessedSize > size) return null;
  return { key, endedAt, size, root, witnessedSize, ...(url !== undefined && { url }) };
}

/**
 * Whether this is the last checkpoint of a log that ended.
 *
 * @example
 * ```ts
 * import { isLastHead, vkeyOf } from '@touchstone/certificate/log';
 *
 * const last = { size: 3, root: new Uint8Array(32) };
 * const key = await vkeyOf('a.example/log', new Uint8Array(32));
 * isLastHead({ key, endedAt: 5, ...last, witnessedSize: 0 }, last); // true
 * ```
 */
export function isLastHead(ended: EndedLog, { size, root }: TreeHead): boolean {
  return size === ended.size && areEqualBytes(root, ended.root);
}

/**
 * The signatures of a checkpoint that count after the end of its log. Its last checkpoint counts as before: the policy names it. Of others
 * only what witnesses say does, who cosign no tree that contradicts a larger one: up to the size that the quorum has cosigned, and before the
 * key was revoked.
 *
 * @returns those of witnesses only, unless it is the last
 */
export function signaturesThatCount(
  ended: EndedLog,
  head: TreeHead,
  signatures: readonly VerifiedSignature[],
): readonly VerifiedSignature[] {
  if (isLastHead(ended, head)) return signatures;
  if (head.size > ended.witnessedSize) return [];
  return signatures.filter(({ timestamp }) => timestamp !== undefined && timestamp <= ended.endedAt);
}
