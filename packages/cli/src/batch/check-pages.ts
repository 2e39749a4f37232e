import type { Trust } from '@touchstone/certificate';
import type { ProblemError } from '@touchstone/contract/client';
import { readFacts } from '@touchstone/facts';
import { FetchFault } from '@touchstone/fetch';
import { checkPage, withoutRegistry } from '@touchstone/page';
import { CliError } from '../cli-error.ts';
import { answerOf, type ServiceClient } from '../client.ts';
import type { Io } from '../io.ts';
import { pageOutcome } from '../output/outcome.ts';
import type { TellLog } from '../verify/log.ts';
import type { FetchPage } from '../verify/source.ts';
import type { TellWithdrawal } from '../verify/withdrawal.ts';
import type { Address } from './addresses.ts';
import { BATCH_ERRORS, type BatchError, type BatchRecord } from './results.ts';

/** Checks one page. @throws CliError for a failure that would affect every page, so that the batch must end */
export type CheckAddress = (address: Address) => Promise<BatchRecord>;

/**
 * Checks pages with limited concurrency, started in order and reported as they finish. Ends early when the user stops it and after a
 * failure that would affect every page; results reported before remain valid.
 *
 * @throws the first error of a check or of `report`, once no check is in progress
 */
export async function checkAll(
  addresses: readonly Address[],
  check: CheckAddress,
  report: (record: BatchRecord) => Promise<void>,
  { concurrency, stop }: { readonly concurrency: number; readonly stop: AbortSignal },
): Promise<void> {
  const queue = addresses.values();
  const faults: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (const address of queue) {
      if (stop.aborted || faults.length > 0) return;
      try {
        await report(await check(address));
      } catch (error) {
        faults.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  if (faults.length > 0 && !stop.aborted) throw faults[0];
}

/** How the service checks each page. */
export interface ServiceCheck {
  readonly freshness: 'cached' | 'fresh';
  /** Whether each report has a receipt. */
  readonly receipt?: boolean;
}

/** Checks each page by the service; every result is reported when it arrives, without waiting for slower ones. */
export function checkByService(client: ServiceClient, asked: ServiceCheck): CheckAddress {
  return validOnly(async ({ line, url }) => {
    try {
      const report = await client.call('checkPage', { body: { url, ...asked } });
      return { line, url, verdict: report.verdict, report };
    } catch (error) {
      const code = error instanceof CliError ? errorOfPage(error) : null;
      if (code === null) throw error;
      return { line, url, error: { code, message: (error as CliError).message } };
    }
  });
}

/** Fetches and verifies pages on this machine. */
export function checkHere(
  fetch: FetchPage,
  {
    trust,
    tellWithdrawal,
    tellLog,
  }: { readonly trust: Trust; readonly tellWithdrawal: TellWithdrawal; readonly tellLog: TellLog },
  now: Io['now'],
): CheckAddress {
  return validOnly(async ({ line, url }) => {
    try {
      const at = now();
      const checking = withoutRegistry(trust, at, undefined, async (result, document) =>
        tellLog(await tellWithdrawal(result, document, result.signed?.issuer, at), document),
      );
      const page = await checkPage(url, { ...checking, fetch, readFacts });
      return { line, url, verdict: page.report.verdict, report: pageOutcome(page) };
    } catch (error) {
      if (!(error instanceof CliError && error.cause instanceof FetchFault)) throw error;
      return { line, url, error: { code: 'network_unavailable', message: error.message } };
    }
  });
}

function validOnly(check: CheckAddress): CheckAddress {
  return async (address) => {
    if (address.valid) return check(address);
    const { line, url } = address;
    return { line, url, error: { code: 'address_invalid', message: BATCH_ERRORS.address_invalid } } as const;
  };
}

/** The error of this page alone; `null` for a failure that would affect every page. */
function errorOfPage(error: CliError): BatchError | null {
  if (error.code === 'service_contradicts_itself') return error.code;
  const { status, code } = (answerOf(error) ?? {}) as Partial<ProblemError>;
  if (status === 422) return 'request_refused';
  // e.g. name servers of one host that never answer
  if (status === 500 && code !== undefined) return 'service_error';
  return status === 503 && code === 'network_unavailable' ? 'service_error' : null;
}
