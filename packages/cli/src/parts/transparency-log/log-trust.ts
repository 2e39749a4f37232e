import {
  type Checkpoint,
  formatVkey,
  LOG_REASONS,
  type Policy,
  parsePolicy,
  parseVkey,
  readCheckpoint,
  verifyCheckpoint,
} from '@touchstone/certificate/log';
import { isConfidential } from '@touchstone/fetch/credential';
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
  if (isAddress && URL.canParse(place) && !isConfidential(new URL(place)))
    throw usage(`Anybody on the way could change the keys of ${place}.`, 'Give its address with https://.');
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
export async function readSignedCheckpoint(
  source: LogSource,
  known: KnownKeys,
  io: Io,
): Promise<SignedCheckpoint> {
  const note = await source.checkpoint();
  const read = readCheckpoint(note);
  if (typeof read === 'string') throw new LogContradiction(`${source.place}/checkpoint is not a checkpoint.`);
  const { origin } = read.checkpoint;
  const { policy, keysFrom } = await policyFor(source, origin, known, io);
  const verified = await verifyCheckpoint(read, policy);
  if (verified === 'log_unknown' || verified === 'log_algorithm_unsupported')
    throw cannotTell('log_not_readable', `${origin}: ${LOG_REASONS[verified]}`);
  if (typeof verified === 'string')
    throw new LogContradiction(`The checkpoint of ${origin} is not signed by its key.`);
  const { checkpoint, witnesses, isQuorumMet } = verified;
  return {
    ...checkpoint,
    note,
    witnesses,
    ...(policy.quorum === undefined ? {} : { quorum: isQuorumMet }),
    keys: policy.logs.flatMap(({ key }) => (key.name === origin ? [formatVkey(key)] : [])),
    keysFrom,
  };
}

/** Whose keys count: those of a policy, or those of an earlier run. */
interface KnownKeys {
  readonly policy: Policy | undefined;
  readonly keysOf?: (origin: string) => readonly string[];
}

async function policyFor(
  source: LogSource,
  origin: string,
  { policy, keysOf }: KnownKeys,
  io: Io,
): Promise<{ readonly policy: Policy; readonly keysFrom: SignedCheckpoint['keysFrom'] }> {
  if (policy !== undefined) return { policy, keysFrom: 'policy' };
  const kept = await Promise.all((keysOf?.(origin) ?? []).map(parseVkey));
  const logs = kept.flatMap((key) => (key === null ? [] : [{ key }]));
  if (logs.length > 0) return { policy: { logs, witnesses: [] }, keysFrom: 'state' };
  if (!/^https?:/i.test(source.place))
    throw usage(`Whose key signs ${origin}?`, 'Name the policy that says so: --policy <file>');
  return { policy: await readPolicy(`${source.place.replace(/\/[^/]*$/, '')}/policy`, io), keysFrom: 'log' };
}
