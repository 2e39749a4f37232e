/** The module of the threads that parse what shops send, loaded by shop-threads.ts. */
import { type Ask, streamFrom } from '../../platform/threads/stream-in-thread.ts';
import type { StreamTask } from '../../platform/threads/stream-messages.ts';
import { yieldToRequests } from '../../platform/threads/thread-priority.ts';
import { productsIn } from './bulk-lines.ts';
import { type ListedProduct, listedRows } from './listed-rows.ts';
import type { ProductNode } from './queries.ts';
import { toldProduct } from './told-product.ts';

yieldToRequests();

/** Products in one batch: they are registered together. */
const BATCH = 50;

export interface BulkTask {
  /** Address of the storefront. */
  readonly storefront: string;
}

export interface BulkBatch {
  readonly whole: readonly ListedProduct[];
  /** Products of which only some lines were found together: to be read by themselves. */
  readonly parts: readonly string[];
}

/** Reads the file of a bulk operation, which it asks for chunk by chunk. */
export function readBulkInThread(task: StreamTask<BulkTask>): Promise<void> {
  return streamFrom(task, batchesOf);
}

async function* batchesOf({ storefront }: BulkTask, ask: Ask): AsyncGenerator<BulkBatch> {
  let whole: ProductNode[] = [];
  let parts: string[] = [];
  for await (const product of productsIn(chunks(ask))) {
    if (product.kind === 'whole') whole.push(product.node);
    else parts.push(product.id);
    if (whole.length + parts.length < BATCH) continue;
    yield { whole: await listedRows(whole, storefront), parts };
    whole = [];
    parts = [];
  }
  yield { whole: await listedRows(whole, storefront), parts };
}

async function* chunks(ask: Ask): AsyncGenerator<Uint8Array> {
  for (;;) {
    const chunk = await ask<ArrayBuffer | undefined>('chunk');
    if (chunk === undefined) return;
    yield new Uint8Array(chunk);
  }
}

/** Reads the body of a webhook. */
export function readToldProduct(body: ArrayBuffer): ReturnType<typeof toldProduct> {
  return toldProduct(Buffer.from(body));
}
