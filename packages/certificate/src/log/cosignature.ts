import { concatBytes } from './bytes.ts';
import type { NoteSignature, NoteSigner } from './vkey.ts';

/** Bytes of the time before the signature of a cosignature. */
export const TIMESTAMP_BYTES = 8;

/**
 * What a witness signs of a checkpoint (tlog-cosignature, Ed25519): that this is the largest tree of the log which it has seen at this
 * time.
 *
 * @param text - of the checkpoint's note, with its final newline
 * @param timestamp - seconds since 1970
 * @example
 * ```ts
 * import { cosignedMessage } from '@touchstone/certificate/log';
 *
 * new TextDecoder().decode(cosignedMessage('text\n', 5)); // 'cosignature/v1\ntime 5\ntext\n'
 * ```
 */
export function cosignedMessage(text: string, timestamp: number): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`cosignature/v1\ntime ${timestamp}\n${text}`);
}

/**
 * Makes the signature line of a witness for a checkpoint.
 *
 * @param text - of the checkpoint's note
 * @param timestamp - seconds since 1970
 * @param signer - name and id of the witness's key, of the type `COSIGNATURE_ED25519`
 * @example
 * ```ts
 * import { cosign } from '@touchstone/certificate/log';
 *
 * const signer = { name: 'w.example', keyId: 1, sign: () => new Uint8Array(64) };
 * (await cosign('text\n', 5, signer)).signature.length; // 72
 * ```
 */
export async function cosign(text: string, timestamp: number, signer: NoteSigner): Promise<NoteSignature> {
  const { name, keyId } = signer;
  const time = new Uint8Array(TIMESTAMP_BYTES);
  new DataView(time.buffer).setBigUint64(0, BigInt(timestamp));
  const signature = await signer.sign(cosignedMessage(text, timestamp));
  return { name, keyId, signature: concatBytes(time, signature) };
}

/** The time of a cosignature; `null` if there is none, or it is later than any clock shows. */
export function readTimestamp(signature: Uint8Array<ArrayBuffer>): number | null {
  if (signature.length < TIMESTAMP_BYTES) return null;
  const timestamp = Number(new DataView(signature.buffer, signature.byteOffset).getBigUint64(0));
  return Number.isSafeInteger(timestamp) ? timestamp : null;
}
