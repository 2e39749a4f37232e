import type { CopyDecision, CopyHost } from '@touchstone/contract';
import { sql } from 'kysely';
import type { Emit } from '../../core/registry/events.ts';
import { findStore } from '../../core/registry/find-store.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Database, inTransaction } from '../../platform/database/database.ts';
import type { TrustedRows } from '../../platform/database/trusted-rows.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { Scope } from '../../platform/http/access.ts';
import { readHosts, readStatements } from './read-hosts.ts';

export interface DecideContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly trusted: TrustedRows;
}

/**
 * Keeps what a merchant decides about a host; one that is mine or allowed may use the pictures of the store from then on.
 *
 * @throws ServiceError `store_unknown`, `copy_unknown`; `conflict` if there is nothing to confirm, or too many hosts are allowed
 */
export async function decideCopy(
  { db, clock, emit, trusted }: DecideContext,
  scope: Scope,
  { storeId, host }: { readonly storeId: string; readonly host: string },
  { state, confirms }: CopyDecision,
): Promise<CopyHost> {
  const { id, merchantId } = await findStore(db, scope, storeId);
  const store = { id, merchantId };
  const isLetBe = state === 'mine' || state === 'allowed';
  if (confirms !== undefined && !isLetBe)
    throw conflict('A statement is confirmed with the state mine or allowed.');
  return inTransaction(db, async (trx) => {
    const { rows } = await sql<{ was: string }>`
      with was as materialized (
        select state from copy_hosts where merchant_id = ${merchantId} and store_id = ${id} and host = ${host} for update)
      update copy_hosts set state = ${state}, confirmed = ${confirms ?? null}, missed = 0,
        check_at = ${isLetBe ? null : clock()}
      from was where merchant_id = ${merchantId} and store_id = ${id} and host = ${host}
      returning was.state as was`.execute(trx);
    const [decided] = rows;
    if (decided === undefined) throw new ServiceError('copy_unknown');
    const context = { db: trx, trusted };
    if (confirms !== undefined) {
      const stated = await readStatements(context, store, [host]);
      if (stated.get(host)?.says !== confirms)
        throw conflict('The owner of the host does not state that, or no longer: read the list again.');
    }
    if (isLetBe !== (decided.was === 'mine' || decided.was === 'allowed'))
      await emit(trx, 'hostAllowed', { merchantId, storeId: id, host, allowed: isLetBe });
    const [listed] = await readHosts(context, store, sql`h.host = ${host}`);
    if (listed === undefined) throw new ServiceError('copy_unknown');
    return listed.view;
  });
}

const conflict = (message: string) => new ServiceError('conflict', { message });
