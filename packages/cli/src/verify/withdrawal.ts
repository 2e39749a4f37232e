import {
  createStatusLists,
  type StatusLists,
  type Withdrawable,
  type Withdrawal,
  type WithdrawalPolicy,
  withWithdrawal,
} from '@touchstone/certificate/withdrawal';
import { Option } from 'commander';
import { usage } from '../cli-error.ts';
import type { Io } from '../io.ts';
import { readStatusLists } from './list-folder.ts';
import { asCliError, type CliTrust } from './trust.ts';

/** The policies, by their words on the command line. */
const POLICIES: Readonly<Record<string, WithdrawalPolicy>> = {
  required: 'required',
  'if-reachable': 'ifReachable',
  none: 'none',
};

export interface WithdrawalOptions {
  readonly withdrawal?: string;
  readonly statusLists?: string;
}

/** Options on whether a certificate has been withdrawn. */
export function withdrawalOptions(): Option[] {
  return [
    new Option(
      '--withdrawal <policy>',
      'whether to look if a certificate has been withdrawn: required: undecided if that cannot be found out; if-reachable: say so then (default, unless the keys come from a file); none: do not look',
    ).choices(Object.keys(POLICIES)),
    new Option(
      '--status-lists <folder>',
      'look into lists that touchstone status-lists pull has fetched, and not on the network',
    ),
  ];
}

/** Tells of results whether their certificates have been withdrawn. */
export type TellWithdrawal = <R extends Withdrawable>(
  result: R,
  document: unknown,
  issuer: string | undefined,
  now: Date,
) => Promise<R>;

const NOT_LOOKED_AT: Withdrawal = { status: null, reason: 'not_looked_at' };

/**
 * Looks for withdrawals in the status lists of the trusted issuers. What is verified with keys from a file does not use the network unless
 * the user says so: its list is looked at if there is a folder of lists, or by an explicit policy.
 *
 * @throws CliError (usage) for a folder that contains no lists of a trusted issuer
 */
export async function readWithdrawal(
  options: WithdrawalOptions,
  trust: CliTrust,
  io: Io,
): Promise<TellWithdrawal> {
  const { withdrawal: word, statusLists: folder } = options;
  const policy = POLICIES[word ?? 'if-reachable'] ?? 'ifReachable';
  if (policy === 'none' && folder !== undefined)
    throw usage('--status-lists names lists, and --withdrawal none looks at none.');
  const isAsked = word !== undefined || folder !== undefined;
  const issuers = trust.issuers.filter((issuer) => isAsked || trust.fetchesKeysOf.has(issuer));
  const lists = policy === 'none' ? undefined : await listsOf(issuers, folder, io);
  return async (result, document, issuer, now) => {
    const isSought = lists !== undefined && issuer !== undefined && issuers.includes(issuer);
    const known = isSought ? await lists.lookUp(document, issuer, now) : NOT_LOOKED_AT;
    return withWithdrawal(result, known, policy);
  };
}

async function listsOf(issuers: readonly string[], folder: string | undefined, io: Io): Promise<StatusLists> {
  if (folder !== undefined) {
    const files = await readStatusLists(folder, { issuers }, io);
    return createStatusLists({ trustedIssuers: issuers, offline: true, ...files });
  }
  const fetch: Io['fetch'] = (url, init) =>
    io.fetch(url, { ...init, signal: AbortSignal.any([io.stop, init?.signal ?? io.stop]) });
  try {
    return createStatusLists({ trustedIssuers: issuers, fetch });
  } catch (error) {
    throw asCliError(error);
  }
}
