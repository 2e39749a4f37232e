import { createServiceClient, type ServiceClient, type ServiceClientOptions } from './client.ts';
import type { Session } from './session.ts';
import { apiKey, type GlobalOptions, serviceUrl } from './settings.ts';

/** How often a call is made: what most commands do can be done twice. */
const ATTEMPTS = 4;

/**
 * Asks the registry, with the caller's API key.
 *
 * @throws CliError (usage) without a key
 */
export function registryClient(
  { io, nameOf }: Session,
  options: GlobalOptions & { readonly key?: string },
  calls: Pick<ServiceClientOptions, 'attempts' | 'onRetry'> = {},
): ServiceClient {
  const key = apiKey(options, io.env);
  const baseUrl = serviceUrl(options, io.env);
  return createServiceClient({ baseUrl, key, io, nameOf, attempts: ATTEMPTS, ...calls });
}

/** An answer of a list that comes in pages. */
interface Page {
  readonly nextCursor?: string | undefined;
}

/** The pages of a list, one after the other. */
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

/** Every item of such a list. */
export async function everyItem<P extends Page, T>(
  ask: (cursor: string | undefined) => Promise<P>,
  itemsOf: (page: P) => readonly T[],
): Promise<T[]> {
  const all: T[] = [];
  for await (const page of pagesOf(ask)) all.push(...itemsOf(page));
  return all;
}
