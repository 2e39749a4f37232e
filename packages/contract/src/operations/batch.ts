import { ValidationErrorSchema } from '@touchstone/certificate/schema';
import { z } from 'zod';
import { ProblemSchema } from '../errors.ts';

/** Maximum number of items in one batch. */
export const MAX_BATCH = 100;
/** Bytes: a hundred certificates of the usual size, with a margin. */
export const BATCH_BODY_LIMIT = 4 * 1024 * 1024;
/** Maximum size of all results of one batch, in bytes. */
export const BATCH_ANSWER_LIMIT = 4 * 1024 * 1024;

/** Spec "Endpoints" has no batches; with them, an agent that compares twenty offers needs one round trip instead of twenty. */
export const BATCH_DESCRIPTION = `An extension of ours: up to ${MAX_BATCH} items, answered in their order. Each has the status and the body that it would have
had by itself, in \`result\` or \`problem\`, \`loc\` counted in the batch; one that fails costs no other. Equal items are answered once for all of them. Results are given up to 4 MB in all; items
beyond are 429 \`batch_answer_full\`, to be asked for in another batch. A node works on two batches of one network at a
time; one more waits up to 10 seconds, then it is 429 \`batches_busy\` with Retry-After.`;

/**
 * The body of a batch. Its items are described by their schema but validated one by one, so that an invalid item does
 * not affect the others.
 */
export function batchBody(operationId: string, item: z.ZodType) {
  const { $schema: _, ...shape } = z.toJSONSchema(item, { io: 'input' });
  const items = z.array(z.unknown().meta({ ...shape, id: `${operationId}Item` }));
  return z.object({ items: items.min(1).max(MAX_BATCH) });
}

export function batchResults<R extends z.ZodType>(result: R) {
  const answered = z.object({
    status: z.int().meta({ description: 'As the answer to the item alone would have had.' }),
    result: result.optional(),
    problem: z.union([ProblemSchema, ValidationErrorSchema]).optional(),
    retryAfter: z.number().optional().meta({ description: 'Seconds, as Retry-After tells them.' }),
  });
  return z.object({ results: z.array(answered) });
}
