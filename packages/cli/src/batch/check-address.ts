import type { Trust } from '@touchstone/certificate';
import { checkPage, withoutRegistry } from '@touchstone/page';
import { FetchFault } from '@touchstone/page/fetch';
import { CliError } from '../cli-error.ts';
import { errorOfAnswer, isRecord, type ServiceAnswer } from '../client/problem.ts';
import type { ServiceClient } from '../client/service-client.ts';
import { readReport } from '../commands/report.ts';
import type { Io } from '../io.ts';
import { pageOutcome } from '../verify/outcome.ts';
import type { FetchPage } from '../verify/source.ts';
import { BATCH_ERRORS, type BatchError } from './record.ts';
import type { CheckAddress } from './run.ts';

/** Asks the service, page by page: each answer is kept when it comes, and none waits for a slower one. */
export function checkByService(client: ServiceClient, freshness: 'cached' | 'fresh'): CheckAddress {
  const path = '/api/v1/mc4p/page-checks';
  return validOnly(async ({ line, url }) => {
    const answer = await client.answer({ method: 'POST', path, body: { url, freshness } });
    if (answer.status === 200) {
      const { verdict } = await readReport(answer.body, client.baseUrl);
      return { line, url, verdict, report: answer.body };
    }
    const refusal = errorOfAnswer(answer, client.baseUrl, `POST ${path}`);
    const error = errorOfPage(answer);
    if (error === null) throw refusal;
    return { line, url, error: { code: error, message: refusal.message } };
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
function errorOfPage({ status, body }: ServiceAnswer): BatchError | null {
  if (status === 422) return 'request_refused';
  const code = isRecord(body) ? body.code : undefined;
  // the name servers of one host may never answer
  if (status === 500 && code !== undefined) return 'service_error';
  return status === 503 && code === 'network_unavailable' ? 'service_error' : null;
}
