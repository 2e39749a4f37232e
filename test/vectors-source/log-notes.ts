import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { ISSUED_AT } from './tokens.ts';

// written from C2SP and RFC 6962 alone, without the functions that the vectors test

export const sha256 = (...parts: readonly Uint8Array[]) =>
  createHash('sha256').update(Buffer.concat(parts)).digest();
export const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
export const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');

export interface NoteKey {
  readonly name: string;
  readonly id: Buffer;
  readonly vkey: string;
  readonly privateKey: KeyObject;
}

export function vkeyOf(
  name: string,
  type: number,
  publicKey: Uint8Array,
  idOf = type,
): { id: Buffer; vkey: string } {
  const id = sha256(Buffer.from(`${name}\n`), Buffer.of(idOf), publicKey).subarray(0, 4);
  return { id, vkey: `${name}+${id.toString('hex')}+${base64(Buffer.concat([Buffer.of(type), publicKey]))}` };
}

export function noteKey(name: string, type: number, pair = generateKeyPairSync('ed25519')): NoteKey {
  const publicKey = pair.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  return { name, ...vkeyOf(name, type, publicKey), privateKey: pair.privateKey };
}

export const lineOf = ({ name, id }: Pick<NoteKey, 'name' | 'id'>, ...signature: readonly Uint8Array[]) =>
  `— ${name} ${base64(Buffer.concat([id, ...signature]))}\n`;
export const logLine = (text: string, key: NoteKey) =>
  lineOf(key, sign(null, Buffer.from(text), key.privateKey));

export function cosignature(text: string, key: NoteKey, time: number, told = time): string {
  const message = Buffer.from(`cosignature/v1\ntime ${time}\n${text}`);
  const stamp = Buffer.alloc(8);
  stamp.writeBigUInt64BE(BigInt(told));
  return lineOf(key, stamp, sign(null, message, key.privateKey));
}

/** The tree of RFC 6962, section 2.1, and the path of a leaf. */
export const leafHash = (entry: Uint8Array) => sha256(Buffer.of(0), entry);
export const half = (length: number) => 2 ** Math.ceil(Math.log2(length) - 1);
export function rootOf(entries: readonly Uint8Array[]): Buffer {
  if (entries.length <= 1) return entries[0] === undefined ? sha256() : leafHash(entries[0]);
  const middle = half(entries.length);
  return sha256(Buffer.of(1), rootOf(entries.slice(0, middle)), rootOf(entries.slice(middle)));
}
export function pathOf(entries: readonly Uint8Array[], index: number): Buffer[] {
  if (entries.length <= 1) return [];
  const middle = half(entries.length);
  return index < middle
    ? [...pathOf(entries.slice(0, middle), index), rootOf(entries.slice(middle))]
    : [...pathOf(entries.slice(middle), index - middle), rootOf(entries.slice(0, middle))];
}

export const ORIGIN = 'certificates.example/api/v1/mc4p/log/2026';
export const T = ISSUED_AT + 60;
export const bodyOf = (size: number | string, root: Uint8Array, origin = ORIGIN) =>
  `${origin}\n${size}\n${base64(root)}\n`;
