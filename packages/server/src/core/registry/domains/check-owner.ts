import type { DomainProof } from '@touchstone/contract';
import type { DatabaseTransaction } from '../../../platform/database/database.ts';
import { inTransaction } from '../../../platform/database/database.ts';
import { type HostnameOwner, readOwner, updateOwner } from '../../../platform/database/hostname-owners.ts';
import type { ControlChecksTable } from '../../../platform/database/tables.ts';
import { ServiceError } from '../../../platform/errors.ts';
import type { Registry } from '../context.ts';
import { afterFault, afterMiss, afterSuccess, endsProof, graceEnd } from './control-schedule.ts';
import { type Claim, findClaimed, readClaim } from './find-claim.ts';
import type { DomainProofPorts } from './find-proof.ts';
import { endProof, lockHostnames } from './hostname-claims.ts';
import { storesWith, tellStores } from './owners.ts';
import { howToProve } from './proof-advice.ts';

type Place = DomainProof['saw'][number];
type Reason = ControlChecksTable['reason'];

export interface Checking {
  readonly registry: Registry;
  readonly ports: DomainProofPorts;
  readonly reason: Reason;
  readonly signal: AbortSignal;
}

/** What a check of an owner found. */
export interface OwnerCheck {
  readonly claim: Claim;
  readonly saw: readonly Place[];
  /** Where the challenge was found. */
  readonly proof?: Place;
  /** It was not found: when the proof ends, if it still counts. */
  readonly provenUntil?: Date;
}

/**
 * Looks for the challenge of the owner of a hostname, and records the result: a miss begins the 14 days after which a further
 * miss ends the ownership, a success ends them.
 *
 * @throws ServiceError `network_unavailable`: our own network failed, which is no miss
 */
export async function checkOwner(
  { registry, ports, reason, signal }: Checking,
  { hostname, merchant_id: merchantId, method }: HostnameOwner,
): Promise<OwnerCheck> {
  const found = await readClaim(registry, merchantId, hostname);
  if (found === undefined) throw new ServiceError('domain_unknown_to_store');
  const claim = { ...found, first: method };
  const checkedAt = registry.clock();
  const check = { claim, checkedAt, reason };
  try {
    const saw = await findClaimed(ports, claim, signal);
    const proof = saw.find((place) => place.found);
    if (proof !== undefined) {
      await recordSuccess(registry, check, proof);
      return { claim, saw, proof };
    }
    const provenUntil = await recordMiss(registry, check, saw);
    return { claim, saw, ...(provenUntil === undefined ? {} : { provenUntil }) };
  } catch (error) {
    if (!signal.aborted && error instanceof ServiceError && error.code !== 'fetch_budget_spent')
      await recordFault(registry, check);
    throw error;
  }
}

interface Check {
  readonly claim: Claim;
  readonly checkedAt: Date;
  readonly reason: Reason;
}

async function recordSuccess(registry: Registry, check: Check, { method }: Place): Promise<void> {
  await recordCheck(registry, check, { outcome: 'found', method }, async (trx, owner) => {
    const { checkedAt } = check;
    await updateOwner(trx, registry.secrets.rows, owner, {
      missed_since: null,
      confirmed_at: owner.confirmed_at > checkedAt ? owner.confirmed_at : checkedAt,
      checkAt: afterSuccess(checkedAt),
    });
    await trx.deleteFrom('control_contests').where('hostname', '=', check.claim.hostname).execute();
  });
}

/** @returns when the proof ends; `undefined`: it has ended, now or before */
async function recordMiss(
  registry: Registry,
  check: Check,
  saw: readonly Place[],
): Promise<Date | undefined> {
  const { claim, checkedAt } = check;
  const { hostname, challenge, merchantId } = claim;
  const recorded = await recordCheck(registry, check, { outcome: 'missed', saw }, async (trx, owner) => {
    // a check that began later has found it
    if (owner.confirmed_at > checkedAt) return { endsAt: graceEnd(checkedAt), ended: false };
    const since = owner.missed_since ?? checkedAt;
    const endsAt = graceEnd(since);
    const ended = endsProof(checkedAt, since);
    if (ended) {
      await endProof(registry, trx, hostname, merchantId);
    } else {
      const checkAt = afterMiss(checkedAt, since);
      await updateOwner(trx, registry.secrets.rows, owner, { missed_since: since, checkAt });
    }
    const isFirst = owner.missed_since === null;
    if (isFirst || ended) {
      const detail = { lookedFor: challenge, saw, nextStep: howToProve(claim) };
      await tellStores(registry, trx, merchantId, await storesWith(trx, merchantId, hostname), {
        hostname,
        ...(ended
          ? { type: 'domain.proof_ended', detail }
          : { type: 'domain.proof_missing', detail: { ...detail, endsAt: endsAt.toISOString() } }),
      });
    }
    return { endsAt, ended };
  });
  if (recorded?.ended === true) registry.onChange([`h:${hostname}`, `m:${merchantId}`]);
  return recorded?.ended === false ? recorded.endsAt : undefined;
}

async function recordFault(registry: Registry, check: Check): Promise<void> {
  await recordCheck(registry, check, { outcome: 'undecided' }, async (trx, owner) => {
    // when a merchant asks, the next scheduled check stays
    if (check.reason !== 'scheduled') return;
    await updateOwner(trx, registry.secrets.rows, owner, { checkAt: afterFault(check.checkedAt) });
  });
}

/** Checks kept of one owner and hostname. */
const MAX_CHECKS = 500;

/** @returns the result of `apply`; `undefined` if the merchant is no longer the owner, and nothing was recorded */
async function recordCheck<T>(
  registry: Registry,
  { claim: { hostname, merchantId }, checkedAt, reason }: Check,
  {
    outcome,
    method,
    saw,
  }: { outcome: ControlChecksTable['outcome']; method?: Place['method']; saw?: readonly Place[] },
  apply: (trx: DatabaseTransaction, owner: HostnameOwner) => Promise<T>,
): Promise<T | undefined> {
  return inTransaction(registry.db, async (trx) => {
    await lockHostnames(trx, [hostname]);
    const owner = await readOwner(trx, registry.secrets.rows, hostname);
    if (owner?.merchant_id !== merchantId) return undefined;
    const row = { merchant_id: merchantId, hostname, checked_at: checkedAt, reason, outcome };
    await trx
      .insertInto('control_checks')
      .values({
        ...row,
        ...(method === undefined ? {} : { method }),
        ...(saw === undefined ? {} : { saw: JSON.stringify(saw) }),
      })
      .execute();
    const older = trx
      .selectFrom('control_checks')
      .select('id')
      .where('merchant_id', '=', merchantId)
      .where('hostname', '=', hostname)
      .orderBy('id', 'desc')
      .offset(MAX_CHECKS)
      .limit(1);
    await trx
      .deleteFrom('control_checks')
      .where('merchant_id', '=', merchantId)
      .where('hostname', '=', hostname)
      .where('id', '<=', older)
      .execute();
    return apply(trx, owner);
  });
}
