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

/** The pages of a list, in order. */
export async function* pagesOf<P extends Page>(
  ask: (cursor: string | undefined) => Promise<P>,
): AsyncGenerator<P, void, undefined> {
  for (let cursor: string | undefined; ; ) {
    const page = await ask(cursor);
    yield page;
    if (page.nextCursor === undefined) return;
    cursor = page.nextCursor;
  }
}

/** All items of such a list. */
export async function everyItem<P extends Page, T>(
  ask: (cursor: string | undefined) => Promise<P>,
  itemsOf: (page: P) => readonly T[],
): Promise<T[]> {
  const all: T[] = [];
  for await (const page of pagesOf(ask)) all.push(...itemsOf(page));
  return all;
}
