import { FetchFault } from '@touchstone/page/fetch';
import { CliError } from '../cli-error.ts';
import { errorOfAnswer, isRecord, type ServiceAnswer } from '../client/problem.ts';
import type { ServiceClient } from '../client/service-client.ts';
import { readReport } from '../commands/report.ts';
import type { Io } from '../io.ts';
import { observationOf } from '../verify/observe.ts';
import { pageOutcome } from '../verify/outcome.ts';
import { judgePage } from '../verify/page.ts';
import type { FetchPage } from '../verify/source.ts';
import type { Trust } from '../verify/trust.ts';
import { BATCH_ERRORS, type BatchError } from './record.ts';
import type { Look } from './run.ts';

/** Asks the service, page by page: each answer is kept when it comes, and none waits for a slower one. */
export function lookByService(client: ServiceClient, freshness: 'cached' | 'fresh'): Look {
  const path = '/api/v1/mc4p/page-checks';
  return knowingAddresses(async ({ line, url }) => {
    const answer = await client.answer({ method: 'POST', path, body: { url, freshness } });
    if (answer.status === 200) {
      const { verdict } = readReport(answer.body, client.baseUrl);
      return { line, url, verdict, report: answer.body };
    }
    const told = errorOfAnswer(answer, client.baseUrl, `POST ${path}`);
    const error = errorOfPage(answer);
    if (error === null) throw told;
    return { line, url, error: { code: error, message: told.message } };
  });
}

/** Fetches and verifies on this machine. */
export function lookHere(fetchPage: FetchPage, trust: Trust, now: Io['now']): Look {
  return knowingAddresses(async ({ line, url }) => {
    try {
      const observation = observationOf(url, await fetchPage(url), trust.issuers, now());
      const { candidates, judgement } = await judgePage(observation, { trust, now: now() });
      return { line, url, verdict: judgement.verdict, report: pageOutcome(observation, candidates) };
    } catch (error) {
      if (!(error instanceof CliError && error.cause instanceof FetchFault)) throw error;
      return { line, url, error: { code: 'network_unavailable', message: error.message } };
    }
  });
}

function knowingAddresses(look: Look): Look {
  return async (address) => {
    if (address.valid) return look(address);
    const { line, url } = address;
    return { line, url, error: { code: 'address_invalid', message: BATCH_ERRORS.address_invalid } } as const;
  };
}

/** What concerns this page alone; `null` for what would meet every page. */
function errorOfPage({ status, body }: ServiceAnswer): BatchError | null {
  if (status === 422) return 'request_refused';
  const code = isRecord(body) ? body.code : undefined;
  // the name servers of one host can be away for good
  if (status === 500 && code !== undefined) return 'service_error';
  return status === 503 && code === 'network_unavailable' ? 'service_error' : null;
}
