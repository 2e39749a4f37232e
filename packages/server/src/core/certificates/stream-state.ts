import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import type { Scope } from '../../platform/http/access.ts';
import { findStore } from '../registry/find-store.ts';
import { makeCursor } from './stream-certificates.ts';

/** What the stream of a store consists of at a moment. */
export interface StreamState {
  readonly store: { readonly name: string; readonly url: string };
  /** Everything that the stream tells now stands before it. */
  readonly cursor: string;
  /** Products of the store that were not deleted, and how many of them have a certificate. */
  readonly products: number;
  readonly certificates: number;
  /** Equal as long as neither a certificate nor a product has changed. */
  readonly version: string;
}

/** @throws ServiceError `store_unknown` */
export type ReadStreamState = (scope: Scope, storeId: string) => Promise<StreamState>;

export function createReadStreamState(db: Database): ReadStreamState {
  return async (scope, storeId) => {
    const { id, merchantId, name, url } = await findStore(db, scope, storeId);
    const { rows } = await sql<StateRow>`
      select coalesce(s.position, 0)::text as position, coalesce(s.certificates, 0) as certificates, p.products, p.changed, due.count as due
      from (select count(*) filter (where deleted_at is null)::integer as products,
          coalesce(max(extract(epoch from updated_at)), 0)::text as changed
        from products where merchant_id = ${merchantId} and store_id = ${id}) p
      cross join (select count(*)::integer from certificate_due where merchant_id = ${merchantId} and store_id = ${id}) due
      left join certificate_stores s on s.merchant_id = ${merchantId} and s.store_id = ${id}`.execute(db);
    const [{ position, certificates, products, changed, due }] = rows as [StateRow];
    return {
      store: { name, url },
      cursor: makeCursor(id, position),
      products,
      certificates,
      version: [position, changed, products, due].join('-'),
    };
  };
}

interface StateRow {
  readonly position: string;
  readonly certificates: number;
  readonly products: number;
  readonly changed: string;
  readonly due: number;
}
