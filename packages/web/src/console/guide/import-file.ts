import type { CatalogueProduct, CatalogueRow } from '@touchstone/catalogue';
import { CallError } from '../call-error.ts';
import type { ConsoleClient } from '../client.ts';

/** Failed rows with the same kind of problem. */
export interface RowProblem {
  readonly kind: string;
  readonly count: number;
  readonly example: { readonly row: number; readonly externalProductId?: string; readonly reason: string };
}

/** Progress of an upload. */
export interface FileProgress {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Number of rows that were not imported. */
  readonly failed: number;
  /** Bytes of the file that have been read, out of the total. */
  readonly readBytes: number;
  readonly bytes: number;
  readonly problems: readonly RowProblem[];
  readonly isDone: boolean;
}

/** Maximum rows and bytes per request, so that responses come soon and the progress bar moves. */
const BATCH_ROWS = 250;
const BATCH_BYTES = 400_000;
/** Maximum kinds of problems that are shown. */
const MOST_PROBLEMS = 30;

interface Sending {
  readonly client: ConsoleClient;
  readonly storeId: string;
  readonly storeUrl: string;
  readonly file: Blob;
  readonly onProgress: (progress: FileProgress) => void;
  readonly signal: AbortSignal;
}

/**
 * Reads a catalogue in this browser and sends its products to a store in batches. Sending it again is safe.
 *
 * @throws CallError if the service rejects a batch; earlier batches stay imported
 */
export async function importFile({
  client,
  storeId,
  storeUrl,
  file,
  onProgress,
  signal,
}: Sending): Promise<void> {
  // parsers are only loaded when there is a file
  const { readCatalogue } = await import('@touchstone/catalogue');
  const counter = new ImportCounter(file.size);
  const source = chunksOf(file, (bytes) => counter.read(bytes), signal);
  for await (const batch of batches(readCatalogue(source, { storeUrl }), counter)) {
    await send(client, storeId, batch, counter, signal);
    onProgress(counter.progress(false));
  }
  onProgress(counter.progress(true));
}

interface Row {
  readonly row: number;
  readonly product: CatalogueProduct;
}

async function* batches(rows: AsyncIterable<CatalogueRow>, counter: ImportCounter): AsyncGenerator<Row[]> {
  let batch: Row[] = [];
  let bytes = 0;
  for await (const row of rows) {
    if ('problem' in row) {
      const { code, reason, externalProductId } = row.problem;
      counter.problem(code, {
        row: row.problem.row,
        reason,
        ...(externalProductId === undefined ? {} : { externalProductId }),
      });
      continue;
    }
    const size = new TextEncoder().encode(JSON.stringify(row.product)).length;
    if (batch.length > 0 && (batch.length >= BATCH_ROWS || bytes + size > BATCH_BYTES)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push({ row: row.row, product: row.product });
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

/** A batch that the service finds too large is split in half. */
async function send(
  client: ConsoleClient,
  storeId: string,
  batch: readonly Row[],
  counter: ImportCounter,
  signal: AbortSignal,
): Promise<void> {
  try {
    const body = batch.map(({ product }) => product);
    const { results } = await client.call('putProducts', { params: { store_id: storeId }, body }, { signal });
    for (const [index, { row, product }] of batch.entries()) counter.result(row, product, results[index]);
  } catch (error) {
    if (!(error instanceof CallError) || error.status !== 413 || batch.length === 1) throw error;
    const half = Math.ceil(batch.length / 2);
    await send(client, storeId, batch.slice(0, half), counter, signal);
    await send(client, storeId, batch.slice(half), counter, signal);
  }
}

interface Result {
  readonly status: string;
  readonly errors?: readonly {
    readonly loc: readonly (string | number)[];
    readonly msg: string;
    readonly type: string;
  }[];
}

/** Counts the results of rows. */
class ImportCounter {
  private readonly counts = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  private readonly problems = new Map<string, RowProblem>();
  private readBytes = 0;
  private readonly bytes: number;

  constructor(bytes: number) {
    this.bytes = bytes;
  }

  read(bytes: number): void {
    this.readBytes += bytes;
  }

  problem(kind: string, example: RowProblem['example']): void {
    this.counts.failed++;
    const before = this.problems.get(kind);
    if (before !== undefined) this.problems.set(kind, { ...before, count: before.count + 1 });
    else if (this.problems.size < MOST_PROBLEMS) this.problems.set(kind, { kind, count: 1, example });
  }

  result(row: number, { externalProductId }: CatalogueProduct, result: Result | undefined): void {
    const { status = 'error', errors = [] } = result ?? {};
    if (status === 'created' || status === 'revived') this.counts.created++;
    else if (status === 'updated' || status === 'unchanged') this.counts[status]++;
    else {
      const kind = errors
        .map(({ type, loc }) => `${type} ${loc.filter((part) => typeof part === 'string').join('.')}`)
        .join(', ');
      const reason = errors.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ');
      this.problem(kind, { row, externalProductId, reason });
    }
  }

  progress(isDone: boolean): FileProgress {
    const { bytes, readBytes } = this;
    return { ...this.counts, bytes, readBytes, problems: [...this.problems.values()], isDone };
  }
}

async function* chunksOf(
  file: Blob,
  onRead: (bytes: number) => void,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      signal.throwIfAborted();
      onRead(next.value.length);
      yield next.value;
    }
  } finally {
    await reader.cancel();
  }
}
