import { type LiveAnswer, type LiveWeb, type ReadProductPage, SourceError } from '@touchstone/catalogue';
import { VERSION } from '@touchstone/certificate';
import { type Credential, CredentialRefused } from '@touchstone/fetch/credential';
import type { Io } from '../io.ts';
import { reasonOf } from '../problem.ts';

/** Statuses with a `Location` (RFC 9110, section 15.4). */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Network access without address restrictions: users may import their own shop from any network.
 *
 * @param credential - sent with every request; requests follow no redirect then
 */
export function liveWeb(io: Pick<Io, 'fetch' | 'sleep' | 'now' | 'stop'>, credential?: Credential): LiveWeb {
  return {
    async get(url) {
      try {
        const authorization = credential?.headersFor(new URL(url)) ?? {};
        const response = await io.fetch(url, {
          headers: { 'user-agent': `touchstone/${VERSION}`, accept: '*/*', ...authorization },
          redirect: credential === undefined ? 'follow' : 'manual',
          signal: io.stop,
        });
        const location = response.headers.get('location');
        if (credential !== undefined && REDIRECTS.has(response.status) && location !== null) {
          await response.body?.cancel();
          const to = URL.parse(location, url)?.origin ?? location.slice(0, 100);
          throw new SourceError('source_key_withheld', `${new URL(url).origin} leads to ${to}.`);
        }
        return answerOf(response, url);
      } catch (error) {
        io.stop.throwIfAborted();
        if (error instanceof SourceError) throw error;
        if (error instanceof CredentialRefused) throw new SourceError('source_key_withheld', error.message);
        throw new SourceError('source_unreachable', `${new URL(url).host}: ${reasonOf(error)}.`, {
          cause: error,
        });
      }
    },
    async sleep(milliseconds) {
      await io.sleep(milliseconds);
      io.stop.throwIfAborted();
    },
    now: () => io.now().getTime(),
  };
}

function answerOf(response: Response, url: string): LiveAnswer {
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  const total = Number(response.headers.get('x-wp-total') ?? Number.NaN);
  return {
    status: response.status,
    finalUrl: response.url === '' ? url : response.url,
    ...(Number.isFinite(retryAfter) ? { retryAfter } : {}),
    ...(Number.isFinite(total) ? { total } : {}),
    body: bodyOf(response, url),
  };
}

/** Response body; a broken connection counts as the shop's failure, like a missing response. */
async function* bodyOf(response: Response, url: string): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    if (response.body !== null) yield* response.body;
  } catch (error) {
    throw new SourceError('source_unreachable', `${new URL(url).host}: ${reasonOf(error)}.`, {
      cause: error,
    });
  }
}

/** Loads the page reader on demand: other imports do not need it. */
export const readProductPage: ReadProductPage = async (body, url) => {
  const [{ readFacts, statedProduct }, { readPage }] = await Promise.all([
    import('@touchstone/facts'),
    import('@touchstone/page/read'),
  ]);
  return statedProduct(readPage(body, { url }, readFacts));
};
