import { type CopyHost, HOST_STATEMENTS, type HostStatementCode } from '@touchstone/contract';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { StoreKey } from '../../core/registry/find-store.ts';
import type { Database, DatabaseTransaction } from '../../platform/database/database.ts';
import { type OwnerRow, ownerOf, ownerRow } from '../../platform/database/hostname-owners.ts';
import type { CopyHostsTable } from '../../platform/database/tables.ts';
import type { TrustedRows } from '../../platform/database/trusted-rows.ts';

export interface HostContext {
  readonly db: Database | DatabaseTransaction;
  readonly trusted: TrustedRows;
}

export interface ListedHost {
  readonly domain: string;
  readonly view: CopyHost;
}

/** Hosts with copies of a store, with what their owners state about them: those without a decision first, the last found first. */
export async function readHosts(
  context: HostContext,
  { id: storeId, merchantId }: StoreKey,
  which: RawBuilder<unknown>,
): Promise<readonly ListedHost[]> {
  const { rows } = await sql<Selectable<CopyHostsTable>>`
    select h.* from copy_hosts h where h.merchant_id = ${merchantId} and h.store_id = ${storeId} and ${which}
    order by h.state = 'new' desc, h.last_at desc, h.host`.execute(context.db);
  const stated = await readStatements(
    context,
    { id: storeId, merchantId },
    rows.map(({ host }) => host),
  );
  return rows.map((row) => ({ domain: row.domain, view: toView(row, stated.get(row.host)) }));
}

export interface Stated {
  readonly says: HostStatementCode;
  readonly statedAt: Date;
}

/** What the owners of hosts state about them towards a store, by host: only of who has proven control of the host now. */
export async function readStatements(
  { db, trusted }: HostContext,
  { id: storeId, merchantId }: StoreKey,
  hosts: readonly string[],
): Promise<ReadonlyMap<string, Stated>> {
  if (hosts.length === 0) return new Map();
  const { rows: owners } = await sql<{ owner: OwnerRow }>`
    select ${ownerRow('o')} as owner from hostname_owners o where o.hostname = any(${hosts}::text[])`.execute(
    db,
  );
  const others = owners.flatMap(({ owner: row }) => {
    const owner = ownerOf(trusted, row);
    return owner === null || owner.merchant_id === merchantId ? [] : [owner];
  });
  if (others.length === 0) return new Map();
  const { rows: own } = await sql<{ hostname: string }>`
    select hostname from domains where merchant_id = ${merchantId} and store_id = ${storeId} and lost_at is null`.execute(
    db,
  );
  const { rows } = await sql<{ host: string; says: HostStatementCode; stated_at: Date }>`
    select distinct on (s.host) s.host, s.says, s.stated_at
    from unnest(${others.map((owner) => owner.merchant_id)}::uuid[], ${others.map(({ hostname }) => hostname)}::text[])
      as o (merchant_id, host)
    join host_statements s on s.merchant_id = o.merchant_id and s.host = o.host
    where s.about = any(${own.map(({ hostname }) => hostname)}::text[])
    order by s.host, s.stated_at desc`.execute(db);
  return new Map(rows.map(({ host, says, stated_at: statedAt }) => [host, { says, statedAt }]));
}

function toView(row: Selectable<CopyHostsTable>, stated: Stated | undefined): CopyHost {
  const { host, url, state, found, confirmed, first_at, last_at, checked_at } = row;
  return {
    host,
    url,
    state: state as CopyHost['state'],
    found: found as CopyHost['found'],
    ...(stated === undefined
      ? {}
      : {
          statement: {
            says: stated.says,
            sentence: HOST_STATEMENTS[stated.says],
            statedAt: stated.statedAt.toISOString(),
            confirmed: confirmed === stated.says,
          },
        }),
    firstAt: first_at.toISOString(),
    lastAt: last_at.toISOString(),
    ...(checked_at === null ? {} : { checkedAt: checked_at.toISOString() }),
  };
}
