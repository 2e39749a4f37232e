import { type LiveAnswer, type LiveWeb, type ReadProductPage, SourceError } from '@touchstone/catalogue';
import { VERSION } from '@touchstone/certificate';
import type { Io } from '../io.ts';
import { reasonOf } from '../problem.ts';

/** Network access without address restrictions: users may import their own shop from any network. */
export function liveWeb(io: Pick<Io, 'fetch' | 'sleep' | 'now' | 'stop'>): LiveWeb {
  return {
    async get(url, headers = {}) {
      try {
        const response = await io.fetch(url, {
          headers: { 'user-agent': `touchstone/${VERSION}`, accept: '*/*', ...headers },
          signal: io.stop,
        });
        return answerOf(response, url);
      } catch (error) {
        io.stop.throwIfAborted();
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
  const { readPage, statedProduct } = await import('@touchstone/page/read');
  return statedProduct(readPage(body, { url }));
};
