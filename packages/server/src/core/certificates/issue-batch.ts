import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { BackgroundLoad, BackgroundPace } from '../../platform/limits/background-pace.ts';
import type { Emit } from '../registry/events.ts';
import type { StoreKey } from '../registry/find-store.ts';
import { type CheckedProduct, recordLines } from './certificate-lines.ts';
import { postponeDue } from './due-products.ts';
import type { SnapshotLoader } from './load-snapshot.ts';
import type { ProofAhead } from './proof.ts';
import { DatedAheadError } from './proof-intents.ts';
import type { ProofStore } from './proof-store.ts';
import { releaseBatch } from './release-due-products.ts';
import { type TakenProducts, takeDue } from './take-due-products.ts';

export interface IssueAheadOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly snapshots: Pick<SnapshotLoader, 'products'>;
  readonly proofs: Pick<ProofStore, 'proofsAhead'>;
  readonly emit: Emit;
  readonly pace: BackgroundPace;
  readonly onIssued?: (outcome: IssueOutcome, count: number) => void;
}

/** What became of a product that was due. */
export type IssueOutcome = 'issued' | 'withdrawn' | 'unchanged' | 'failed';

/**
 * Issues or withdraws the certificates of one batch of a store's due products.
 *
 * @param lease - of the job that runs the batch
 * @returns how many products were checked; 0 when none was due
 */
export type IssueBatch = (store: StoreKey, lease?: string) => Promise<number>;

/**
 * A batch holds as many products as the pace allows. Any number of nodes may run batches at once: each product is taken by one.
 *
 * @throws ServiceError when no certificate can be issued now (`signer_unavailable`, `database_unavailable`): all stay due
 */
export function createIssueBatch(options: IssueAheadOptions): IssueBatch {
  const { db, clock, pace, onIssued = () => {} } = options;
  return (store, lease) =>
    pace.run(async (load) => {
      const taken = await takeDue(db, store, load.items, clock(), lease);
      if (taken === null) return 0;
      try {
        const results = await checkProducts(options, taken, load);
        const failed = results.flatMap(({ productId, proof }) =>
          proof instanceof Error ? [{ productId, failure: failureOf(proof, clock()) }] : [],
        );
        const checked = results.flatMap(({ productId, proof }): CheckedProduct[] =>
          proof instanceof Error ? [] : [{ productId, proof }],
        );
        const recorded = await recordLines(options, taken, checked, clock());
        if (failed.length > 0) await postponeDue(db, taken, failed);
        for (const outcome of ['issued', 'withdrawn', 'unchanged'] as const)
          onIssued(outcome, recorded[outcome]);
        onIssued('failed', failed.length);
        return taken.productIds.length;
      } catch (error) {
        await releaseBatch(db, taken).catch(() => {});
        throw error;
      }
    });
}

async function checkProducts(
  { snapshots, proofs }: IssueAheadOptions,
  { store, productIds }: TakenProducts,
  load: BackgroundLoad,
): Promise<{ readonly productId: string; readonly proof: ProofAhead | Error | null }[]> {
  const loaded = await snapshots.products(store.merchantId, productIds);
  const active = loaded.flatMap((product) => (product?.state === 'active' ? [product] : []));
  const made = await proofs.proofsAhead(
    active.map(({ snapshot, merchantId, withdrawnAt }) => ({
      merchantId,
      kind: 'product',
      id: snapshot.productId,
      snapshot,
      withdrawnAt,
    })),
    load,
  );
  // of one product only
  const isAhead = (proof: unknown) => proof instanceof DatedAheadError;
  const unavailable = made.find((proof) => proof instanceof ServiceError && !isAhead(proof));
  if (unavailable !== undefined) throw unavailable;
  const proofOf = new Map(active.map(({ snapshot }, index) => [snapshot.productId, made[index] ?? null]));
  return productIds.map((productId) => ({ productId, proof: proofOf.get(productId) ?? null }));
}

function failureOf(error: Error, now: Date) {
  return { code: 'certificate_not_made', detail: error.message, at: now.toISOString() };
}
