import { itemsPart as contract, ItemSchema, verifyItems } from '@touchstone/contract';
import type { Part } from '../../core/part.ts';
import { answerBatch } from '../../platform/http/batch.ts';
import { implement, ok } from '../../platform/http/implement.ts';
import { createVerifyItem } from './verify-item.ts';

/** Verifies items of feeds, catalogues and commerce protocols, whose pages nobody sees. */
export const itemsPart: Part = {
  ...contract,
  verifyItem: createVerifyItem,
  async open(core) {
    const { baseUrl, logger } = core;
    const verifyItem = createVerifyItem(core);
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
      ],
    };
  },
};
