import type { CatalogueProduct, CatalogueRow, CatalogueShape } from '@touchstone/catalogue';
import type { ServiceClient } from '../client.ts';
import { putProducts, type StoreView } from './registry.ts';
import type { Summary } from './summary.ts';

/** Maximum rows per call; half of the registry's limit. */
const BATCH_ROWS = 500;
/** Maximum bytes per call, so that each is answered quickly and progress is visible. */
const BATCH_BYTES = 800_000;

interface Destination {
  readonly client: ServiceClient;
  /** Called once, before the first product is sent: an empty file creates no store. */
  readonly store: (shape: CatalogueShape) => Promise<StoreView>;
  readonly stop: AbortSignal;
}

/**
 * Sends a catalogue to a store in batches and records the result of each row.
 *
 * @param onSent - called after each batch
 * @returns the store; `undefined` if nothing was sent
 * @throws CliError if the service stops answering; earlier batches stay imported, and sending again is safe
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
        reason: 'The service returned no result for it.',
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
  /** Row number of each product in the file. */
  readonly rows: number[];
}

/** Batches of products to send; problems are added to the summary. */
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

/** Adds a row to the summary, sent or not. */
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
