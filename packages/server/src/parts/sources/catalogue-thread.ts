/** The module of the threads that read catalogues, loaded by read-catalogue.ts. */
import { type CatalogueRow, type LiveWeb, type ReadProduct, readLive } from '@touchstone/catalogue';
import { checkRow } from '../../core/registry/products/read-rows.ts';
import { AnswerRefused, type Ask, streamFrom } from '../../platform/threads/stream-in-thread.ts';
import type { StreamTask } from '../../platform/threads/stream-messages.ts';
import { yieldToRequests } from '../../platform/threads/thread-priority.ts';
import type {
  CatalogueQuestion,
  CatalogueTask,
  ImportBatch,
  ImportRow,
  ShopAnswer,
} from './catalogue-messages.ts';
import { sourceErrorOf } from './source-errors.ts';

yieldToRequests();

/** Characters of an identifier in the registry: a longer one names no product of it. */
const MAX_ID = 200;

export function readCatalogueInThread(task: StreamTask<CatalogueTask>): Promise<void> {
  return streamFrom(task, batchesOf);
}

async function* batchesOf(task: CatalogueTask, ask: Ask): AsyncGenerator<ImportBatch> {
  const { url, ...options } = task;
  const asking = <Answer>(question: CatalogueQuestion, transfer?: readonly ArrayBuffer[]) =>
    ask<Answer>(question, transfer);
  const batches = readLive(url, {
    ...options,
    web: webOf(asking),
    readPage: (body, pageUrl) =>
      asking<ReadProduct | null>({ kind: 'page', url: pageUrl, body: body.buffer }, [body.buffer]),
  });
  for await (const { rows, ...batch } of batches) yield { ...batch, rows: rows.map(checked) };
}

/** Checked here, so that the thread that answers requests gets only rows as large as the registry takes them. */
function checked(row: CatalogueRow): ImportRow {
  if ('product' in row) return { row: row.row, checked: checkRow(row.product) };
  const { externalProductId, ...problem } = row.problem;
  const isKnown = externalProductId !== undefined && externalProductId.length <= MAX_ID;
  return { problem: { ...problem, ...(isKnown ? { externalProductId } : {}) } };
}

type Asking = <Answer>(question: CatalogueQuestion, transfer?: readonly ArrayBuffer[]) => Promise<Answer>;

/** The network, through the thread that answers requests. */
function webOf(ask: Asking): LiveWeb {
  return {
    async get(url) {
      const { body, ...answer } = await ask<ShopAnswer>({ kind: 'get', url }).catch((error: unknown) => {
        throw (error instanceof AnswerRefused && sourceErrorOf(error)) || error;
      });
      return { ...answer, body: once(body) };
    },
    sleep: (milliseconds) => ask({ kind: 'sleep', milliseconds }),
    now: () => performance.now(),
  };
}

async function* once(body: ArrayBuffer | undefined): AsyncGenerator<Uint8Array, void, undefined> {
  if (body !== undefined) yield new Uint8Array(body);
}
