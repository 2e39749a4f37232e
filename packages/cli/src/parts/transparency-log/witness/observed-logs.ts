import { readFile, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ED25519, formatVkey, parseVkey, type Vkey } from '@touchstone/certificate/log';
import { usage } from '../../../cli-error.ts';
import { codeOf } from '../../../files.ts';
import type { Io } from '../../../io.ts';
import { readPolicy } from '../../../verify/log-policy.ts';
import type { ObservedLogs } from './witness.ts';
import { originHash, synchronize, writeSynchronized } from './witness-state.ts';

/** Most logs of one witness, so that nobody who names them can fill its disk. */
const MOST_LOGS = 1_000;

/**
 * The logs that are listed in a file: one vkey a line. The file is read again when it has changed, so that logs can be added while the witness
 * runs.
 */
export function createObservedLogs(path: string): ObservedLogs {
  let read: { readonly mtimeMs: number; readonly keys: readonly Vkey[] } = { mtimeMs: -1, keys: [] };
  const current = async (): Promise<readonly Vkey[]> => {
    const { mtimeMs } = await stat(path).catch(absentFile);
    if (mtimeMs !== read.mtimeMs) read = { mtimeMs, keys: await readLogs(path) };
    return read.keys;
  };
  return {
    keysOf: async (origin) => (await current()).filter(({ name }) => name === origin),
    originOf: async (hash) => (await current()).find(({ name }) => originHash(name) === hash)?.name,
    count: async () => new Set((await current()).map(({ name }) => name)).size,
  };
}

function absentFile(error: unknown): { readonly mtimeMs: number } {
  if (codeOf(error) === 'ENOENT') return { mtimeMs: -1 };
  throw error;
}

async function readLogs(path: string): Promise<readonly Vkey[]> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return '';
    throw error;
  });
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return Promise.all(lines.map((line) => logKeyOf(line.trim())));
}

async function logKeyOf(text: string): Promise<Vkey> {
  const key = await parseVkey(text);
  if (key?.type === ED25519) return key;
  throw usage(
    `“${text}” is not the key of a log.`,
    'A key such as example.com/log+530d903a+AekyeRrm56hA…, or the file or address of a policy that names logs.',
  );
}

/**
 * Adds logs to the file.
 *
 * @param named - vkeys, and files and addresses of policies
 * @returns the logs that are new
 * @throws CliError (usage) if one is no log, or a log is known with another key: only the operator of the witness may change that, by hand
 */
export async function addLogs(path: string, named: readonly string[], io: Io): Promise<readonly Vkey[]> {
  const known = await readLogs(path);
  const added: Vkey[] = [];
  for (const key of (await Promise.all(named.map((one) => logsOf(one, io)))).flat()) {
    const before = [...known, ...added].filter(({ name }) => name === key.name);
    if (before.some(({ keyId }) => keyId === key.keyId)) continue;
    if (before.length > 0)
      throw usage(
        `${key.name} is known with another key than ${formatVkey(key)}.`,
        `If its operator has told you so, add that line to ${path} yourself.`,
      );
    added.push(key);
  }
  if (known.length + added.length > MOST_LOGS) throw usage(`These are more than ${MOST_LOGS} logs.`);
  if (added.length > 0) {
    const before = await readFile(path, 'utf8').catch(() => '');
    const beside = `${path}.${process.pid}`;
    const ended = before === '' || before.endsWith('\n') ? before : `${before}\n`;
    await writeSynchronized(beside, `${ended}${added.map((key) => `${formatVkey(key)}\n`).join('')}`);
    await rename(beside, path);
    await synchronize(dirname(path));
  }
  return added;
}

async function logsOf(named: string, io: Io): Promise<readonly Vkey[]> {
  if (!/^https?:/i.test(named) && named.includes('+')) return [await logKeyOf(named)];
  const { logs } = await readPolicy(named, io);
  if (logs.length === 0) throw usage(`The policy ${named} names no log.`);
  return Promise.all(logs.map(({ key }) => logKeyOf(formatVkey(key))));
}
