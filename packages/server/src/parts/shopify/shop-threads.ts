import type { Tinypool } from 'tinypool';
import { isOutOfMemory, openThreads, ownBuffer } from '../../platform/threads/thread-pool.ts';
import { streamInThread, TaskTooHeavy, ThreadFailure } from '../../platform/threads/thread-stream.ts';
import { BrokenFile } from './bulk-lines.ts';
import type { BulkBatch, BulkTask } from './shop-thread.ts';
import { type ToldProduct, toldProduct } from './told-product.ts';

/** Megabytes of a thread's old generation: the products that are assembled at a time take a tenth. */
const HEAP_MEGABYTES = 256;
const RECYCLE_ABOVE = 72_000_000;
/** Milliseconds after which a thread without work ends. */
const IDLE_TIME = 30_000;
/** Milliseconds that a thread may work on one batch, or on one webhook. */
const DEADLINE = 30_000;
/** Bytes of a webhook up to which a thread would cost more than parsing it, whatever it contains. */
const SMALL = 100_000;

/** Threads that parse what shops send, apart from the one that answers requests. */
export function openShopThreads(most: number, onThreadFault: (error: unknown) => void): Tinypool {
  return openThreads({
    module: new URL('./shop-thread.ts', import.meta.url),
    run: 'readBulkInThread',
    least: 0,
    most,
    heapMegabytes: HEAP_MEGABYTES,
    recycleAbove: RECYCLE_ABOVE,
    idleTime: IDLE_TIME,
    onThreadFault,
  });
}

/**
 * The products in the file of a bulk operation, in batches.
 *
 * @throws BrokenFile, also for a file that takes too much time or memory; errors of `bytes`; the reason of `signal`
 */
export async function* readBulk(
  pool: Tinypool,
  input: BulkTask,
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<BulkBatch, void, undefined> {
  const chunks = bytes[Symbol.asyncIterator]();
  const answer = async () => {
    const next = await chunks.next();
    if (next.done === true) return {};
    const value = ownBuffer(next.value);
    return { value, transfer: [value] };
  };
  try {
    yield* streamInThread<BulkTask, unknown, BulkBatch>({ pool, input, answer, deadline: DEADLINE, signal });
  } catch (error) {
    if (error instanceof TaskTooHeavy) throw new BrokenFile(error.message, { cause: error });
    if (error instanceof ThreadFailure && error.code === BrokenFile.code)
      throw new BrokenFile(error.message, { cause: error });
    throw error;
  } finally {
    await chunks.return?.();
  }
}

/** The product that a webhook names; `null` if it names none, or its body takes too much time or memory. */
export async function readWebhook(pool: Tinypool, bytes: Buffer): Promise<ToldProduct | null> {
  if (bytes.byteLength <= SMALL) return toldProduct(bytes);
  const body = new Uint8Array(bytes).buffer;
  const timeout = AbortSignal.timeout(DEADLINE);
  try {
    return await pool.run(body, { name: 'readToldProduct', transferList: [body], signal: timeout });
  } catch (error) {
    if (timeout.aborted || isOutOfMemory(error)) return null;
    throw error;
  }
}
