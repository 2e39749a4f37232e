import type { Trust } from '@touchstone/certificate';
import type { ProblemError } from '@touchstone/contract/client';
import { checkPage, withoutRegistry } from '@touchstone/page';
import { FetchFault } from '@touchstone/page/fetch';
import { CliError } from '../cli-error.ts';
import { answerOf, type ServiceClient } from '../client.ts';
import type { Io } from '../io.ts';
import { pageOutcome } from '../output/outcome.ts';
import type { FetchPage } from '../verify/source.ts';
import type { Address } from './addresses.ts';
import { BATCH_ERRORS, type BatchError, type BatchRecord } from './results.ts';

/** Checks one page. @throws CliError when nothing can be told of any page, so that going on is no use */
export type CheckAddress = (address: Address) => Promise<BatchRecord>;

/**
 * Checks pages, so many at a time, begun in order, reported as they come. Ends early when it is asked to stop, and when
 * going on is no use; what was reported before counts.
 *
 * @throws what a check or `report` threw first, once none is under way
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

/** Asks the service, page by page: each answer is kept when it comes, and none waits for a slower one. */
export function checkByService(client: ServiceClient, freshness: 'cached' | 'fresh'): CheckAddress {
  return validOnly(async ({ line, url }) => {
    try {
      const report = await client.call('checkPage', { body: { url, freshness } });
      return { line, url, verdict: report.verdict, report };
    } catch (error) {
      const code = error instanceof CliError ? errorOfPage(error) : null;
      if (code === null) throw error;
      return { line, url, error: { code, message: (error as CliError).message } };
    }
  });
}

/** Fetches and verifies on this machine. */
export function checkHere(fetch: FetchPage, trust: Trust, now: Io['now']): CheckAddress {
  return validOnly(async ({ line, url }) => {
    try {
      const page = await checkPage(url, { ...withoutRegistry(trust, now()), fetch });
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

/** What concerns this page alone; `null` for what would meet every page. */
function errorOfPage(error: CliError): BatchError | null {
  const { status, code } = (answerOf(error) ?? {}) as Partial<ProblemError>;
  if (status === 422) return 'request_refused';
  // the name servers of one host may never answer
  if (status === 500 && code !== undefined) return 'service_error';
  return status === 503 && code === 'network_unavailable' ? 'service_error' : null;
}
