import type { FeedFormat } from '@touchstone/contract';
import type { StreamEntry } from '../../../core/certificates/stream-certificates.ts';
import type { Core } from '../../../core/core.ts';
import type { Scope } from '../../../platform/http/access.ts';
import type { FeedAbout, FeedWriter } from './feed-format.ts';
import { feedProduct } from './feed-product.ts';
import { googleFeed } from './google-feed.ts';
import { jsonlFeed } from './jsonl-feed.ts';
import { ucpFeed } from './ucp-feed.ts';

const WRITERS: Readonly<Record<FeedFormat, (about: FeedAbout) => FeedWriter>> = {
  jsonl: jsonlFeed,
  google: googleFeed,
  ucp: ucpFeed,
};

/** A feed, of which nothing was read yet. */
export interface StoreFeed {
  readonly mediaType: string;
  readonly etag: string;
  /** From where an update begins that follows this feed. */
  readonly next: string;
  /** Products of the store without a certificate. */
  readonly leftOut: number;
  readonly text: AsyncIterable<string>;
}

export type GetStoreFeed = (
  scope: Scope,
  storeId: string,
  asked: { readonly format: FeedFormat; readonly since?: string | undefined },
) => Promise<StoreFeed>;

type Ports = Pick<Core, 'baseUrl' | 'namespaceUrl'> & {
  readonly certificates: Pick<Core['certificates'], 'streamEntries' | 'readStreamState'>;
};

/**
 * The products of a store with their certificates, or what has changed of them since a cursor of the stream of certificates. What changes
 * while the feed is read is told again by the update that follows it, never left out.
 *
 * @throws ServiceError `store_unknown`; `bad_request` for a cursor that does not belong to this store
 */
export function createGetStoreFeed({ baseUrl, namespaceUrl, certificates }: Ports): GetStoreFeed {
  return async (scope, storeId, { format, since }) => {
    const {
      store,
      cursor,
      products,
      certificates: certified,
      version,
    } = await certificates.readStreamState(scope, storeId);
    const isUpdate = since !== undefined;
    const entries = await certificates.streamEntries(scope, storeId, since);
    const writer = WRITERS[format]({ store, namespaceUrl, baseUrl, isUpdate });
    return {
      mediaType: writer.mediaType,
      etag: `W/"${[format, version, ...(isUpdate ? [since] : [])].join('-')}"`,
      next: cursor,
      leftOut: Math.max(0, products - certified),
      text: textOf(entries, writer),
    };
  };
}

async function* textOf(
  entries: AsyncIterable<readonly StreamEntry[]>,
  writer: FeedWriter,
): AsyncGenerator<string, void, undefined> {
  // with the first entries: if they cannot be read, nothing was sent
  let text = writer.begin();
  for await (const some of entries) {
    for (const entry of some) {
      // the answer breaks off, so that nobody takes a part of a feed for all of it
      if (entry.status === 'aborted') throw entry.error;
      if (entry.status === 'end') {
        yield text + writer.end(entry.line);
        return;
      }
      text += entry.status === 'current' ? writer.product(feedProduct(entry)) : writer.withdrawn(entry.line);
      if (writer.isFull !== true) continue;
      yield text + writer.end({ cursor: entry.cursor });
      return;
    }
    yield text;
    text = '';
  }
}
