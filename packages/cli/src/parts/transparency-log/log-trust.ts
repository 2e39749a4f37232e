import {
  type Checkpoint,
  type EndedLog,
  formatVkey,
  LOG_REASONS,
  type Policy,
  parseVkey,
  readCheckpoint,
  verifyCheckpoint,
} from '@touchstone/certificate/log';
import { cannotTell, usage } from '../../cli-error.ts';
import type { Io } from '../../io.ts';
import { readPolicy } from '../../verify/log-policy.ts';
import type { LogSource } from '../../verify/log-source.ts';
import { LogContradiction } from './verified-tiles.ts';

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
  /** The log has ended, says the policy, with this checkpoint or a later one. */
  readonly ended?: EndedLog;
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
  if (verified === 'log_unknown')
    throw cannotTell(
      'log_not_readable',
      `The policy does not name the log ${origin}.`,
      'If it followed a log that ended, or is that of a new year, get the policy of the service again, and compare the keys with another source.',
    );
  if (verified === 'log_algorithm_unsupported')
    throw cannotTell('log_not_readable', `${origin}: ${LOG_REASONS[verified]}`);
  if (verified === 'log_ended')
    throw new LogContradiction(
      `${origin} has ended, and this is not its last checkpoint: whoever has the revoked key could sign it.`,
    );
  if (typeof verified === 'string')
    throw new LogContradiction(`The checkpoint of ${origin} is not signed by its key.`);
  const { checkpoint, witnesses, isQuorumMet, ended } = verified;
  return {
    ...checkpoint,
    note,
    witnesses,
    ...(policy.quorum === undefined ? {} : { quorum: isQuorumMet }),
    ...(ended === undefined ? {} : { ended }),
    keys: [...policy.logs, ...(policy.ended ?? [])].flatMap(({ key }) =>
      key.name === origin ? [formatVkey(key)] : [],
    ),
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
