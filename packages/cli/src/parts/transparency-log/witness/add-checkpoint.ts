import { type ReadCheckpoint, readCheckpoint } from '@touchstone/certificate/log';

/** A request to cosign a checkpoint; nothing of it is verified. */
export interface AddCheckpoint extends ReadCheckpoint {
  readonly oldSize: number;
  /** The consistency proof. */
  readonly proof: readonly Uint8Array[];
}

/** The most hashes of a proof. */
const MAX_HASHES = 63;

/**
 * Parses the body of add-checkpoint (c2sp.org/tlog-witness).
 *
 * @returns what is wrong with it, as a sentence
 */
export function parseAddCheckpoint(body: Uint8Array): AddCheckpoint | string {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return 'The request is not UTF-8.';
  }
  const end = text.indexOf('\n\n');
  if (end === -1) return 'The request has no empty line.';
  const [first = '', ...lines] = text.slice(0, end).split('\n');
  const [, decimal] = /^old (0|[1-9]\d{0,15})$/.exec(first) ?? [];
  if (decimal === undefined || !Number.isSafeInteger(Number(decimal)))
    return 'The first line is not “old <size>”.';
  if (lines.length > MAX_HASHES) return `The proof has more than ${MAX_HASHES} hashes.`;
  const proof = lines.map((line) => Buffer.from(line, 'base64'));
  if (proof.some((hash, at) => hash.length !== 32 || hash.toString('base64') !== lines[at]))
    return 'The proof has a line that is no hash.';
  const read = readCheckpoint(text.slice(end + 2));
  if (typeof read === 'string') return `The checkpoint cannot be read: ${read}.`;
  return { oldSize: Number(decimal), proof, ...read };
}
