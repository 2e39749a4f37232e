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
  proofJwt,
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
import { fetchLogProof, logAt } from './log-source.ts';

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
      'undecided unless it is logged, and confirmed by the witnesses of the policy; asks the service at the address in the policy for what they confirmed since',
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
  // one after another: several certificates may be verified at once, and the last to be written has them all
  let written = Promise.resolve();
  const keep = () => {
    written = written.then(() => {
      const text = JSON.stringify({ notes: seen?.notes(), forks: seen?.forks }, null, 2);
      return file === undefined ? undefined : io.writeFile(file, Buffer.from(text));
    });
    return written;
  };
  return async (result, document) => {
    const carried = logProofOf(document);
    const first = await verifyLogProof(document, carried, { policy });
    const newer = logRequired === true ? await confirmedSince(document, first, policy, io) : undefined;
    const [found, text] = newer ?? [first, carried];
    const finding = seen === undefined ? found : await compared(found, text, { policy, seen, keep, io });
    return withLog(result, finding, logRequired === true ? 'required' : 'ifPresent');
  };
}

/**
 * What the services at the addresses in the policy say now. A certificate carries the proof of the moment in which it was issued, before any
 * witness could confirm it, or none.
 *
 * @returns `undefined` unless it is more than what the certificate carries
 */
async function confirmedSince(
  document: unknown,
  { status, reason }: LogFinding,
  policy: Policy,
  io: Io,
): Promise<readonly [LogFinding, string] | undefined> {
  const jwt = proofJwt(document);
  const isWanting =
    reason === 'log_proof_absent' ||
    reason === 'log_ended' ||
    (status === 'logged' && policy.quorum !== undefined);
  if (!isWanting || jwt === null) return undefined;
  // <address of the service>/api/v1/mc4p/log/<year>
  const above = [...policy.logs, ...(policy.ended ?? [])].flatMap(({ url = '' }) =>
    /^https?:/.test(url) ? [url.replace(/\/[^/]*\/?$/, '')] : [],
  );
  for (const address of new Set(above)) {
    const base = baseAddress(address, 'The address of the log in the policy');
    // once: offline, what the certificate carries is all there is
    const bytes = await fetchLogProof(base, jwt, io, []).catch(() => undefined);
    const text = new TextDecoder().decode(bytes);
    const found = bytes && (await verifyLogProof(document, text, { policy }));
    if (found?.status === 'witnessed' || (found?.status === 'logged' && status !== 'logged'))
      return [found, text];
  }
  return undefined;
}

interface Comparing {
  readonly policy: Policy;
  readonly seen: Checkpoints;
  /** Writes what has been seen. */
  readonly keep: () => Promise<void>;
  readonly io: Io;
}

/** A proof of which the checkpoint contradicts what the log showed before proves nothing; both notes are kept. */
async function compared(
  finding: LogFinding,
  text: unknown,
  { policy, seen, keep, io }: Comparing,
): Promise<LogFinding> {
  const proof = typeof text === 'string' ? parseLogProof(text) : 'log_proof_malformed';
  if (proof === 'log_proof_malformed' || (finding.status !== 'logged' && finding.status !== 'witnessed'))
    return finding;
  const { origin = '', index = 0, treeSize = 0 } = finding;
  const about = { origin, index, treeSize };
  const url = [...policy.logs, ...(policy.ended ?? [])].find(({ key }) => key.name === origin)?.url;
  const answer = await seen.see(
    proof.checkpoint,
    policy,
    url === undefined ? undefined : logAt(baseAddress(url, 'The address of the log in the policy'), io),
  );
  await keep();
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
