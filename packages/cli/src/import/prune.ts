import type { ProductView } from '@touchstone/contract';
import type { ServiceClient } from '../client.ts';
import { confirm, isAttended, UNATTENDED } from '../confirm.ts';
import type { Progress } from '../output/progress.ts';
import { pagesOf } from '../registry-client.ts';
import type { Session } from '../session.ts';

/** Above this fraction of a store's products, their absence is more likely a mistake. */
const SUSPICIOUS = 0.2;

export type MissingProduct = Pick<ProductView, 'id' | 'externalProductId'>;

interface Prunable {
  /** Number of the store's products, except deleted ones. */
  readonly all: number;
  /** Products that the source does not contain. */
  readonly gone: readonly MissingProduct[];
}

/** Result of pruning. */
export interface Pruned {
  readonly deleted: number;
  /** Confirmation was required, and the user could not be asked. */
  readonly refused: boolean;
}

/** Finds products of the store that the source does not contain. */
export async function findMissing(
  client: ServiceClient,
  storeId: string,
  seen: ReadonlySet<string>,
): Promise<Prunable> {
  const gone: MissingProduct[] = [];
  let all = 0;
  const params = { store_id: storeId };
  const pages = pagesOf((cursor) => client.call('listProducts', { params, query: { limit: 500, cursor } }));
  for await (const { products } of pages) {
    all += products.length;
    for (const { id, externalProductId } of products)
      if (!seen.has(externalProductId)) gone.push({ id, externalProductId });
  }
  return { all, gone };
}

/**
 * Deletes products that the source no longer contains; asks for confirmation if they are more than a fifth of the store. If the user cannot
 * be asked, none is deleted and standard error says why; the import itself is done by then.
 *
 * @param canAsk - whether standard input is free for the answer
 */
export async function prune(
  session: Session,
  client: ServiceClient,
  { all, gone }: Prunable,
  options: { readonly yes: boolean | undefined; readonly canAsk: boolean; readonly progress: Progress },
): Promise<Pruned> {
  const share = all === 0 ? 0 : gone.length / all;
  if (share > SUSPICIOUS && options.yes !== true) {
    const question = `${gone.length} of ${all} products of this store would be deleted (${Math.round(share * 100)} %).`;
    options.progress.end();
    const undone = 'Nothing was deleted.';
    if (!isAttended(session, options.canAsk)) {
      session.io.stderr.write(`${question} ${undone}\n${UNATTENDED}\n`);
      return { deleted: 0, refused: true };
    }
    const answer = { verb: 'Delete them', undone, canAsk: options.canAsk };
    if (!(await confirm(session, question, answer))) return { deleted: 0, refused: false };
  }
  let deleted = 0;
  for (const { id } of gone) {
    if (session.io.stop.aborted) break;
    await client.call('deleteProduct', { params: { product_id: id } });
    deleted++;
    options.progress.update({ done: deleted, total: gone.length, failed: 0 });
  }
  return { deleted, refused: false };
}
