import { readFile, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  ED25519,
  type EndedLog,
  formatEndedLog,
  formatVkey,
  parsePolicy,
  parseVkey,
  type Vkey,
} from '@touchstone/certificate/log';
import { usage } from '../../../cli-error.ts';
import { codeOf } from '../../../files.ts';
import type { Io } from '../../../io.ts';
import { readPolicy } from '../../../verify/log-policy.ts';
import type { ObservedLogs } from './witness.ts';
import { originHash, synchronize, writeSynchronized } from './witness-state.ts';

/** Most logs of one witness, so that nobody who names them can fill its disk. */
const MOST_LOGS = 1_000;

interface ReadLogs {
  readonly keys: readonly Vkey[];
  readonly ended: readonly EndedLog[];
}

/**
 * The logs that are listed in a file: one vkey a line, and for those that ended the line of the policy that says so. The file is read again when it has changed, so that logs can be added while the witness
 * runs.
 */
export function createObservedLogs(path: string): ObservedLogs {
  let read: ReadLogs & { readonly mtimeMs: number } = { mtimeMs: -1, keys: [], ended: [] };
  const current = async (): Promise<ReadLogs> => {
    const { mtimeMs } = await stat(path).catch(absentFile);
    if (mtimeMs !== read.mtimeMs) read = { mtimeMs, ...(await readLogs(path)) };
    return read;
  };
  return {
    keysOf: async (origin) => (await current()).keys.filter(({ name }) => name === origin),
    endOf: async (origin) => (await current()).ended.find(({ key }) => key.name === origin),
    originOf: async (hash) => (await current()).keys.find(({ name }) => originHash(name) === hash)?.name,
    count: async () => new Set((await current()).keys.map(({ name }) => name)).size,
  };
}

function absentFile(error: unknown): { readonly mtimeMs: number } {
  if (codeOf(error) === 'ENOENT') return { mtimeMs: -1 };
  throw error;
}

async function readLogs(path: string): Promise<ReadLogs> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return '';
    throw error;
  });
  const lines = text.split('\n').map((line) => line.trim());
  const comments = lines.filter((line) => line.startsWith('#')).join('\n');
  const policy = await parsePolicy(`${comments}\nquorum none\n`);
  return {
    keys: await Promise.all(lines.filter((line) => line !== '' && !line.startsWith('#')).map(logKeyOf)),
    ended: 'fault' in policy ? [] : (policy.ended ?? []),
  };
}

async function logKeyOf(text: string): Promise<Vkey> {
  const key = await parseVkey(text);
  if (key?.type === ED25519) return key;
  throw usage(
    `“${text}” is not the key of a log.`,
    'A key such as example.com/log+530d903a+AekyeRrm56hA…, or the file or address of a policy that names logs.',
  );
}

/** What a policy has changed. */
interface Added {
  readonly added: readonly Vkey[];
  /** Logs of which nothing but the last checkpoint is cosigned from now on. */
  readonly ended: readonly Vkey[];
}

/**
 * Adds logs to the file, and that some have ended. Only a policy at the host of a log can end it, or a file.
 *
 * @param named - vkeys, and files and addresses of policies
 * @throws CliError (usage) if one is no log, or a log is known with another key: only the operator of the witness may change that, by hand
 */
export async function addLogs(path: string, named: readonly string[], io: Io): Promise<Added> {
  const known = await readLogs(path);
  const added: Vkey[] = [];
  const policies = await Promise.all(named.map((one) => logsOf(one, io)));
  for (const key of policies.flatMap(({ keys }) => keys)) {
    const before = [...known.keys, ...added].filter(({ name }) => name === key.name);
    if (before.some(({ keyId }) => keyId === key.keyId)) continue;
    if (before.length > 0)
      throw usage(
        `${key.name} is known with another key than ${formatVkey(key)}.`,
        `If its operator has told you so, add that line to ${path} yourself.`,
      );
    added.push(key);
  }
  if (known.keys.length + added.length > MOST_LOGS) throw usage(`These are more than ${MOST_LOGS} logs.`);
  const ended = policies
    .flatMap((one) => one.ended)
    .filter(
      ({ key }) =>
        known.keys.some(({ name, keyId }) => name === key.name && keyId === key.keyId) &&
        !known.ended.some((one) => one.key.name === key.name),
    );
  if (added.length > 0 || ended.length > 0) {
    const before = await readFile(path, 'utf8').catch(() => '');
    const beside = `${path}.${process.pid}`;
    const whole = before === '' || before.endsWith('\n') ? before : `${before}\n`;
    const lines = [...added.map(formatVkey), ...ended.map(formatEndedLog)];
    await writeSynchronized(beside, `${whole}${lines.map((line) => `${line}\n`).join('')}`);
    await rename(beside, path);
    await synchronize(dirname(path));
  }
  return { added, ended: ended.map(({ key }) => key) };
}

async function logsOf(named: string, io: Io): Promise<ReadLogs> {
  const isAddress = /^https?:/i.test(named);
  if (!isAddress && named.includes('+')) return { keys: [await logKeyOf(named)], ended: [] };
  const { logs, ended = [] } = await readPolicy(named, io);
  const isOwn = ({ key }: EndedLog) => !isAddress || key.name.split('/')[0] === new URL(named).host;
  if (logs.length + ended.length === 0) throw usage(`The policy ${named} names no log.`);
  return {
    keys: await Promise.all(logs.map(({ key }) => logKeyOf(formatVkey(key)))),
    ended: ended.filter(isOwn),
  };
}
