import type { DomainProof } from '@touchstone/contract';
import { inTransaction } from '../../../platform/database/database.ts';
import { readOwner } from '../../../platform/database/hostname-owners.ts';
import { ServiceError } from '../../../platform/errors.ts';
import type { Registry } from '../context.ts';
import { type Checking, checkOwner, type OwnerCheck } from './check-owner.ts';
import { contestEnd } from './control-schedule.ts';
import { findClaimed, readClaim } from './find-claim.ts';
import { lockHostnames } from './hostname-claims.ts';
import { recordOwner, storesWith, tellStores } from './owners.ts';
import { adviceAfter } from './proof-advice.ts';

/** A store whose merchant proved control of a hostname that another merchant owns. */
export interface Contest {
  readonly hostname: string;
  readonly storeId: string;
  readonly merchantId: string;
}

/**
 * Checks the owner of a hostname, of which another merchant has just proven control. If its challenge is not found either,
 * both are checked again in an hour (`decideContest`): code injected into a page for a moment takes no shop.
 *
 * @returns when that is; `undefined`: it is due, or nobody owns the hostname any more
 * @throws ServiceError `hostname_taken`: the owner still controls it; `network_unavailable`
 */
export async function contest(checking: Checking, rival: Contest): Promise<Date | undefined> {
  const { registry } = checking;
  const { hostname } = rival;
  const begunAt = registry.clock();
  const present = await contestOf(registry, rival);
  if (present !== undefined) {
    const decidedAt = contestEnd(present);
    return decidedAt > begunAt ? decidedAt : undefined;
  }
  const owner = await readOwner(registry.db, registry.secrets.rows, hostname);
  if (owner === null) return undefined;
  const check = await checkOwner({ ...checking, reason: 'contested' }, owner);
  if (check.proof !== undefined) throw new ServiceError('hostname_taken');
  if (check.provenUntil === undefined) return undefined;
  await begin(registry, rival, check, begunAt);
  return contestEnd(begunAt);
}

async function contestOf(registry: Registry, { hostname, storeId }: Contest): Promise<Date | undefined> {
  const row = await registry.db
    .selectFrom('control_contests')
    .select('begun_at')
    .where('hostname', '=', hostname)
    .where('store_id', '=', storeId)
    .executeTakeFirst();
  return row?.begun_at;
}

async function begin(
  registry: Registry,
  { hostname, storeId }: Contest,
  { claim, saw }: OwnerCheck,
  begunAt: Date,
): Promise<void> {
  await inTransaction(registry.db, async (trx) => {
    await lockHostnames(trx, [hostname]);
    const decidedAt = contestEnd(begunAt);
    await trx
      .insertInto('control_contests')
      .values({ hostname, store_id: storeId, begun_at: begunAt, check_at: decidedAt })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const detail = {
      lookedFor: claim.challenge,
      saw,
      nextStep: adviceAfter([...saw], claim),
      decidedAt: decidedAt.toISOString(),
    };
    await tellStores(registry, trx, claim.merchantId, await storesWith(trx, claim.merchantId, hostname), {
      type: 'domain.contested',
      hostname,
      detail,
    });
  });
}

/**
 * Checks both again, an hour later: the hostname changes hands if the owner's challenge is missing and that of the other
 * merchant is there. Otherwise the contest ends without effect.
 *
 * @throws ServiceError `network_unavailable`: nothing is decided yet
 */
export async function decideContest(checking: Checking, rival: Contest): Promise<void> {
  const { registry, ports, signal } = checking;
  const { hostname, merchantId, storeId } = rival;
  const owner = await readOwner(registry.db, registry.secrets.rows, hostname);
  if (owner?.merchant_id === merchantId) return end(registry, rival);
  const check = owner === null ? undefined : await checkOwner({ ...checking, reason: 'contested' }, owner);
  if (check?.proof !== undefined) return;
  const claim = await readClaim(registry, merchantId, hostname);
  const checkedAt = registry.clock();
  const saw: DomainProof['saw'] = claim === undefined ? [] : await findClaimed(ports, claim, signal);
  const proof = saw.find(({ found }) => found);
  if (proof === undefined) return end(registry, rival);
  const displacing = check === undefined ? undefined : { merchantId: check.claim.merchantId, storeId };
  try {
    await recordOwner(registry, { hostname, merchantId, method: proof.method, checkedAt }, displacing);
  } catch (error) {
    if (!(error instanceof ServiceError && LOST.has(error.code))) throw error;
    await end(registry, rival);
  }
}

/** The owner was confirmed meanwhile, or the hostname was removed from the store. */
const LOST: ReadonlySet<string> = new Set(['hostname_taken', 'domain_unknown_to_store']);

async function end(registry: Registry, { hostname, storeId }: Contest): Promise<void> {
  await registry.db
    .deleteFrom('control_contests')
    .where('hostname', '=', hostname)
    .where('store_id', '=', storeId)
    .execute();
}
