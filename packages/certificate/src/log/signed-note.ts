import { decodeBase64, encodeBase64 } from './bytes.ts';
import { cosignedMessage, readTimestamp, TIMESTAMP_BYTES } from './cosignature.ts';
import { isKeyName, isNoteText } from './key-name.ts';
import {
  COSIGNATURE_ED25519,
  ED25519,
  type NoteSignature,
  type NoteSigner,
  type VerifyEd25519,
  type Vkey,
  webCryptoEd25519,
} from './vkey.ts';

/** The largest note, in bytes of UTF-8. */
export const MAX_NOTE_BYTES = 65_536;

/** The most signatures that a note may have. */
export const MAX_NOTE_SIGNATURES = 100;

/** A note (signed-note), not verified. */
export interface Note {
  /** What is signed, with its final newline. */
  readonly text: string;
  /** One or more. */
  readonly signatures: readonly NoteSignature[];
}

/** A signature of a note that is valid, by its key. */
export interface VerifiedSignature {
  readonly key: Vkey;
  /** When it was made, in seconds since 1970; only cosignatures have it. */
  readonly timestamp?: number;
}

const LINE = /^— ([^ ]+) ([^ ]+)$/;

/**
 * Parses a note (signed-note). Which signatures are valid, `verifyNote` tells.
 *
 * @example
 * ```ts
 * import { parseNote } from '@touchstone/certificate/log';
 *
 * parseNote('no signatures\n'); // 'note_malformed'
 * ```
 */
export function parseNote(text: string): Note | 'note_malformed' | 'note_too_large' {
  if (text.length > MAX_NOTE_BYTES || new TextEncoder().encode(text).length > MAX_NOTE_BYTES)
    return 'note_too_large';
  const end = text.lastIndexOf('\n\n');
  if (end === -1 || !text.endsWith('\n') || !isNoteText(text)) return 'note_malformed';
  const lines = text.slice(end + 2, -1).split('\n');
  if (lines.length > MAX_NOTE_SIGNATURES) return 'note_too_large';
  const signatures: NoteSignature[] = [];
  for (const line of lines) {
    const [, name = '', encoded = ''] = LINE.exec(line) ?? [];
    const bytes = decodeBase64(encoded);
    if (!isKeyName(name) || bytes === null || bytes.length < 5) return 'note_malformed';
    const keyId = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
    signatures.push({ name, keyId, signature: bytes.slice(4) });
  }
  return { text: text.slice(0, end + 1), signatures };
}

/**
 * Writes a note.
 *
 * @example
 * ```ts
 * import { formatNote } from '@touchstone/certificate/log';
 *
 * const signatures = [{ name: 'a.example', keyId: 1, signature: Uint8Array.of(1) }];
 * formatNote({ text: 'text\n', signatures }); // 'text\n\n— a.example AAAAAQE=\n'
 * ```
 */
export function formatNote({ text, signatures }: Note): string {
  const lines = signatures.map(({ name, keyId, signature }) => {
    const bytes = new Uint8Array(4 + signature.length);
    new DataView(bytes.buffer).setUint32(0, keyId);
    bytes.set(signature, 4);
    return `— ${name} ${encodeBase64(bytes)}\n`;
  });
  return `${text}\n${lines.join('')}`;
}

/**
 * Verifies the signatures of known keys: Ed25519, and cosignatures by Ed25519. Those of other keys are ignored, also other signatures
 * under a known name.
 *
 * @returns the valid signatures, in the order of the note, none twice for a key; `note_signature_invalid` if one of a known key is wrong:
 *   then nothing of the note counts
 * @throws only what the signature primitive throws if it cannot work at all
 * @example
 * ```ts
 * import { verifyNote } from '@touchstone/certificate/log';
 *
 * await verifyNote({ text: 'text\n', signatures: [] }, []); // []
 * ```
 */
export async function verifyNote(
  note: Note,
  keys: readonly Vkey[],
  verifyEd25519: VerifyEd25519 = webCryptoEd25519,
): Promise<readonly VerifiedSignature[] | 'note_signature_invalid'> {
  const verified = new Map<Vkey, VerifiedSignature>();
  for (const { name, keyId, signature } of note.signatures) {
    const key = keys.find((one) => one.name === name && one.keyId === keyId && isUsable(one));
    if (key === undefined) continue;
    const signed = signedBy(key, note.text, signature);
    if (signed === null || !(await verifyEd25519(key.publicKey, signed.signature, signed.message)))
      return 'note_signature_invalid';
    if (!verified.has(key))
      verified.set(key, { key, ...(signed.timestamp !== undefined && { timestamp: signed.timestamp }) });
  }
  return [...verified.values()];
}

/** Whether signatures of this kind can be verified; others are ignored, as those of unknown keys. */
function isUsable({ type }: Vkey): boolean {
  return type === ED25519 || type === COSIGNATURE_ED25519;
}

interface Signed {
  readonly signature: Uint8Array<ArrayBuffer>;
  readonly message: Uint8Array<ArrayBuffer>;
  readonly timestamp?: number;
}

function signedBy({ type }: Vkey, text: string, signature: Uint8Array<ArrayBuffer>): Signed | null {
  if (type === ED25519) return { signature, message: new TextEncoder().encode(text) };
  const timestamp = readTimestamp(signature);
  if (timestamp === null) return null;
  return {
    signature: signature.slice(TIMESTAMP_BYTES),
    message: cosignedMessage(text, timestamp),
    timestamp,
  };
}

/**
 * Signs a text by each signer.
 *
 * @param text - ends with a newline
 * @returns the note
 * @throws TypeError if no reader would accept it
 * @example
 * ```ts
 * import { signNote, vkeyOf } from '@touchstone/certificate/log';
 *
 * const { privateKey, publicKey } = (await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])) as CryptoKeyPair;
 * const raw = new Uint8Array(await crypto.subtle.exportKey('raw', publicKey));
 * const { name, keyId } = await vkeyOf('example.com/foo', raw);
 * const sign = async (data: Uint8Array<ArrayBuffer>) => new Uint8Array(await crypto.subtle.sign('Ed25519', privateKey, data));
 * (await signNote('This is an example message.\n', { name, keyId, sign })).split('\n')[0]; // 'This is an example message.'
 * ```
 */
export async function signNote(text: string, ...signers: readonly NoteSigner[]): Promise<string> {
  const data = new TextEncoder().encode(text);
  const signatures = await Promise.all(
    signers.map(async ({ name, keyId, sign }) => ({ name, keyId, signature: await sign(data) })),
  );
  const note = formatNote({ text, signatures });
  const parsed = parseNote(note);
  if (typeof parsed === 'string' || parsed.text !== text)
    throw new TypeError('this text and these signatures are no note');
  return note;
}
