import type { CatalogueProduct, CatalogueRow, CatalogueShape } from '@touchstone/catalogue';
import type { ServiceClient } from '../client.ts';
import { putProducts, type StoreView } from './registry.ts';
import type { Summary } from './summary.ts';

/** Rows of one call at the most; half of what the registry takes. */
const BATCH_ROWS = 500;
/** Bytes of one call at the most, so that each is soon answered and progress is seen. */
const BATCH_BYTES = 800_000;

export interface Destination {
  readonly client: ServiceClient;
  /** Asked once, when there is a first product to send: an empty file makes no store. */
  readonly store: (shape: CatalogueShape) => Promise<StoreView>;
  readonly stop: AbortSignal;
}

/**
 * Sends a catalogue to a store in batches and notes what became of each row.
 *
 * @param onSent - called after each batch
 * @returns the store; `undefined` when nothing was sent
 * @throws CliError when the service stops answering; what went before stays in, and sending again is safe
 */
export async function sendCatalogue(
  rows: Iterable<CatalogueRow>,
  to: Destination,
  summary: Summary,
  onSent: () => void,
): Promise<StoreView | undefined> {
  let store: StoreView | undefined;
  for (const batch of batches(rows, summary)) {
    if (to.stop.aborted) break;
    store ??= await to.store(batch.shape);
    const outcomes = await putProducts(to.client, store.id, batch.products);
    for (const [i, product] of batch.products.entries()) {
      const outcome = outcomes[i] ?? {
        status: 'error',
        reason: 'The service did not say what became of it.',
      };
      summary.outcome(batch.rows[i] ?? 0, product.externalProductId, outcome);
    }
    onSent();
  }
  return store;
}

interface Batch {
  readonly shape: CatalogueShape;
  readonly products: CatalogueProduct[];
  /** Place of each in the file. */
  readonly rows: number[];
}

/** Products in portions to send; problems go to the summary on the way. */
function* batches(rows: Iterable<CatalogueRow>, summary: Summary): Generator<Batch, void, undefined> {
  let batch: Batch | undefined;
  let bytes = 0;
  for (const row of rows) {
    count(row, summary);
    if ('problem' in row) continue;
    const size = new TextEncoder().encode(JSON.stringify(row.product)).length;
    if (batch !== undefined && (batch.products.length >= BATCH_ROWS || bytes + size > BATCH_BYTES)) {
      yield batch;
      batch = undefined;
      bytes = 0;
    }
    batch ??= { shape: row.shape, products: [], rows: [] };
    batch.products.push(row.product);
    batch.rows.push(row.row);
    bytes += size;
  }
  if (batch !== undefined) yield batch;
}

/** Takes a row into the summary, sent or not. */
export function count(row: CatalogueRow, summary: Summary): void {
  if ('problem' in row) {
    summary.problem(row.problem);
    return;
  }
  summary.products++;
  summary.images += row.product.images.length;
  if (row.product.visible === false) summary.hidden++;
  for (const note of row.notes) summary.note(note);
}
