import {
  type Checkpoint,
  formatVkey,
  type Policy,
  parseCheckpoint,
  parseNote,
  parsePolicy,
  parseVkey,
  quorumMet,
  type Vkey,
  verifyNote,
} from '@touchstone/certificate/log';
import { cannotTell, usage } from '../../cli-error.ts';
import { readInput } from '../../files.ts';
import type { Io } from '../../io.ts';
import { fetchBytes, type LogSource } from './log-source.ts';
import { LogContradiction } from './verified-tiles.ts';

const POLICY_LIMIT = 65_536;

/** A checkpoint that is signed by its log. */
export interface SignedCheckpoint extends Checkpoint {
  /** The whole note. */
  readonly note: string;
  /** Names of the witnesses of the policy that have cosigned. */
  readonly witnesses: readonly string[];
  /** Absent if the policy requires no witness. */
  readonly quorum?: boolean;
  /** The keys that were trusted for the log, as vkeys. */
  readonly keys: readonly string[];
  /** Who named them. */
  readonly keysFrom: 'policy' | 'state' | 'log';
}

/**
 * Reads a policy from a file or an address.
 *
 * @throws CliError (usage) if it is none
 */
export async function readPolicy(place: string, io: Io): Promise<Policy> {
  const isAddress = /^https?:/i.test(place);
  const bytes = isAddress
    ? await fetchBytes(place, POLICY_LIMIT, io)
    : await readInput(place, io, POLICY_LIMIT);
  if (bytes === undefined) throw usage(`There is no policy at ${place}.`);
  const policy = await parsePolicy(bytes);
  if (!('fault' in policy)) return policy;
  throw usage(
    `${place} is not a policy: ${policy.fault}${policy.line === undefined ? '' : `, line ${policy.line}`}.`,
  );
}

/**
 * Reads the newest checkpoint of a log, and verifies its signatures by the keys of the policy; without a policy by those of an earlier run, or
 * else by those that the log itself names.
 *
 * @throws LogContradiction if it is not signed by its log; CliError if no key is known, or it cannot be read
 */
export async function readCheckpoint(
  source: LogSource,
  known: { readonly policy?: Policy | undefined; readonly keysOf?: (origin: string) => readonly string[] },
  io: Io,
): Promise<SignedCheckpoint> {
  const whole = await source.checkpoint();
  const note = parseNote(whole);
  const checkpoint = typeof note === 'string' ? note : parseCheckpoint(note.text);
  if (typeof note === 'string' || typeof checkpoint === 'string')
    throw new LogContradiction(`${source.place}/checkpoint is not a checkpoint.`);
  const { policy, keys, keysFrom } = await keysFor(source, checkpoint.origin, known, io);
  const witnesses = policy?.witnesses ?? [];
  const verified = await verifyNote(note, [...keys, ...witnesses.map(({ key }) => key)]);
  if (typeof verified === 'string' || !verified.some(({ key }) => keys.includes(key)))
    throw new LogContradiction(`The checkpoint of ${checkpoint.origin} is not signed by its key.`);
  const names = witnesses.flatMap(({ name, key }) => (verified.some((one) => one.key === key) ? [name] : []));
  return {
    ...checkpoint,
    note: whole,
    witnesses: names,
    ...(policy?.quorum === undefined ? {} : { quorum: quorumMet(policy, new Set(names)) }),
    keys: keys.map(formatVkey),
    keysFrom,
  };
}

interface Keys {
  readonly policy: Policy | undefined;
  readonly keys: readonly Vkey[];
  readonly keysFrom: SignedCheckpoint['keysFrom'];
}

async function keysFor(
  source: LogSource,
  origin: string,
  {
    policy,
    keysOf,
  }: { readonly policy?: Policy | undefined; readonly keysOf?: (origin: string) => readonly string[] },
  io: Io,
): Promise<Keys> {
  const of = ({ logs }: Policy) => logs.flatMap(({ key }) => (key.name === origin ? [key] : []));
  if (policy !== undefined) {
    const keys = of(policy);
    if (keys.length === 0) throw cannotTell('log_not_readable', `The policy has no key of ${origin}.`);
    return { policy, keys, keysFrom: 'policy' };
  }
  const kept = await Promise.all((keysOf?.(origin) ?? []).map(parseVkey));
  const keys = kept.filter((key) => key !== null);
  if (keys.length > 0) return { policy, keys, keysFrom: 'state' };
  if (!/^https?:/i.test(source.place))
    throw usage(`Whose key signs ${origin}?`, 'Name the policy that says so: --policy <file>');
  const own = await readPolicy(`${source.place.replace(/\/[^/]*$/, '')}/policy`, io);
  if (of(own).length === 0) throw cannotTell('log_not_readable', `${origin} does not name its key.`);
  return { policy: own, keys: of(own), keysFrom: 'log' };
}
