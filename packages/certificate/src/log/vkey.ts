import { concatBytes, decodeBase64, encodeBase64, webCryptoHash } from './bytes.ts';
import { isKeyName } from './key-name.ts';

/** Signature type of logs (signed-note). */
export const ED25519 = 0x01;

/** Signature type of witnesses: with a time, by Ed25519 (tlog-cosignature). */
export const COSIGNATURE_ED25519 = 0x04;

/** Signature type of witnesses by ML-DSA-44, which is not verified here. */
export const COSIGNATURE_ML_DSA_44 = 0x06;

/** Lengths of public keys by their type, in bytes, where the key id is computed from them. */
const KEY_BYTES: Readonly<Record<number, number>> = {
  [ED25519]: 32,
  [COSIGNATURE_ED25519]: 32,
  [COSIGNATURE_ML_DSA_44]: 1312,
};

/** A key that verifies notes. */
export interface Vkey {
  readonly name: string;
  readonly keyId: number;
  /** Signature type. */
  readonly type: number;
  readonly publicKey: Uint8Array<ArrayBuffer>;
}

/** A signature line of a note. */
export interface NoteSignature {
  readonly name: string;
  /** The first four bytes of the line's base64, big-endian. */
  readonly keyId: number;
  /** What follows the key id. */
  readonly signature: Uint8Array<ArrayBuffer>;
}

/** Makes signatures of notes. */
export interface NoteSigner {
  readonly name: string;
  readonly keyId: number;
  /** Ed25519 over these bytes. */
  sign(data: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>>;
}

/**
 * The signature primitive: whether `signature` over `data` was made with Ed25519 (RFC 8032) by this key, given as 32 bytes. Throws only if
 * it cannot work at all.
 */
export type VerifyEd25519 = (
  publicKey: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
  data: Uint8Array<ArrayBuffer>,
) => boolean | Promise<boolean>;

/** The signature primitive by WebCrypto. */
export const webCryptoEd25519: VerifyEd25519 = async (publicKey, signature, data) => {
  const key = await crypto.subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify']);
  return crypto.subtle.verify('Ed25519', key, signature, data);
};

/**
 * A key by its name and bytes, with its id.
 *
 * @param type - default: Ed25519, for logs; `COSIGNATURE_ED25519` for witnesses
 * @throws TypeError for a name that no key may have, or a key of another length
 * @example
 * ```ts
 * import { vkeyOf } from '@touchstone/certificate/log';
 *
 * (await vkeyOf('a.example/log', new Uint8Array(32))).type; // 1
 * ```
 */
export async function vkeyOf(
  name: string,
  publicKey: Uint8Array<ArrayBuffer>,
  type: number = ED25519,
): Promise<Vkey> {
  if (!isKeyName(name) || publicKey.length !== KEY_BYTES[type])
    throw new TypeError(`${JSON.stringify(name)} and ${publicKey.length} bytes are no key of notes`);
  const named = new TextEncoder().encode(`${name}\n`);
  const id = await webCryptoHash(concatBytes(named, Uint8Array.of(type), publicKey));
  return { name, keyId: new DataView(id.buffer).getUint32(0), type, publicKey };
}

/**
 * Parses a vkey: name, id, and type with public key, separated by plus. Types other than Ed25519 and cosignatures are kept as they are,
 * and verify nothing.
 *
 * @returns `null` for anything else, and where the id is not the one that follows from name and key
 * @example
 * ```ts
 * import { parseVkey } from '@touchstone/certificate/log';
 *
 * const key = await parseVkey('example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k');
 * key?.name; // 'example.com/foo'
 * ```
 */
export async function parseVkey(text: string): Promise<Vkey | null> {
  const [, name = '', id = '', encoded = ''] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(text) ?? [];
  const bytes = decodeBase64(encoded);
  if (!isKeyName(name) || bytes === null || bytes.length < 2) return null;
  const type = bytes[0] as number;
  const key = { name, keyId: Number.parseInt(id, 16), type, publicKey: bytes.slice(1) };
  const length = KEY_BYTES[type];
  if (length === undefined) return key;
  if (key.publicKey.length !== length) return null;
  const { keyId } = await vkeyOf(name, key.publicKey, type);
  return keyId === key.keyId ? key : null;
}

/**
 * Writes a vkey.
 *
 * @example
 * ```ts
 * import { formatVkey, parseVkey, vkeyOf } from '@touchstone/certificate/log';
 *
 * const key = await vkeyOf('a.example/log', new Uint8Array(32));
 * (await parseVkey(formatVkey(key)))?.name; // 'a.example/log'
 * ```
 */
export function formatVkey({ name, keyId, type, publicKey }: Vkey): string {
  const id = keyId.toString(16).padStart(8, '0');
  return `${name}+${id}+${encodeBase64(concatBytes(Uint8Array.of(type), publicKey))}`;
}
