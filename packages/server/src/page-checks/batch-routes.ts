import {
  PageCheckReportSchema,
  PageCheckRequestSchema,
  ProductVerificationRequestSchema,
  ValidationErrorSchema,
  VerificationResultSchema,
} from '@touchstone/certificate/schema';
import { z } from 'zod';
import { ProblemSchema } from '../docs/openapi/problem-schema.ts';
import type { ErrorDetail, ServiceError } from '../platform/errors.ts';
import { toServiceError } from '../platform/http/fault.ts';
import { jsonSize } from '../platform/http/json-size.ts';
import { type Operation, operation } from '../platform/http/operation.ts';
import { problemAnswer } from '../platform/http/problem.ts';
import { assertSize, DEFAULT_BODY_LIMIT } from '../platform/http/request-body.ts';
import { checkValue } from '../platform/http/validation/check-value.ts';
import type { VerifyProduct } from '../verification/verify-product.ts';
import type { PageCheckUseCases } from './routes.ts';

export interface BatchUseCases {
  readonly verifyProduct: VerifyProduct;
  readonly checkPage: PageCheckUseCases['checkPage'];
  /** For the links in problems. */
  readonly baseUrl: string;
  /** Told of trouble on our side, for the log. */
  readonly onItemFault: (error: ServiceError) => void;
}

const MAX_ITEMS = 100;
/** Bytes: a hundred certificates of the usual size, and room. */
const BODY_LIMIT = 4 * 1024 * 1024;
/** Items of one batch that are under way at a time. */
const AT_ONCE = 8;

const OURS = `An extension of ours: up to ${MAX_ITEMS} items, answered in their order. Each has the status and the body that it would have
had by itself, in \`result\` or \`problem\`, \`loc\` counted in the batch; one that fails costs no other.`;

const VerifyItemSchema = ProductVerificationRequestSchema.extend({ productId: z.guid() });

/** Spec "Endpoints" has no batches: an agent that compares twenty offers should not need twenty round trips. */
export function batchRows(use: BatchUseCases): Operation[] {
  return [
    batchRow(use, {
      id: 'verifyBatch',
      path: '/api/v1/mc4p/verify-batch',
      summary: 'Verify many product certificates',
      description: OURS,
      item: VerifyItemSchema,
      result: VerificationResultSchema,
      run: ({ productId, productUrl: pageUrl, document }) =>
        use.verifyProduct({ productId, pageUrl, document }),
    }),
    batchRow(use, {
      id: 'checkPages',
      path: '/api/v1/mc4p/page-checks/batch',
      summary: 'Check many product pages',
      description: `${OURS} Each item with \`freshness\` \`fresh\` spends one of the caller's 10 a minute; those beyond are 429.`,
      item: PageCheckRequestSchema,
      result: PageCheckReportSchema,
      run: async (item, { caller, signal }) => (await use.checkPage({ ...item, caller, signal })).report,
    }),
  ];
}

interface BatchKind<Item extends z.ZodType> {
  readonly id: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly item: Item;
  readonly result: z.ZodType;
  readonly run: (
    item: z.infer<Item>,
    call: { readonly caller: string; readonly signal: AbortSignal },
  ) => Promise<unknown>;
}

function batchRow<Item extends z.ZodType>(use: BatchUseCases, kind: BatchKind<Item>): Operation {
  const { id, path, summary, description, item, result, run } = kind;
  // described as what they should be, but judged one by one, so that a bad one costs no other
  const { $schema: _, ...shape } = z.toJSONSchema(item, { io: 'input' });
  const items = z.array(z.unknown().meta({ ...shape, id: `${id}Item` }));
  const answered = z.object({
    status: z.int().meta({ description: 'As the answer to the item alone would have had.' }),
    result: result.optional(),
    problem: z.union([ProblemSchema, ValidationErrorSchema]).optional(),
    retryAfter: z.number().optional().meta({ description: 'Seconds, as Retry-After tells them.' }),
  });
  return operation({
    id,
    method: 'POST',
    path,
    tag: 'Verification',
    summary,
    description,
    access: 'public',
    anyOrigin: true,
    body: z.object({ items: items.min(1).max(MAX_ITEMS) }),
    bodyLimit: BODY_LIMIT,
    responses: {
      200: { description: 'What became of each item.', schema: z.object({ results: z.array(answered) }) },
    },
    errors: [],
    handle: async ({ body }, { caller, signal, requestId }) => {
      const results = await mapBounded(body.items, async (value, index) => {
        try {
          assertSize(jsonSize(value, DEFAULT_BODY_LIMIT), DEFAULT_BODY_LIMIT);
          const checked = checkValue(item, value);
          if (!checked.ok) return { status: 422, problem: { detail: inBatch(checked.faults, index) } };
          return { status: 200, result: await run(checked.value, { caller, signal }) };
        } catch (error) {
          // nobody is left to read an answer
          if (signal.aborted) throw error;
          return itemProblem(toServiceError(error), requestId, use);
        }
      });
      return { status: 200, headers: { 'cache-control': 'no-store' }, body: { results } };
    },
  });
}

function inBatch(faults: readonly ErrorDetail[], index: number): ErrorDetail[] {
  return faults.map((fault) => ({ ...fault, loc: ['body', 'items', index, ...fault.loc] }));
}

function itemProblem(fault: ServiceError, requestId: string, { baseUrl, onItemFault }: BatchUseCases) {
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
