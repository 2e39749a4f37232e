import { randomBytes } from 'node:crypto';
import { link, open, readFile, stat, unlink } from 'node:fs/promises';
import type { Seal } from '../../platform/crypto/seal.ts';
import type { Database } from '../../platform/database/database.ts';
import { StartError } from '../../platform/lifecycle/start-error.ts';

const KEY_BYTES = 32;
/** Permissions that a mounted secret never needs: any for others, and write or execute for the group. */
const TOO_OPEN = 0o037;

export interface MasterKeyRequest {
  readonly path: string;
  /** Whether the database has sealed private keys, which a new master key could not decrypt. */
  readonly keysPresent: boolean;
  /** False if the operator named the file: then a missing file is a mistake, not a first start. */
  readonly mayCreate: boolean;
}

/** Refuses the start; `message` says what to supply. */
export class MasterKeyError extends StartError {}

/**
 * The key that encrypts the private keys in the database.
 *
 * @param place - `named`: the operator chose it, so that a missing file is a mistake, not a first start
 * @throws MasterKeyError saying what to supply
 */
export async function findMasterKey(
  db: Database,
  { path, named }: { readonly path: string; readonly named: boolean },
): Promise<Uint8Array> {
  const sealed = await db
    .selectFrom('signing_keys')
    .select('kid')
    .where('private_key', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return openMasterKey({ path, keysPresent: sealed !== undefined, mayCreate: !named });
}

/**
 * Reads the master key (32 bytes), or generates it (mode 0600) if there is nothing to decrypt yet.
 * The file contains the raw bytes, 64 hex digits, or base64.
 *
 * @throws MasterKeyError when it is missing though keys are present, unreadable, malformed, or open to others
 */
export async function openMasterKey(request: MasterKeyRequest): Promise<Buffer> {
  const present = await readKeyFile(request.path);
  if (present !== null) return present;
  if (request.keysPresent) {
    throw new MasterKeyError(
      `The database holds signing keys, but their master key is not at ${request.path}: copy the file there from ` +
        'the node that made it, or set TOUCHSTONE_MASTER_KEY_FILE to where it is',
    );
  }
  if (!request.mayCreate) throw missing(request.path);
  await createKeyFile(request.path);
  const created = await readKeyFile(request.path);
  if (created === null)
    throw new MasterKeyError(`The master key at ${request.path} vanished while it was made`);
  return created;
}

/**
 * The master key at the place that the operator chose.
 *
 * @throws MasterKeyError when it is missing, unreadable, malformed, or open to others
 */
export async function readNamedMasterKey(path: string): Promise<Buffer> {
  const present = await readKeyFile(path);
  if (present === null) throw missing(path);
  return present;
}

function missing(path: string): MasterKeyError {
  return new MasterKeyError(
    `There is no master key at ${path} (TOUCHSTONE_MASTER_KEY_FILE): copy the file of the node that made it; ` +
      'for a new service make one with "openssl rand -hex 32", mode 0600, the same on every node',
  );
}

async function readKeyFile(path: string): Promise<Buffer | null> {
  let bytes: Buffer;
  let mode: number;
  try {
    mode = (await stat(path)).mode & 0o777;
    bytes = await readFile(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw new MasterKeyError(`The master key at ${path} cannot be read (${codeOf(error) ?? String(error)})`);
  }
  if ((mode & TOO_OPEN) !== 0) {
    throw new MasterKeyError(
      `The master key at ${path} is open to others (mode ${mode.toString(8).padStart(4, '0')}): run "chmod 600 ${path}"`,
    );
  }
  const key = decode(bytes);
  if (key === null) {
    throw new MasterKeyError(
      `The master key at ${path} must be ${KEY_BYTES} bytes: raw, 64 hex digits, or base64`,
    );
  }
  return key;
}

function decode(bytes: Buffer): Buffer | null {
  if (bytes.byteLength === KEY_BYTES) return bytes;
  const text = bytes.toString('latin1').trim();
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return Buffer.from(text, 'base64');
  return null;
}

/** Writes the file atomically, by a link, so that the first of two processes wins. */
async function createKeyFile(path: string): Promise<void> {
  const aside = `${path}.${randomBytes(6).toString('hex')}`;
  const file = await open(aside, 'wx', 0o600);
  try {
    await file.writeFile(`${randomBytes(KEY_BYTES).toString('hex')}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    await link(aside, path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    await unlink(aside);
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/**
 * Checks that the master key is the one under which private keys in the database were sealed: it opens at least one. Others may
 * have been written by somebody else.
 *
 * @throws MasterKeyError
 */
export async function requireMasterKeyOpens(db: Database, seal: Seal): Promise<void> {
  const rows = await db
    .selectFrom('signing_keys')
    .select(['kid', 'private_key'])
    .where('private_key', 'is not', null)
    .orderBy('created_at')
    .execute();
  const opens = rows.some(({ kid, private_key: sealed }) => sealed !== null && isOpenedBy(seal, kid, sealed));
  if (rows.length === 0 || opens) return;
  throw new MasterKeyError(
    `The master key is not the one that sealed the signing key ${rows[0]?.kid}: supply the file of the node that made it ` +
      '(TOUCHSTONE_MASTER_KEY_FILE), the same on every node',
  );
}

function isOpenedBy(seal: Seal, kid: string, sealed: Uint8Array): boolean {
  try {
    seal.open(kid, sealed);
    return true;
  } catch {
    return false;
  }
}
