import type { DomainProof, DomainView } from '@touchstone/contract';
import { type Kysely, sql } from 'kysely';
import { announce } from '../../../platform/cache/announce.ts';
import type { DatabaseTransaction } from '../../../platform/database/database.ts';
import {
  type HostnameOwner,
  type OwnerRow,
  ownerOf,
  ownerRow,
  readOwner,
  writeOwner,
} from '../../../platform/database/hostname-owners.ts';
import { lockFor } from '../../../platform/database/locks.ts';
import type { Tables } from '../../../platform/database/tables.ts';
import { ServiceError } from '../../../platform/errors.ts';
import type { DatabaseSecrets } from '../../../platform/secrets/database-secrets.ts';
import { changeProducts } from '../changes/make-change.ts';
import type { Registry } from '../context.ts';
import type { StoreKey } from '../find-store.ts';
import type { LockedMerchant } from '../plan-seats.ts';
import { challengeOf } from './challenge.ts';
import { contestEnd, graceEnd } from './control-schedule.ts';
import { adviceAfter } from './proof-advice.ts';

const MAX_DOMAINS = 100;

/**
 * Serialises the decisions on the ownership and claims of a hostname. Taken before any merchant's row lock, all at once, which
 * prevents deadlocks.
 */
export async function lockHostnames(trx: DatabaseTransaction, hostnames: Iterable<string>): Promise<void> {
  await lockFor(trx, ...Array.from(hostnames, (hostname) => `hostname: ${hostname}` as const));
}

interface DomainRow {
  readonly hostname: string;
  readonly lost_at: Date | null;
  /** At the last check that missed the challenge, however long ago. */
  readonly saw: DomainProof['saw'] | null;
}

interface ClaimRow {
  readonly hostname: string;
  readonly owner: OwnerRow;
  readonly contested_at: Date | null;
}

/** All domains of a store, in the order of addition; lost ones with the time of their loss. */
export async function listDomains(
  db: Kysely<Tables>,
  secrets: DatabaseSecrets,
  store: { readonly id: string; readonly merchantId: string },
): Promise<DomainView[]> {
  const { rows: domains } = await sql<DomainRow>`
    select d.hostname, d.lost_at, (
        select saw from control_checks c where c.merchant_id = ${store.merchantId} and c.hostname = d.hostname
          and c.outcome = 'missed' order by c.id desc limit 1) as saw
    from domains d
    where d.merchant_id = ${store.merchantId} and d.store_id = ${store.id} order by d.created_at, d.hostname`.execute(
    db,
  );
  const { rows: claims } = await sql<ClaimRow>`
    select name as hostname, ${ownerRow('o')} as owner, (
        select min(c.begun_at) from control_contests c
        where c.hostname = name and (o.hostname is not null or c.store_id = ${store.id})) as contested_at
    from unnest(${domains.map(({ hostname }) => hostname)}::text[]) name
    left join hostname_owners o on o.hostname = name and o.merchant_id = ${store.merchantId}`.execute(db);
  const claimOf = new Map(claims.map((claim) => [claim.hostname, claim]));
  return domains.map((row) => {
    const { owner = null, contested_at = null } = claimOf.get(row.hostname) ?? {};
    const challenge = challengeOf(secrets, store.merchantId, row.hostname);
    return toDomain(row, contested_at, challenge, ownerOf(secrets.rows, owner));
  });
}

function toDomain(
  row: DomainRow,
  contested_at: Date | null,
  challenge: string,
  owner: HostnameOwner | null,
): DomainView {
  const { hostname, lost_at } = row;
  const { confirmed_at, missed_since } = owner ?? { confirmed_at: null, missed_since: null };
  const saw = row.saw ?? [];
  return {
    hostname,
    verified: owner !== null && lost_at === null,
    challenge,
    ...(confirmed_at === null ? {} : { confirmedAt: confirmed_at.toISOString() }),
    ...(missed_since === null
      ? {}
      : {
          missing: {
            since: missed_since.toISOString(),
            until: graceEnd(missed_since).toISOString(),
            saw,
            nextStep: adviceAfter(saw, { hostname, challenge }),
          },
        }),
    ...(lost_at === null ? {} : { lostAt: lost_at.toISOString() }),
    ...(contested_at === null ? {} : { decidedAt: contestEnd(contested_at).toISOString() }),
  };
}

