import {
  itemsPart as contract,
  FEED_LEFT_OUT,
  getStoreFeed,
  ItemSchema,
  verifyItems,
} from '@touchstone/contract';
import type { Part } from '../../core/part.ts';
import { scopeOf } from '../../platform/http/access.ts';
import { answerBatch } from '../../platform/http/batch.ts';
import { implement, ok } from '../../platform/http/implement.ts';
import { createGetStoreFeed } from './feed/get-store-feed.ts';
import { createVerifyItem } from './verify-item.ts';

/** Verifies items of feeds, catalogues and commerce protocols, whose pages nobody sees, and writes feeds. */
export const itemsPart: Part = {
  ...contract,
  verifyItem: createVerifyItem,
  async open(core) {
    const { baseUrl, logger } = core;
    const verifyItem = createVerifyItem(core);
    const readFeed = createGetStoreFeed(core);
    const batch = {
      baseUrl,
      onItemFault: (error: unknown) => logger.error({ err: error }, 'an item of a batch failed'),
    };
    return {
      routes: [
        implement(verifyItems, async ({ body: { items, source } }, call) => {
          const results = await answerBatch(
            ItemSchema,
            items,
            call,
            batch,
            (item) => verifyItem(item, source ?? undefined),
            (_item, text) => text,
          );
          return ok({ results });
        }),
        implement(getStoreFeed, async ({ params, query }, call) => {
          const feed = await readFeed(scopeOf(call.identity), params.store_id, query);
          const next = new URLSearchParams({ format: query.format, since: feed.next });
          return {
            status: 200,
            headers: {
              'content-type': feed.mediaType,
              etag: feed.etag,
              link: `<${baseUrl}${getStoreFeed.path.replace('{store_id}', params.store_id)}?${next}>; rel="next"`,
              [FEED_LEFT_OUT]: String(feed.leftOut),
            },
            body: feed.text,
          };
        }),
      ],
    };
  },
};
