import { checkValue, type ErrorDetail } from '@touchstone/contract/validation';
import type { z } from 'zod';
import type { ServiceError } from '../errors.ts';
import { toServiceError } from './fault.ts';
import { jsonSize } from './json-size.ts';
import { problemAnswer } from './problem.ts';
import { assertSize, DEFAULT_BODY_LIMIT } from './request-body.ts';
import type { Call } from './route.ts';

export interface BatchOptions {
  /** For the links in problems. */
  readonly baseUrl: string;
  /** Receives faults on our side, for the log. */
  readonly onItemFault: (error: ServiceError) => void;
}

/** Items of one batch that are in progress at a time. */
const AT_ONCE = 8;

/** Answers the items of a batch one by one, in their order, each as it would have been answered alone. */
export function answerBatch<Item extends z.ZodType, R>(
  item: Item,
  values: readonly unknown[],
  { signal, requestId }: Pick<Call, 'signal' | 'requestId'>,
  options: BatchOptions,
  answer: (item: z.output<Item>) => Promise<R>,
) {
  return mapBounded(values, async (value, index) => {
    try {
      assertSize(jsonSize(value, DEFAULT_BODY_LIMIT), DEFAULT_BODY_LIMIT);
      const checked = checkValue(item, value);
      if (!checked.ok) return { status: 422, problem: { detail: inBatch(checked.faults, index) } };
      return { status: 200, result: await answer(checked.value) };
    } catch (error) {
      // nobody is left to read an answer
      if (signal.aborted) throw error;
      return itemProblem(toServiceError(error), requestId, options);
    }
  });
}

function inBatch(faults: readonly ErrorDetail[], index: number): ErrorDetail[] {
  return faults.map((fault) => ({ ...fault, loc: ['body', 'items', index, ...fault.loc] }));
}

function itemProblem(fault: ServiceError, requestId: string, { baseUrl, onItemFault }: BatchOptions) {
  const { status, body: problem } = problemAnswer(fault, { baseUrl, requestId });
  if (status >= 500) onItemFault(fault);
  return { status, problem, ...(fault.retryAfter === undefined ? {} : { retryAfter: fault.retryAfter }) };
}

/** Maps in order, `AT_ONCE` at a time, begun in order. */
async function mapBounded<T, R>(
  values: readonly T[],
  map: (value: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const rest = values.entries();
  const worker = async () => {
    for (const [i, value] of rest) results[i] = await map(value, i);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}
