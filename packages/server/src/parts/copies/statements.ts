import { normalizeHost } from '@touchstone/certificate/binding';
import {
  HOST_STATEMENTS,
  type HostStatement,
  type HostStatementCode,
  type HostStatements,
} from '@touchstone/contract';
import { sql } from 'kysely';
import type { Registry } from '../../core/registry/context.ts';
import { getMerchant } from '../../core/registry/merchants/merchants.ts';
import { inTransaction } from '../../platform/database/database.ts';
import { type OwnerRow, ownerOf, ownerRow, readOwner } from '../../platform/database/hostname-owners.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { Scope } from '../../platform/http/access.ts';

export interface OfHost {
  readonly merchantId: string;
  readonly hostname: string;
}

/** @throws ServiceError `merchant_unknown`, also for one out of scope */
export async function getHostStatements(
  registry: Registry,
  scope: Scope,
  { merchantId, hostname }: OfHost,
): Promise<HostStatements> {
  const { id } = await getMerchant(registry, scope, merchantId);
  const host = normalizeHost(hostname) ?? hostname;
  const { db } = registry;
  const { rows } = await sql<{ about: string; says: HostStatementCode; stated_at: Date }>`
    select about, says, stated_at from host_statements where merchant_id = ${id} and host = ${host} order by about`.execute(
    db,
  );
  const confirmed = await confirmedAbout(
    registry,
    host,
    rows.map(({ about }) => about),
  );
  return {
    hostname: host,
    statements: rows.map(({ about, says, stated_at: statedAt }) => ({
      about,
      says,
      sentence: HOST_STATEMENTS[says],
      statedAt: statedAt.toISOString(),
      confirmed: confirmed.has(`${about} ${says}`),
    })),
  };
}

/** Which statements the owners of the other hosts have confirmed: host and code. */
async function confirmedAbout(
  { db, secrets }: Registry,
  host: string,
  abouts: readonly string[],
): Promise<ReadonlySet<string>> {
  if (abouts.length === 0) return new Set();
  const { rows: owners } = await sql<{ owner: OwnerRow }>`
    select ${ownerRow('o')} as owner from hostname_owners o where o.hostname = any(${abouts}::text[])`.execute(
    db,
  );
  const others = owners.flatMap(({ owner }) => ownerOf(secrets.rows, owner) ?? []);
  const { rows } = await sql<{ about: string; confirmed: string }>`
    select o.about, h.confirmed
    from unnest(${others.map((owner) => owner.merchant_id)}::uuid[], ${others.map(({ hostname }) => hostname)}::text[])
      as o (merchant_id, about)
    join copy_hosts h on h.merchant_id = o.merchant_id and h.host = ${host} and h.confirmed is not null`.execute(
    db,
  );
  return new Set(rows.map(({ about, confirmed }) => `${about} ${confirmed}`));
}

/**
 * Replaces what a merchant states about its host.
 *
 * @throws ServiceError `merchant_unknown`, also for one out of scope; `conflict` if it has not proven control of the host
 */
export async function setHostStatements(
  registry: Registry,
  scope: Scope,
  { merchantId, hostname }: OfHost,
  statements: readonly HostStatement[],
): Promise<HostStatements> {
  const { id } = await getMerchant(registry, scope, merchantId);
  const host = normalizeHost(hostname) ?? hostname;
  const { db, secrets, clock } = registry;
  if ((await readOwner(db, secrets.rows, host))?.merchant_id !== id) {
    const message = 'Only who has proven control of a host may state what it is: prove it first.';
    throw new ServiceError('conflict', { message });
  }
  const byHost = new Map(statements.map(({ about, says }) => [normalizeHost(about) ?? about, says]));
  await inTransaction(db, async (trx) => {
    await sql`
      delete from host_statements where merchant_id = ${id} and host = ${host}
        and (about, says) not in (select * from unnest(${[...byHost.keys()]}::text[], ${[...byHost.values()]}::text[]))`.execute(
      trx,
    );
    await sql`
      insert into host_statements (merchant_id, host, about, says, stated_at)
      select ${id}::uuid, ${host}, s.about, s.says, ${clock()}::timestamptz
      from unnest(${[...byHost.keys()]}::text[], ${[...byHost.values()]}::text[]) as s (about, says)
      on conflict (merchant_id, host, about) do nothing`.execute(trx);
  });
  return getHostStatements(registry, scope, { merchantId, hostname });
}
