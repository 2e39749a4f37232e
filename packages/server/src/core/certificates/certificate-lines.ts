import { type Selectable, sql } from 'kysely';
import { announce } from '../../platform/cache/announce.ts';
import { type Database, type DatabaseTransaction, inTransaction } from '../../platform/database/database.ts';
import type { CertificateLinesTable } from '../../platform/database/tables.ts';
import type { NewEvent } from '../../platform/events/new-event.ts';
import { productChanges } from '../registry/context.ts';
import type { Emit } from '../registry/events.ts';
import type { StoreKey } from '../registry/find-store.ts';
import { settleDue } from './due-products.ts';
import type { Proof } from './proof.ts';
import { renewAt } from './renewal.ts';
import type { TakenProducts } from './take-due-products.ts';

/** A product and the proof of its current state; `null` if it is not active. */
export interface CheckedProduct {
  readonly productId: string;
  readonly proof: Pick<Proof, 'rowId' | 'kid' | 'issuedAt'> | null;
}

export interface Recorded {
  /** New certificates, and certificates that replace an earlier one. */
  readonly issued: number;
  readonly withdrawn: number;
  readonly unchanged: number;
}

type Line = Pick<Selectable<CertificateLinesTable>, 'product_id' | 'proof_id' | 'kid' | 'renew_at'>;

/** Weight of the latest batch in the moving average of the rate. */
const SMOOTHING = 0.2;

/**
 * Records the lines of products that have not changed since they were taken. The row of the store is locked until the commit, so
 * that positions increase in the order in which lines become visible.
 */
export async function recordLines(
  { db, emit }: { readonly db: Database; readonly emit: Emit },
  taken: TakenProducts,
  checked: readonly CheckedProduct[],
  now: Date,
): Promise<Recorded> {
  return inTransaction(db, async (trx) => {
    const store = await trx
      .selectFrom('certificate_stores')
      .select(['position', sql<string>`statement_timestamp()::text`.as('moment')])
      .where('merchant_id', '=', taken.store.merchantId)
      .where('store_id', '=', taken.store.id)
      .forUpdate()
      .executeTakeFirst();
    if (store === undefined) return { issued: 0, withdrawn: 0, unchanged: 0 };
    const ids = checked.map(({ productId }) => productId);
    const settled = await settleDue(trx, taken, ids);
    const before = new Map(
      (await readLines(trx, taken.store.merchantId, ids)).map((line) => [line.product_id, line]),
    );
    const changed = checked
      .filter(({ productId }) => settled.has(productId))
      .map(lineOf)
      .filter((line) => differs(line, before.get(line.product_id)));
    const issued = changed.filter(({ proof_id }) => proof_id !== null);
    const replaced = issued.filter(({ product_id }) => isCertificate(before.get(product_id)));
    const withdrawn = changed.length - issued.length;
    if (changed.length > 0) await writeLines(trx, taken.store, changed, store.position);
    // what is cached still carries the proof that was replaced
    await announce(trx, productChanges(replaced.map(({ product_id }) => product_id)));
    const { id: storeId, merchantId } = taken.store;
    await emit(trx, 'recorded', eventsOf({ merchantId, storeId, at: now }, { changed, issued, replaced }));
    // where rows are distributed, no function but an immutable one may stand in a condition of what is written
    const at = sql`${store.moment}::timestamptz`;
    await trx
      .updateTable('certificate_stores')
      .set({
        position: sql<string>`position + ${changed.length}::bigint`,
        certificates: sql<number>`certificates + ${issued.length - replaced.length - withdrawn}`,
        issued: sql<string>`issued + ${issued.length - replaced.length}::integer`,
        renewed: sql<string>`renewed + ${replaced.length}::integer`,
        withdrawn: sql<string>`withdrawn + ${withdrawn}::integer`,
        done: sql<number>`done + ${settled.size}::integer`,
        per_second: sql<number>`case when done_at is null then ${settled.size}::float8 / greatest(0.001,
            extract(epoch from ${at} - busy_since))
          else (1 - ${SMOOTHING}::float8) * per_second + ${SMOOTHING}::float8 * ${settled.size}::float8 / greatest(0.001,
            extract(epoch from ${at} - done_at)) end`,
        done_at: sql<Date>`${at}`,
      })
      .where('merchant_id', '=', taken.store.merchantId)
      .where('store_id', '=', taken.store.id)
      .execute();
    return { issued: issued.length, withdrawn, unchanged: settled.size - changed.length };
  });
}

function lineOf({ productId, proof }: CheckedProduct): Line {
  if (proof === null) return { product_id: productId, proof_id: null, kid: null, renew_at: null };
  const { rowId, kid, issuedAt } = proof;
  return { product_id: productId, proof_id: rowId, kid, renew_at: renewAt(productId, issuedAt) };
}

const isCertificate = (line: Line | undefined): boolean => line !== undefined && line.proof_id !== null;

/** A product that never had a certificate has none to withdraw. */
function differs(line: Line, before: Line | undefined): boolean {
  return line.proof_id !== (before?.proof_id ?? null);
}

async function readLines(
  trx: DatabaseTransaction,
  merchantId: string,
  productIds: readonly string[],
): Promise<Line[]> {
  const { rows } = await sql<Line>`
    select product_id, proof_id, kid, renew_at from certificate_lines
    where merchant_id = ${merchantId} and product_id = any(${productIds}::uuid[])`.execute(trx);
  return rows;
}

async function writeLines(
  trx: DatabaseTransaction,
  { id, merchantId }: StoreKey,
  lines: readonly Line[],
  position: string,
): Promise<void> {
  await sql`
    insert into certificate_lines (merchant_id, product_id, store_id, position, proof_id, kid, renew_at)
      select ${merchantId}, product_id, ${id}, ${position}::bigint + place, proof_id, kid, renew_at
      from unnest(${lines.map(({ product_id }) => product_id)}::uuid[],
                  ${lines.map(({ proof_id }) => proof_id)}::bigint[],
                  ${lines.map(({ kid }) => kid)}::text[],
                  ${lines.map(({ renew_at }) => renew_at)}::timestamptz[])
        with ordinality as line (product_id, proof_id, kid, renew_at, place)
    on conflict (merchant_id, product_id) do update set store_id = excluded.store_id, position = excluded.position,
      proof_id = excluded.proof_id, kid = excluded.kid, renew_at = excluded.renew_at`.execute(trx);
}

/** For subscribers that publish certificates on pages. */
function eventsOf(
  where: Pick<NewEvent, 'merchantId' | 'storeId' | 'at'>,
  lines: {
    readonly changed: readonly Line[];
    readonly issued: readonly Line[];
    readonly replaced: readonly Line[];
  },
): readonly NewEvent[] {
  const [issued, replaced] = [new Set(lines.issued), new Set(lines.replaced)];
  const kinds = [
    ['certificate.issued', lines.issued.filter((line) => !replaced.has(line))],
    ['certificate.renewed', lines.replaced],
    ['certificate.withdrawn', lines.changed.filter((line) => !issued.has(line))],
  ] as const;
  return kinds
    .filter(([, ofType]) => ofType.length > 0)
    .map(([type, ofType]) => ({
      ...where,
      type,
      items: { productIds: ofType.map(({ product_id }) => product_id) },
    }));
}
