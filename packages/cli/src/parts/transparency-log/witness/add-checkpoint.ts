import { type Checkpoint, type Note, parseCheckpoint, parseNote } from '@touchstone/certificate/log';

/** A request to cosign a checkpoint; nothing of it is verified. */
export interface AddCheckpoint {
  readonly oldSize: number;
  /** The consistency proof. */
  readonly proof: readonly Uint8Array[];
  readonly note: Note;
  readonly checkpoint: Checkpoint;
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
  const note = parseNote(text.slice(end + 2));
  if (typeof note === 'string') return `The checkpoint is not a signed note: ${note}.`;
  const checkpoint = parseCheckpoint(note.text);
  if (typeof checkpoint === 'string') return 'The note is not a checkpoint.';
  return { oldSize: Number(decimal), proof, note, checkpoint };
}
