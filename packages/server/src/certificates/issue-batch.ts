import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { ServiceError } from '../platform/errors.ts';
import type { BackgroundLoad, BackgroundPace } from '../platform/limits/background-pace.ts';
import { type LookedAt, recordLines } from './certificate-lines.ts';
import { giveBackDue, putOffDue, takeDue } from './due-products.ts';
import type { SnapshotLoader } from './load-snapshot.ts';
import type { ProofAhead } from './proof.ts';
import type { ProofStore } from './proof-store.ts';

export interface IssueAheadOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly snapshots: Pick<SnapshotLoader, 'products'>;
  readonly proofs: Pick<ProofStore, 'proofsAhead'>;
  readonly pace: BackgroundPace;
  readonly onIssued?: (outcome: IssueOutcome, count: number) => void;
}

/** What became of a product that was looked at. */
export type IssueOutcome = 'issued' | 'withdrawn' | 'unchanged' | 'failed';

/**
 * Looks at one batch of a store's products that are due.
 *
 * @param lease - of the job that does it
 */
export type IssueBatch = (storeId: string, lease?: string) => Promise<number>;

/**
 * Makes the certificates of products that are due, of one store and as many as the pace allows; on any number of nodes at
 * once each product is taken by one. Answers how many were looked at: 0 when there was nothing to do.
 *
 * @throws ServiceError when none can be made now (`signer_unavailable`, `database_unavailable`): all stay due
 */
export function createIssueBatch(options: IssueAheadOptions): IssueBatch {
  const { db, clock, pace, onIssued = () => {} } = options;
  return (storeId, lease) =>
    pace.run(async (load) => {
      const taken = await takeDue(db, storeId, load.items, clock(), lease);
      if (taken === null) return 0;
      try {
        const looked = await look(options, taken.productIds, load);
        const failed = looked.flatMap(({ productId, proof }) =>
          proof instanceof Error ? [{ productId, failure: failureOf(proof, clock()) }] : [],
        );
        const found = looked.flatMap(({ productId, proof }): LookedAt[] =>
          proof instanceof Error ? [] : [{ productId, proof }],
        );
        const recorded = await recordLines(db, taken, found, clock());
        if (failed.length > 0) await putOffDue(db, taken, failed);
        for (const outcome of ['issued', 'withdrawn', 'unchanged'] as const)
          onIssued(outcome, recorded[outcome]);
        onIssued('failed', failed.length);
        return taken.productIds.length;
      } catch (error) {
        await giveBackDue(db, taken).catch(() => {});
        throw error;
      }
    });
}

async function look(
  { snapshots, proofs }: IssueAheadOptions,
  productIds: readonly string[],
  load: BackgroundLoad,
): Promise<{ readonly productId: string; readonly proof: ProofAhead | Error | null }[]> {
  const loaded = await snapshots.products(productIds);
  const active = loaded.flatMap((product) => (product?.state === 'active' ? [product] : []));
  const made = await proofs.proofsAhead(
    active.map(({ snapshot }) => ({ kind: 'product', id: snapshot.productId, snapshot })),
    load,
  );
  const unavailable = made.find((proof) => proof instanceof ServiceError);
  if (unavailable !== undefined) throw unavailable;
  const proofOf = new Map(active.map(({ snapshot }, index) => [snapshot.productId, made[index] ?? null]));
  return productIds.map((productId) => ({ productId, proof: proofOf.get(productId) ?? null }));
}

function failureOf(error: Error, now: Date) {
  return { code: 'certificate_not_made', detail: error.message, at: now.toISOString() };
}
