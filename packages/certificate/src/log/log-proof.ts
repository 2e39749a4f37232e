import { decodeBase64, encodeBase64, HASH_BYTES, parseDecimal } from './bytes.ts';
import { MAX_NOTE_BYTES } from './signed-note.ts';

/** The first line of every proof. */
const FIRST_LINE = 'c2sp.org/tlog-proof@v1';

/** The most hashes of an inclusion proof. */
const MAX_HASHES = 64;

/** The largest proof, in characters: a checkpoint of the largest size, the hashes, and an entry of the largest size. */
export const MAX_LOG_PROOF_LENGTH = 2 * MAX_NOTE_BYTES + 90_000;

/** A proof that an entry is in a log (tlog-proof), not verified. */
export interface LogProof {
  /** Here: the bytes of the leaf. Not authenticated by itself. */
  readonly extra?: Uint8Array<ArrayBuffer>;
  /** Of the leaf, from 0. */
  readonly index: number;
  /** The inclusion proof, from the leaf's sibling to the child of the root. */
  readonly hashes: readonly Uint8Array[];
  /** The signed checkpoint, as the log published it. */
  readonly checkpoint: string;
}

/**
 * Parses a proof in the form of tlog-proof. Its checkpoint is another matter: `parseNote`.
 *
 * @example
 * ```ts
 * import { parseLogProof } from '@touchstone/certificate/log';
 *
 * parseLogProof('index 5'); // 'log_proof_malformed'
 * ```
 */
export function parseLogProof(text: string): LogProof | 'log_proof_malformed' {
  const end = text.indexOf('\n\n');
  if (end === -1 || text.length > MAX_LOG_PROOF_LENGTH) return 'log_proof_malformed';
  const [first, ...lines] = text.slice(0, end).split('\n');
  const extra = lines[0]?.startsWith('extra ') ? decodeBase64((lines.shift() as string).slice(6)) : undefined;
  const indexLine = lines.shift() ?? '';
  const index = indexLine.startsWith('index ') ? parseDecimal(indexLine.slice(6)) : null;
  const isWrong = first !== FIRST_LINE || extra === null || extra?.length === 0 || index === null;
  if (isWrong || lines.length > MAX_HASHES) return 'log_proof_malformed';
  const hashes = lines.map((line) => decodeBase64(line));
  if (!hashes.every((hash) => hash?.length === HASH_BYTES)) return 'log_proof_malformed';
  return {
    ...(extra && { extra }),
    index,
    hashes: hashes as Uint8Array[],
    checkpoint: text.slice(end + 2),
  };
}

/**
 * Writes a proof in the form of tlog-proof.
 *
 * @example
 * ```ts
 * import { formatLogProof } from '@touchstone/certificate/log';
 *
 * formatLogProof({ index: 5, hashes: [], checkpoint: '' }); // 'c2sp.org/tlog-proof@v1\nindex 5\n\n'
 * ```
 */
export function formatLogProof({ extra, index, hashes, checkpoint }: LogProof): string {
  const lines = [
    FIRST_LINE,
    ...(extra === undefined ? [] : [`extra ${encodeBase64(extra)}`]),
    `index ${index}`,
    ...hashes.map((hash) => encodeBase64(hash)),
  ];
  return `${lines.join('\n')}\n\n${checkpoint}`;
}
