import type { CatalogueProduct, CatalogueRow } from '@touchstone/catalogue';
import type { ServiceClient } from '../client/service-client.ts';
import type { Progress } from './progress.ts';
import { putProducts } from './registry.ts';
import type { Summary } from './summary.ts';

/** Rows of one call at the most; half of what the registry takes. */
const BATCH_ROWS = 500;
/** Bytes of one call at the most; well under the usual limit of a body. */
const BATCH_BYTES = 800_000;

interface Pending {
  readonly row: number;
  readonly product: CatalogueProduct;
}

/**
 * Sends a catalogue to a store in batches and notes what became of each row.
 *
 * @throws CliError when the service stops answering; what went before stays in, and sending again is safe
 */
export async function sendCatalogue(
  rows: AsyncIterable<CatalogueRow>,
  to: { readonly client: ServiceClient; readonly storeId: string; readonly stop: AbortSignal },
  summary: Summary,
  progress: Progress,
  total: number | undefined,
): Promise<void> {
  let batch: Pending[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    if (batch.length === 0) return;
    const outcomes = await putProducts(
      to.client,
      to.storeId,
      batch.map(({ product }) => product),
    );
    for (const [i, { row, product }] of batch.entries()) {
      const outcome = outcomes[i] ?? {
        status: 'error',
        reason: 'The service did not say what became of it.',
      };
      summary.outcome(row, product.externalProductId, outcome);
    }
    batch = [];
    bytes = 0;
    const { failed } = summary.counts;
    progress.update({ done: summary.in + failed, failed, ...(total === undefined ? {} : { total }) });
  };
  for await (const row of rows) {
    if (to.stop.aborted) break;
    count(row, summary);
    if ('problem' in row) continue;
    const size = new TextEncoder().encode(JSON.stringify(row.product)).length;
    if (batch.length >= BATCH_ROWS || (batch.length > 0 && bytes + size > BATCH_BYTES)) await flush();
    batch.push({ row: row.row, product: row.product });
    bytes += size;
  }
  await flush();
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
