import { setImmediate } from 'node:timers/promises';
import { BATCH_ANSWER_LIMIT } from '@touchstone/contract';
import { checkValue, type ErrorDetail } from '@touchstone/contract/validation';
import type { z } from 'zod';
import { ServiceError, toServiceError } from '../errors.ts';
import { jsonSize, writtenJson } from './json-size.ts';
import { problemAnswer } from './problem.ts';
import { assertSize, DEFAULT_BODY_LIMIT } from './request-body.ts';
import type { Call } from './route.ts';

export interface BatchOptions {
  /** For the links in problems. */
  readonly baseUrl: string;
  /** Receives faults on our side, for the log. */
  readonly onItemFault: (error: ServiceError) => void;
}

/** Concurrent items of one batch. */
const AT_ONCE = 8;
/** Seconds; the withheld items may be sent in another batch. */
const NEXT_BATCH = 1;

/**
 * Answers the items of a batch in order, each as a separate request would be answered; other requests may be served between
 * any two. Results beyond `BATCH_ANSWER_LIMIT` bytes are replaced by 429.
 *
 * @param keyOf - the same for items that are answered once for all of them; `null`: each by itself. `text` is the item as it
 *   was sent, `null` where it is nested too deep
 */
export function answerBatch<Item extends z.ZodType, R>(
  item: Item,
  values: readonly unknown[],
  { signal, requestId }: Pick<Call, 'signal' | 'requestId'>,
  options: BatchOptions,
  answer: (item: z.output<Item>) => Promise<R>,
  keyOf: (item: z.output<Item>, text: string | null) => string | null,
) {
  const answers = new Map<string, Promise<{ readonly result: R; readonly bytes: number }>>();
  const measured = async (checked: z.output<Item>) => {
    const result = await answer(checked);
    return { result, bytes: jsonSize(result, BATCH_ANSWER_LIMIT) };
  };
  const answerOnce = (checked: z.output<Item>, text: string | null) => {
    const key = keyOf(checked, text);
    const known = key === null ? undefined : answers.get(key);
    if (known !== undefined) return known;
    const first = measured(checked);
    if (key !== null) answers.set(key, first);
    return first;
  };
  let room = BATCH_ANSWER_LIMIT;
  const yieldToOthers = createYield();
  return mapBounded(values, async (value, index) => {
    // validating an item may take a while: it can be 1 MB of member names
    await yieldToOthers();
    try {
      const text = writtenJson(value);
      assertSize(jsonSize(value, DEFAULT_BODY_LIMIT, text), DEFAULT_BODY_LIMIT);
      const checked = checkValue(item, value);
      if (!checked.ok) return { status: 422, problem: { detail: inBatch(checked.faults, index) } };
      const { result, bytes } = await answerOnce(checked.value, text);
      if (bytes > room) throw new ServiceError('batch_answer_full', { retryAfter: NEXT_BATCH });
      room -= bytes;
      return { status: 200, result };
    } catch (error) {
      // the caller has disconnected
      if (signal.aborted) throw error;
      return itemProblem(toServiceError(error), requestId, options);
    }
  });
}

/** Lets one item through per iteration of the event loop, so that other requests are served in between. */
function createYield(): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    last = last.then(() => setImmediate());
    return last;
  };
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
