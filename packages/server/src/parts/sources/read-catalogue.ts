import { type ReadProductPage, SourceError } from '@touchstone/catalogue';
import type { BytesFetcher } from '@touchstone/fetch';
import type { Tinypool } from 'tinypool';
import { openThreads } from '../../platform/threads/thread-pool.ts';
import {
  type Answer,
  streamInThread,
  TaskTooHeavy,
  ThreadFailure,
} from '../../platform/threads/thread-stream.ts';
import type { CatalogueQuestion, CatalogueTask, ImportBatch } from './catalogue-messages.ts';
import { guardedGet, waitFor } from './guarded-web.ts';
import { sourceErrorOf } from './source-errors.ts';

/** Megabytes of a thread's old generation: a file of 64 MB with the shortest rows of an honest shop needs most of them. */
const HEAP_MEGABYTES = 512;
/** Bytes that a thread may keep after an import; a thread that keeps more is replaced. */
const RECYCLE_ABOVE = 72_000_000;
/** Milliseconds after which a thread without an import ends. */
const IDLE_TIME = 30_000;
/** Milliseconds that a thread may work on one batch: ten times what the most expensive file takes on an idle machine. */
const DEADLINE = 60_000;

/** Threads that read catalogues, apart from the one that answers requests. */
export function openCatalogueThreads(
  most: number,
  onThreadFault: (error: unknown) => void,
  heapMegabytes = HEAP_MEGABYTES,
): Tinypool {
  return openThreads({
    module: new URL('./catalogue-thread.ts', import.meta.url),
    run: 'readCatalogueInThread',
    least: 0,
    most,
    heapMegabytes,
    recycleAbove: RECYCLE_ABOVE,
    idleTime: IDLE_TIME,
    onThreadFault,
  });
}

export interface CatalogueReader {
  readonly threads: Tinypool;
  readonly fetcher: BytesFetcher;
  readonly readPage: ReadProductPage;
  /** Milliseconds; default: `DEADLINE`. */
  readonly deadline?: number;
}

/**
 * Reads the catalogue of a shop in a thread, batch by batch; it fetches through this one.
 *
 * @throws SourceError; FetchFault; the reason of `signal`
 */
export async function* readCatalogueOf(
  task: CatalogueTask,
  { threads, fetcher, readPage, deadline = DEADLINE }: CatalogueReader,
  signal: AbortSignal,
): AsyncGenerator<ImportBatch, void, undefined> {
  const answer = async (question: CatalogueQuestion): Promise<Answer> => {
    switch (question.kind) {
      case 'get': {
        const value = await guardedGet(fetcher, question.url, signal);
        return { value, transfer: value.body === undefined ? [] : [value.body] };
      }
      case 'sleep':
        await waitFor(question.milliseconds, signal);
        return {};
      case 'page':
        return { value: await readPage(new Uint8Array(question.body), question.url) };
    }
  };
  try {
    yield* streamInThread<CatalogueTask, CatalogueQuestion, ImportBatch>({
      pool: threads,
      input: task,
      answer,
      deadline,
      signal,
    });
  } catch (error) {
    if (error instanceof TaskTooHeavy)
      throw new SourceError('source_too_heavy', `It took too much ${error.limit}.`, { cause: error });
    throw (error instanceof ThreadFailure && sourceErrorOf(error)) || error;
  }
}
