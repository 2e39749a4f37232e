import { basename, dirname } from 'node:path';
import {
  type Checkpoints,
  createCheckpoints,
  type ForkEvidence,
  type LogFinding,
  type Loggable,
  logFinding,
  logProofOf,
  type Policy,
  parseLogProof,
  verifyLogProof,
  withLog,
} from '@touchstone/certificate/log';
import { Option } from 'commander';
import { usage } from '../cli-error.ts';
import { readInput } from '../files.ts';
import type { Io } from '../io.ts';
import { reasonOf } from '../problem.ts';
import { baseAddress } from '../settings.ts';
import { readPolicy } from './log-policy.ts';
import { logAt } from './log-source.ts';

export interface LogOptions {
  readonly log?: string;
  readonly logRequired?: boolean;
  readonly logCheckpoints?: string;
}

/** Options on whether a proof is in a transparency log. */
export function logOptions(): Option[] {
  return [
    new Option(
      '--log <policy>',
      'verify what a certificate says about its place in a transparency log, by this tlog-policy: a file or an address',
    ),
    new Option(
      '--log-required',
      'undecided unless it is logged, and confirmed by the witnesses of the policy',
    ),
    new Option(
      '--log-checkpoints <file>',
      'compare the log with what it showed before, and keep that in this file; reads tiles at the addresses in the policy',
    ),
  ];
}

/** Tells of results whether their proofs are logged. */
export type TellLog = <R extends Loggable>(result: R, document: unknown) => Promise<R>;

/** Bytes of a file of checkpoints. */
const FILE_LIMIT = 20_000_000;

/**
 * Prepares to verify what certificates say about their place in a log. Without a policy nothing is looked at, nor told.
 *
 * @throws CliError (usage) for a policy or a file of checkpoints that cannot be read
 */
export async function readLog(options: LogOptions, io: Io): Promise<TellLog> {
  const { log: place, logRequired, logCheckpoints: file } = options;
  if (place === undefined) {
    if (logRequired === true || file !== undefined)
      throw usage(
        '--log-required and --log-checkpoints need the policy of logs and witnesses: --log <policy>',
      );
    return async (result) => result;
  }
  const policy = await readPolicy(place, io);
  const seen = file === undefined ? undefined : await readCheckpoints(file, io);
  return async (result, document) => {
    const found = await verifyLogProof(document, undefined, { policy });
    const finding =
      seen === undefined || file === undefined
        ? found
        : await compared(found, document, { policy, seen, file, io });
    return withLog(result, finding, logRequired === true ? 'required' : 'ifPresent');
  };
}

interface Comparing {
  readonly policy: Policy;
  readonly seen: Checkpoints;
  readonly file: string;
  readonly io: Io;
}

/** A proof of which the checkpoint contradicts what the log showed before proves nothing; both notes are kept. */
async function compared(
  finding: LogFinding,
  document: unknown,
  { policy, seen, file, io }: Comparing,
): Promise<LogFinding> {
  const text = logProofOf(document);
  const proof = typeof text === 'string' ? parseLogProof(text) : 'log_proof_malformed';
  if (proof === 'log_proof_malformed' || (finding.status !== 'logged' && finding.status !== 'witnessed'))
    return finding;
  const { origin = '', index = 0, treeSize = 0 } = finding;
  const about = { origin, index, treeSize };
  const url = policy.logs.find(({ key }) => key.name === origin)?.url;
  const answer = await seen.see(
    proof.checkpoint,
    policy,
    url === undefined ? undefined : logAt(baseAddress(url, 'The address of the log in the policy'), io),
  );
  await io.writeFile(file, Buffer.from(JSON.stringify({ notes: seen.notes(), forks: seen.forks }, null, 2)));
  return answer.reason === 'log_forked' ? logFinding('log_forked', 'checkpoint', about) : finding;
}

async function readCheckpoints(file: string, io: Io): Promise<Checkpoints> {
  // the first run makes it
  if (!(await io.namesIn(dirname(file))).includes(basename(file))) return createCheckpoints();
  const bytes = await readInput(file, io, FILE_LIMIT);
  try {
    const { notes, forks } = JSON.parse(new TextDecoder().decode(bytes)) as {
      readonly notes: readonly string[];
      readonly forks: readonly ForkEvidence[];
    };
    return createCheckpoints({ notes, forks });
  } catch (error) {
    throw usage(`${file} is no file of checkpoints (--log-checkpoints): ${reasonOf(error)}`);
  }
}
