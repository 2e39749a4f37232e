import { type CliError, cannotTell } from './cli-error.ts';
import { createServiceClient, type ServiceClient, type ServiceClientOptions } from './client.ts';
import type { Session } from './session.ts';
import { apiCredential, type GlobalOptions, serviceUrl } from './settings.ts';

/** Attempts per call: most commands are idempotent. */
const ATTEMPTS = 4;

/**
 * Creates a client for the registry, with the caller's API key.
 *
 * @throws CliError (usage) without a key
 */
export function registryClient(
  { io, nameOf }: Session,
  options: GlobalOptions & { readonly key?: string },
  calls: Pick<ServiceClientOptions, 'attempts' | 'onRetry'> = {},
): ServiceClient {
  const baseUrl = serviceUrl(options, io.env);
  const credential = apiCredential(options, io.env, baseUrl);
  return createServiceClient({ baseUrl, credential, io, nameOf, attempts: ATTEMPTS, ...calls });
}

/** A page of a paginated list. */
interface Page {
  readonly nextCursor?: string | undefined;
}

/** Pages of one list: of the largest store there are two thousand, of 500 products each. */
const MAX_PAGES = 10_000;
/** Characters of a list that is kept in memory, as JSON. */
const MAX_LIST = 200_000_000;

/**
 * The pages of a list, in order.
 *
 * @throws CliError (could not tell) if the list has no end
 */
export async function* pagesOf<P extends Page>(
  ask: (cursor: string | undefined) => Promise<P>,
): AsyncGenerator<P, void, undefined> {
  let cursor: string | undefined;
  for (let count = 1; count <= MAX_PAGES; count += 1) {
    const page = await ask(cursor);
    yield page;
    if (page.nextCursor === undefined) return;
    if (page.nextCursor === cursor) throw endless('the same page follows itself');
    cursor = page.nextCursor;
  }
  throw endless(`it has more than ${MAX_PAGES} pages`);
}

function endless(why: string): CliError {
  return cannotTell('service_not_understood', `The service sends a list without end: ${why}.`);
}

/**
 * All items of such a list.
 *
 * @throws CliError as `pagesOf`, and beyond 200 million characters
 */
export async function everyItem<P extends Page, T>(
  ask: (cursor: string | undefined) => Promise<P>,
  itemsOf: (page: P) => readonly T[],
): Promise<T[]> {
  const all: T[] = [];
  let size = 0;
  for await (const page of pagesOf(ask)) {
    size += JSON.stringify(page).length;
    if (size > MAX_LIST) throw endless(`it has more than ${MAX_LIST / 1_000_000} million characters`);
    for (const item of itemsOf(page)) all.push(item);
  }
  return all;
}
