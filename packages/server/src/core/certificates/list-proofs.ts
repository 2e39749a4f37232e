import { isDeepStrictEqual } from 'node:util';
import { PROOF_LIFETIME, type ProductSnapshot } from '@touchstone/certificate';
import type { ProductProof, ProductProofs, ProductProofsQuery } from '@touchstone/contract';
import { PROVEN_MEMBERS } from '@touchstone/contract';
import { sql } from 'kysely';
import type { Scope } from '../../platform/http/access.ts';
import { pageOf, type Registry } from '../registry/context.ts';
import { merchantIn } from '../registry/find-store.ts';
import { getProduct } from '../registry/products/read-products.ts';
import type { SnapshotLoader } from './load-snapshot.ts';
import type { ProofStore } from './proof-store.ts';
import { PURGED_AFTER } from './proof-table.ts';

export interface ProofHistory {
  readonly snapshots: Pick<SnapshotLoader, 'product'>;
  readonly proofs: Pick<ProofStore, 'recordedFor'>;
}

/** Milliseconds for which a proof is kept after its creation. */
const RETENTION = PROOF_LIFETIME * 1000 + PURGED_AFTER;

interface Row {
  readonly id: string;
  readonly generation: number;
  readonly kid: string;
  readonly snapshot_hash: Buffer;
  readonly snapshot: ProductSnapshot;
  readonly issued_at: Date;
  readonly expires_at: Date;
  readonly revoked_at: Date | null;
}

/** The stored proofs of a product, newest first. Throws `product_unknown`, also for a product out of scope. */
export async function listProofs(
  { snapshots, proofs }: ProofHistory,
  registry: Registry,
  scope: Scope,
  productId: string,
  { cursor, limit }: ProductProofsQuery,
): Promise<ProductProofs> {
  const { id, state, createdAt, withdrawnAt } = await getProduct(registry, scope, productId);
  const loaded = state === 'active' ? await snapshots.product(id) : null;
  const served =
    loaded?.state === 'active'
      ? await proofs.recordedFor({
          merchantId: loaded.merchantId,
          kind: 'product',
          id,
          snapshot: loaded.snapshot,
          withdrawnAt: loaded.withdrawnAt,
        })
      : null;
  const { rows } = await sql<Row>`
    select p.id, generation, p.kid, snapshot_hash, snapshot, issued_at, expires_at, k.revoked_at
    from proofs p join signing_keys k on k.kid = p.kid
    where p.merchant_id = ${merchantIn(scope, id)} and p.kind = 'product' and subject_id = ${id} and signature is not null
      and (p.id < ${cursor ?? null}::bigint) is not false
    order by p.id desc limit ${limit + 1}`.execute(registry.db);
  const { page, next } = pageOf(rows, limit, (row) => row.id);
  const now = registry.clock();
  // within this time none of its proofs can have been deleted
  const isWhole = now.getTime() < Date.parse(createdAt) + RETENTION;
  return {
    productId: id,
    keptDays: RETENTION / 86_400_000,
    proofs: page.map((row, index) => ({
      issuedAt: row.issued_at.toISOString(),
      expiresAt: row.expires_at.toISOString(),
      kid: row.kid,
      ...(row.revoked_at === null ? {} : { keyRevokedAt: row.revoked_at.toISOString() }),
      state: row.id === served ? 'current' : stateOf(row, now, withdrawnAt),
      ...reasonOf(row, rows[index + 1], isWhole, withdrawnAt),
    })),
    ...next,
  };
}

function stateOf(row: Row, now: Date, withdrawnAt: string | undefined): ProductProof['state'] {
  const { revoked_at, expires_at } = row;
  if (revoked_at !== null) return 'key_revoked';
  if (wasWithdrawn(row, withdrawnAt)) return 'withdrawn';
  return expires_at <= now ? 'expired' : 'valid';
}

function reasonOf(
  row: Row,
  before: Row | undefined,
  isWhole: boolean,
  withdrawnAt: string | undefined,
): Pick<ProductProof, 'reason' | 'changed'> {
  if (before === undefined) {
    if (row.generation > 1) return { reason: 'renewed' };
    return { reason: isWhole ? 'first' : 'not_known' };
  }
  const changed = PROVEN_MEMBERS.filter((name) =>
    name === 'control'
      ? hasOtherControl(row.snapshot, before.snapshot)
      : !isDeepStrictEqual(row.snapshot[name], before.snapshot[name]),
  );
  if (changed.length > 0) return { reason: 'changed', changed };
  if (wasWithdrawn(before, withdrawnAt) && !wasWithdrawn(row, withdrawnAt)) return { reason: 'withdrawn' };
  if (wasRevoked(before, row)) return { reason: 'key_revoked' };
  return { reason: row.snapshot_hash.equals(before.snapshot_hash) ? 'renewed' : 'form_changed' };
}

/** Whether control of the host was proven, proven anew or lost in between; a later check changes nothing, and older proofs say nothing. */
function hasOtherControl({ control: now }: ProductSnapshot, { control: before }: ProductSnapshot): boolean {
  if (now === undefined || before === undefined) return false;
  return now.method !== before.method || now.provenAt !== before.provenAt;
}

/** Of several withdrawals, the last one is known. */
function wasWithdrawn({ issued_at }: Row, withdrawnAt: string | undefined): boolean {
  return withdrawnAt !== undefined && issued_at <= new Date(withdrawnAt);
}

/** Whether the key of the previous proof was revoked before this proof was issued. */
function wasRevoked({ kid, revoked_at }: Row, row: Row): boolean {
  // a proof states its time in whole seconds
  return revoked_at !== null && kid !== row.kid && inSeconds(revoked_at) <= inSeconds(row.issued_at);
}

const inSeconds = (time: Date): number => Math.floor(time.getTime() / 1000);
