import { createStatusLists, type StatusLists } from '@touchstone/certificate/withdrawal';
import { LISTS_CACHE } from './offline.ts';

/** Lists, with their keys. */
const MOST_KEPT = 64;

/**
 * The status lists of the service that serves this page, read from this origin only: whatever a certificate or the user names, no other
 * address is requested. Of other issuers nothing is looked up.
 *
 * @param issuers - present and former addresses of the service
 */
export function ownStatusLists(
  issuers: readonly string[],
  request: typeof fetch = (address, init) => fetch(pathOf(address), init),
): StatusLists {
  return createStatusLists({ trustedIssuers: issuers.filter(hasSafeKeys), fetch: request });
}

/**
 * Fetches a status list, the keys of lists or the policy of the log from this origin, and keeps them in this browser for use without a
 * network: each list says until when it counts.
 */
export async function fetchOrKept(...[address, init]: Parameters<typeof fetch>): Promise<Response> {
  const path = pathOf(address);
  // missing on insecure pages, or if the browser stores nothing
  const cache = await globalThis.caches?.open(LISTS_CACHE).catch(() => undefined);
  try {
    const answer = await fetch(path, init);
    if (answer.ok && /\/status[-/]|\/log\/policy$/.test(path))
      void keep(cache, path, answer.clone()).catch(() => {});
    return answer;
  } catch (error) {
    const kept = await cache?.match(path);
    if (kept === undefined) throw error;
    return kept;
  }
}

async function keep(cache: Cache | undefined, path: string, answer: Response): Promise<void> {
  await cache?.put(path, answer);
  const oldest = ((await cache?.keys()) ?? []).slice(0, -MOST_KEPT);
  await Promise.all(oldest.map((request) => cache?.delete(request)));
}

function pathOf(address: Parameters<typeof fetch>[0]): string {
  return new URL(String(address), globalThis.location?.href).pathname;
}

/** Keys are only taken over https, or from this machine; of another issuer nothing is looked up. */
function hasSafeKeys(issuer: string): boolean {
  try {
    createStatusLists({ trustedIssuers: [issuer] });
    return true;
  } catch {
    return false;
  }
}
