import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { usage } from '../../../cli-error.ts';
import { codeOf } from '../../../files.ts';
import { synchronize, writeSynchronized } from './witness-state.ts';

/** The Ed25519 key of a witness. */
export interface WitnessKey {
  readonly name: string;
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  /** An Ed25519 signature. */
  sign(message: Uint8Array): Uint8Array;
}

/** PKCS #8 of an Ed25519 key, but for its 32 bytes (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
/** The first line of a key file, before the name. */
const HEADER = 'touchstone witness key ';

/**
 * Makes a key, and writes it where only its owner can read it. An existing file is never replaced.
 *
 * @throws CliError (usage) if there is a file, or the name is none for signed notes
 */
export async function makeWitnessKey(path: string, name: string): Promise<WitnessKey> {
  if (!/^[^\s+\p{Z}\p{Cc}]{1,255}$/u.test(name))
    throw usage(
      `A witness cannot be called “${name}”: the name has no spaces and no “+”.`,
      'Such as witness.example/w1',
    );
  const { privateKey } = generateKeyPairSync('ed25519');
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(PKCS8.length);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeSynchronized(path, `${HEADER}${name}\n${seed.toString('base64')}\n`).catch((error: unknown) => {
    throw codeOf(error) === 'EEXIST' ? usage(`${path} exists already.`) : error;
  });
  await synchronize(dirname(path));
  return keyOf(name, privateKey);
}

/** @throws CliError (usage) if the file is none of `makeWitnessKey`; `undefined` if there is none */
export async function readWitnessKey(path: string): Promise<WitnessKey | undefined> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const [first = '', second = ''] = text.split('\n');
  const seed = Buffer.from(second, 'base64');
  if (!first.startsWith(HEADER) || seed.length !== 32) throw usage(`${path} is not the key of a witness.`);
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  return keyOf(first.slice(HEADER.length), privateKey);
}

function keyOf(name: string, privateKey: KeyObject): WitnessKey {
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  return {
    name,
    publicKey: Buffer.from(x, 'base64url'),
    sign: (message) => sign(null, message, privateKey),
  };
}
