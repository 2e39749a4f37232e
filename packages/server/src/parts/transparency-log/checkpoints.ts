import {
  type Checkpoint,
  formatCheckpoint,
  parseCheckpoint,
  parseNote,
  signNote,
  type Vkey,
  verifyNote,
  vkeyOf,
} from '@touchstone/certificate/log';
import type { LogKey, LogKeys } from '../../core/keys/open-log-keys.ts';
import type { Shard } from './shards.ts';

/** The public key of a log; `null` if the service has no such key. */
export async function keyOfShard(
  keys: LogKeys,
  { origin, kid }: Pick<Shard, 'origin' | 'kid'>,
): Promise<Vkey | null> {
  const key = (await keys.list()).find((one) => one.kid === kid);
  return key === undefined ? null : vkeyOfLog(origin, key);
}

export const vkeyOfLog = (origin: string, { publicJwk }: Pick<LogKey, 'publicJwk'>): Promise<Vkey> =>
  vkeyOf(origin, new Uint8Array(Buffer.from(publicJwk.x, 'base64url')));

/** Reads a checkpoint of a log; `null` unless the log has signed it. */
export async function readCheckpoint(
  text: string,
  origin: string,
  key: Vkey,
): Promise<Pick<Checkpoint, 'size' | 'root'> | null> {
  const note = parseNote(text);
  if (typeof note === 'string') return null;
  const verified = await verifyNote(note, [key]);
  const checkpoint = parseCheckpoint(note.text);
  if (typeof verified === 'string' || verified.length === 0 || typeof checkpoint === 'string') return null;
  return checkpoint.origin === origin ? checkpoint : null;
}

/** Signs a checkpoint; `null` if the key may not sign any more. */
export async function signCheckpoint(
  keys: LogKeys,
  shard: Pick<Shard, 'origin' | 'kid'>,
  head: Pick<Checkpoint, 'size' | 'root'>,
): Promise<string | null> {
  const [key, sign] = [await keyOfShard(keys, shard), await keys.signerOf(shard.kid)];
  if (key === null || sign === null) return null;
  const text = formatCheckpoint({ origin: shard.origin, extensions: [], ...head });
  return signNote(text, { name: key.name, keyId: key.keyId, sign });
}
