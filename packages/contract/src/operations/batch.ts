import { ValidationErrorSchema } from '@touchstone/certificate/schema';
import { z } from 'zod';
import { ProblemSchema } from '../errors.ts';
import type { RawRequest } from '../operation.ts';

/** Maximum number of items in one batch. */
export const MAX_BATCH = 100;
/** Bytes: a hundred certificates of the usual size, with a margin. */
export const BATCH_BODY_LIMIT = 4 * 1024 * 1024;
/** Maximum size of all results of one batch, in bytes. */
export const BATCH_ANSWER_LIMIT = 4 * 1024 * 1024;

/** Spec "Endpoints" has no batches; with them, an agent that compares twenty offers needs one round trip instead of twenty. */
export const BATCH_DESCRIPTION = `Not part of the specification. Takes up to ${MAX_BATCH} items and returns their results in the same order. Each result has the
status and body of a single call, in \`result\` or \`problem\`; \`loc\` is relative to the batch. A failed item does not affect
the others. Equal items are processed once. The results of a batch are limited to 4 MB; items beyond that get 429
\`batch_answer_full\`: send them in another batch. A node processes two batches per client network at a time; a further one
waits up to 10 seconds and is then rejected with 429 \`batches_busy\` and \`Retry-After\`.`;

/**
 * The body of a batch. Its items are described by their schema but validated one by one, so that an invalid item does
 * not affect the others.
 */
export function batchBody(operationId: string, item: z.ZodType) {
  const { $schema: _, ...shape } = z.toJSONSchema(item, { io: 'input' });
  const items = z.array(z.unknown().meta({ ...shape, id: `${operationId}Item` }));
  return z.object({ items: items.min(1).max(MAX_BATCH) });
}

/** What contradicts the items of a batch, or itself: a result for each item, each checked like that of a single call. */
export function batchContradictions<R>(contradictionsOf: (item: unknown, result: R) => readonly string[]) {
  return (
    { body }: RawRequest,
    { results }: { readonly results: readonly { readonly status: number; readonly result?: R }[] },
  ): string[] => {
    const { items } = body as { readonly items: readonly unknown[] };
    if (results.length !== items.length)
      return [`There are ${results.length} results of ${items.length} items.`];
    return results.flatMap(({ status, result }, index) => {
      const found = result === undefined ? [] : [...contradictionsOf(items[index], result)];
      if ((status === 200) !== (result !== undefined))
        found.push(`The status ${status} contradicts the result.`);
      return found.map((sentence) => `Item ${index + 1}: ${sentence}`);
    });
  };
}

export function batchResults<R extends z.ZodType>(result: R) {
  const answered = z.object({
    status: z.int().meta({ description: 'HTTP status that a single call with this item would return.' }),
    result: result.optional(),
    problem: z.union([ProblemSchema, ValidationErrorSchema]).optional(),
    retryAfter: z
      .number()
      .optional()
      .meta({ description: 'Seconds to wait before a retry, as in `Retry-After`.' }),
  });
  return z.object({ results: z.array(answered) });
}
