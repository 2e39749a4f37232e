import { type Command, InvalidArgumentError } from 'commander';
import { readAddresses } from '../batch/addresses.ts';
import { type CheckAddress, checkAll, checkByService, checkHere } from '../batch/check-pages.ts';
import { isSettled, lineOf, openResults, outcomeOf } from '../batch/results.ts';
import { type BatchOutcome, batchText, batchValue, exitCodeOfOutcome, tallyOf } from '../batch/summary.ts';
import { CliError, cannotTell, EXIT, usage } from '../cli-error.ts';
import { createServiceClient } from '../client.ts';
import { nameOf, readInput } from '../files.ts';
import { createProgress, type Progress } from '../output/progress.ts';
import type { Session } from '../session.ts';
import { type GlobalOptions, serviceUrl } from '../settings.ts';
import { type LogOptions, logOptions, readLog } from '../verify/log.ts';
import { sourceOptions, trustOptions } from '../verify/options.ts';
import { type RelianceOptions, relianceOptions } from '../verify/reliance.ts';
import { openFetcher, type SourceOptions } from '../verify/source.ts';
import { readTrust, type TrustOptions } from '../verify/trust.ts';
import { readWithdrawal, type WithdrawalOptions, withdrawalOptions } from '../verify/withdrawal.ts';

interface BatchOptions
  extends GlobalOptions,
    TrustOptions,
    SourceOptions,
    RelianceOptions,
    WithdrawalOptions,
    LogOptions {
  readonly out?: string;
  readonly concurrency: number;
  readonly fresh?: boolean;
  readonly receipts?: boolean;
  readonly offline?: boolean;
}

/** Maximum size of a list in bytes: a million long addresses. */
const LIST_LIMIT = 200_000_000;
const MOST_AT_ONCE = 64;
/** With the waits between them, long enough for the service to restart. */
const ATTEMPTS = 7;

export function addBatch(program: Command, session: Session): void {
  const added = program
    .command('batch')
    .description(
      'Check a list of product pages; prints NDJSON, one line per page, in the order of completion.',
    )
    .argument('<file>', 'one address per line, # starts a comment; - for standard input')
    .option('--out <file>', 'write the results to this file; an interrupted run continues from it')
    .option('--concurrency <number>', 'pages checked at a time', atOnce, 8)
    .option('--fresh', 'fetch each page now instead of using a recent observation (10 a minute)')
    .option('--receipts', 'have the service sign a receipt of each report: touchstone receipt verify')
    .option('--offline', 'verify locally, without the service; requires --issuer')
    .action(async (file: string, _: unknown, command: Command) => {
      await batch(session, file, command.optsWithGlobals<BatchOptions>());
    });
  for (const option of [
    ...relianceOptions(),
    ...trustOptions(),
    ...withdrawalOptions(),
    ...logOptions(),
    ...sourceOptions(),
  ])
    added.addOption(option);
}

function atOnce(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > MOST_AT_ONCE) {
    throw new InvalidArgumentError(`Not a number from 1 to ${MOST_AT_ONCE}.`);
  }
  return number;
}

async function batch(session: Session, file: string, options: BatchOptions): Promise<void> {
  const { io } = session;
  refuseContradictions(options);
  const list = readAddresses(new TextDecoder().decode(await readInput(file, io, LIST_LIMIT)), nameOf(file));
  const progress = createProgress(io, 'pages');
  const check = await checkerOf(session, options, progress);
  const results = options.out === undefined ? undefined : await openResults(options.out, io, options);
  const found = new Map(results?.before);
  const waiting = list.addresses.filter(({ url }) => {
    const outcome = found.get(url);
    return outcome === undefined || !isSettled(outcome);
  });
  for (const { url } of waiting) found.delete(url);
  const before = list.addresses.length - waiting.length;
  const outcome = (): BatchOutcome => {
    return { list, found, tally: tallyOf(list.addresses, found), before, out: options.out };
  };
  try {
    let done = 0;
    let failed = 0;
    await checkAll(
      waiting,
      check,
      async (record) => {
        if (results === undefined) io.stdout.write(lineOf(record));
        else await results.write(record);
        const became = outcomeOf(record, options) ?? 'service_error';
        found.set(record.url, became);
        if (exitCodeOfOutcome(became) === EXIT.failed) failed++;
        progress.update({ done: ++done, total: waiting.length, failed });
      },
      { concurrency: options.concurrency, stop: io.stop },
    );
    if (io.stop.aborted) throw cannotTell('stopped', 'Stopped.');
  } catch (error) {
    throw error instanceof CliError ? interrupted(error, outcome()) : error;
  } finally {
    progress.end();
    await results?.close();
  }
  tell(session, options, outcome());
}

function refuseContradictions(options: BatchOptions): void {
  if (
    options.offline === true &&
    (options.fresh === true || options.receipts === true || options.service !== undefined)
  ) {
    throw usage('--offline uses no service, so it cannot be combined with --service, --fresh or --receipts.');
  }
  const { issuer, jwks, connectTo, caFile, withdrawal, statusLists, log, logRequired, logCheckpoints } =
    options;
  const offlineOnly = [
    issuer,
    jwks,
    connectTo,
    caFile,
    withdrawal,
    statusLists,
    log,
    logRequired,
    logCheckpoints,
  ];
  if (options.offline !== true && offlineOnly.some((value) => value !== undefined)) {
    throw usage(
      '--issuer, --jwks, --connect-to, --ca-file, --withdrawal, --status-lists and --log… require --offline: otherwise the service verifies.',
    );
  }
}

async function checkerOf(session: Session, options: BatchOptions, progress: Progress): Promise<CheckAddress> {
  const { io } = session;
  if (options.offline === true) {
    const trust = await readTrust(options, io);
    const tellWithdrawal = await readWithdrawal(options, trust, io);
    const tellLog = await readLog(options, io);
    return checkHere(await openFetcher(options, io), { trust, tellWithdrawal, tellLog }, io.now);
  }
  const client = createServiceClient({
    baseUrl: serviceUrl(options, io.env),
    io,
    nameOf: session.nameOf,
    attempts: ATTEMPTS,
    onRetry: (reason, wait) => progress.remark(`(${reason}; again in ${wait / 1000} s)`),
  });
  return checkByService(client, {
    freshness: options.fresh === true ? 'fresh' : 'cached',
    ...(options.receipts === true ? { receipt: true } : {}),
  });
}

/** If results go to standard output, the summary goes to standard error, with the progress. */
function tell(session: Session, options: BatchOptions, outcome: BatchOutcome): void {
  if (options.out === undefined) session.io.stderr.write(batchText(outcome, session.paintErr));
  else session.print(options, batchValue(outcome), () => batchText(outcome, session.paint));
  session.exitCode = outcome.tally.exitCode;
}

/** Adds the number of finished pages to the error message. */
function interrupted(error: CliError, { tally: { done, pages }, out }: BatchOutcome): CliError {
  const go =
    out === undefined
      ? 'With --out <file> a batch can be continued.'
      : 'Run the same command again to continue: finished pages are not checked again.';
  return error.withMessage(`${error.message}\n${done} of ${pages} pages are done.`, {
    hint: `${error.hint ?? ''} ${go}`.trim(),
  });
}