/**
 * Writes the row, under the locks of the hostname and of the merchant: as lost if another merchant owns the hostname. Products
 * on the host that had lost it regain it otherwise; returns the id of their pending change, `null` if none is pending.
 */
export async function claimHostname(
  registry: Registry,
  trx: DatabaseTransaction,
  store: { readonly id: string; readonly merchantId: string; readonly merchant: LockedMerchant },
  hostname: string,
): Promise<string | null> {
  const owner = await readOwner(trx, registry.secrets.rows, hostname);
  const isLost = owner !== null && owner.merchant_id !== store.merchantId;
  await assertFits(trx, store, hostname);
  const written = await trx
    .insertInto('domains')
    .values({
      merchant_id: store.merchantId,
      store_id: store.id,
      hostname,
      created_at: registry.clock(),
      lost_at: isLost ? registry.clock() : null,
    })
    .onConflict((conflict) => {
      const known = conflict.columns(['merchant_id', 'store_id', 'hostname']);
      return isLost
        ? known.doNothing()
        : known.doUpdateSet({ lost_at: null }).where('domains.lost_at', 'is not', null);
    })
    .executeTakeFirst();
  if (written.numInsertedOrUpdatedRows === 0n) return null;
  await announce(trx, [`s:${store.id}`]);
  if (isLost) return null;
  return changeProducts(registry, trx, store.merchant, { kind: 'domain', storeId: store.id, hostname });
}

async function assertFits(trx: DatabaseTransaction, store: StoreKey, hostname: string): Promise<void> {
  const { others } = await trx
    .selectFrom('domains')
    .select((eb) => eb.fn.countAll<string>().as('others'))
    .where('merchant_id', '=', store.merchantId)
    .where('store_id', '=', store.id)
    .where('hostname', '!=', hostname)
    .executeTakeFirstOrThrow();
  if (Number(others) >= MAX_DOMAINS) {
    throw new ServiceError('conflict', { message: `A store has at most ${MAX_DOMAINS} domains.` });
  }
}

/** Ends the ownership of hostnames that no store of the merchant has any more: another merchant may prove them. */
export async function freeHostnames(
  registry: Pick<Registry, 'emit'>,
  trx: DatabaseTransaction,
  merchantId: string,
  hostnames: readonly string[],
): Promise<void> {
  if (hostnames.length === 0) return;
  const freed = await trx
    .deleteFrom('hostname_owners')
    .where('merchant_id', '=', merchantId)
    .where('hostname', 'in', hostnames)
    .where((eb) =>
      eb(
        'hostname',
        'not in',
        eb.selectFrom('domains').select('domains.hostname').where('domains.merchant_id', '=', merchantId),
      ),
    )
    .returning('hostname')
    .execute();
  for (const { hostname } of freed) await ownerChanged(registry.emit, trx, hostname, merchantId);
}

/** Makes a merchant the proven owner of a hostname, and has certificates state it. */
export async function beginProof(
  { secrets, emit }: Proving,
  trx: DatabaseTransaction,
  owner: HostnameOwner,
  checkAt: Date,
): Promise<void> {
  await writeOwner(trx, secrets.rows, owner, checkAt);
  await ownerChanged(emit, trx, owner.hostname, owner.merchant_id);
}

/** Ends the ownership of a hostname: whoever proves it next owns it. */
export async function endProof(
  { emit }: Pick<Proving, 'emit'>,
  trx: DatabaseTransaction,
  hostname: string,
  merchantId: string,
): Promise<void> {
  await trx
    .deleteFrom('hostname_owners')
    .where('hostname', '=', hostname)
    .where('merchant_id', '=', merchantId)
    .execute();
  await ownerChanged(emit, trx, hostname, merchantId);
}

interface Proving extends Pick<Registry, 'emit'> {
  readonly secrets: Pick<DatabaseSecrets, 'rows'>;
}

async function ownerChanged(
  emit: Registry['emit'],
  trx: DatabaseTransaction,
  hostname: string,
  merchantId: string,
): Promise<void> {
  // the hostname, too: products of whoever has claimed it are concerned
  await announce(trx, [`m:${merchantId}`, `h:${hostname}`]);
  await emit(trx, 'ownerChanged', { merchantId, hostname });
}
