import type { Activity, ActivityEntry, ActivityQuery } from '@touchstone/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Registry } from '../../core/registry/context.ts';
import { getMerchant } from '../../core/registry/merchants/merchants.ts';
import type { Scope } from '../../platform/http/access.ts';

interface Row extends Omit<ActivityEntry, 'at'> {
  readonly at: Date;
}

/**
 * Events in a merchant's account, newest first, from records that exist for other purposes. Throws `merchant_unknown`.
 *
 * A cursor is a time, with the number of entries of that time that were listed, so that none is left out or repeated.
 */
export async function listActivity(
  registry: Registry,
  scope: Scope,
  merchantId: string,
  { cursor, limit }: ActivityQuery,
): Promise<Activity> {
  const { id } = await getMerchant(registry, scope, merchantId);
  const [time = 'infinity', told = '0'] = cursor?.split('~') ?? [];
  const skipped = Number(told);
  const read = limit + skipped + 1;
  const parts = partsOf(id, sql`${time}::timestamptz`, read);
  const { rows } = await sql<Row>`
    select to_jsonb(all_parts) - 'nth' - 'at' as entry, at from (${sql.join(parts, sql` union all `)}) all_parts
    order by at desc, kind, nth limit ${read}`.execute(registry.db);
  const entries = (rows as unknown as { entry: object; at: Date }[]).map(({ entry, at }) => ({
    at: at.toISOString(),
    ...(Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null)) as Omit<
      ActivityEntry,
      'at'
    >),
  }));
  const page = entries.slice(skipped, skipped + limit);
  const last = page.at(-1);
  if (last === undefined || entries.length < read) return { entries: page };
  const same = entries.slice(0, skipped + limit).filter(({ at }) => at === last.at).length;
  return { entries: page, nextCursor: `${last.at}~${same}` };
}

type Column = Exclude<keyof ActivityEntry, 'at' | 'kind'>;

const COLUMNS: Readonly<Record<Column, string>> = {
  storeId: 'uuid',
  storeName: 'text',
  hostname: 'text',
  keyId: 'uuid',
  keyLabel: 'text',
  webhookId: 'uuid',
  importId: 'uuid',
  changeId: 'uuid',
  change: 'text',
  event: 'text',
  state: 'text',
  count: 'int',
};

/** A query for each kind of entry: the newest at or before a time. */
function partsOf(merchant: string, before: RawBuilder<unknown>, limit: number): RawBuilder<unknown>[] {
  /** @param from - tables, and conditions, with the time as `at` */
  const part = (
    kind: ActivityEntry['kind'],
    at: RawBuilder<unknown>,
    nth: RawBuilder<unknown>,
    columns: Partial<Record<Column, RawBuilder<unknown>>>,
    from: RawBuilder<unknown>,
  ) => {
    const told = (Object.keys(COLUMNS) as Column[]).map(
      (name) => sql`${columns[name] ?? sql`null`}::${sql.raw(COLUMNS[name])} as ${sql.ref(name)}`,
    );
    // in milliseconds, like the cursor
    const moment = sql`date_trunc('milliseconds', ${at})`;
    return sql`(
      select ${moment} as at, ${sql.lit(kind)} as kind, (${nth})::text as nth, ${sql.join(told)}
      ${from} and ${at} is not null and ${moment} <= ${before} order by 1 desc, 3 limit ${limit})`;
  };
  const stores = sql`from stores s where s.merchant_id = ${merchant}`;
  const store = { storeId: sql`s.id`, storeName: sql`s.name` };
  const keys = sql`from api_keys k where k.merchant_id = ${merchant}`;
  const key = { keyId: sql`k.id`, keyLabel: sql`k.label` };
  const domains = sql`from domains d join stores s on s.merchant_id = d.merchant_id and s.id = d.store_id
    where d.merchant_id = ${merchant}`;
  const owned = sql`
    from hostname_owners o join domains d on d.merchant_id = o.merchant_id and d.hostname = o.hostname
      join stores s on s.merchant_id = d.merchant_id and s.id = d.store_id where o.merchant_id = ${merchant}`;
  const changes = sql`
    from registry_changes c left join stores s on s.merchant_id = c.merchant_id and s.id = c.store_id
      left join api_keys k on k.id = c.key_id
    where c.merchant_id = ${merchant}`;
  const change = {
    ...store,
    changeId: sql`c.id`,
    change: sql`case when c.withdraws then 'withdraw' else c.kind end`,
    hostname: sql`c.hostname`,
  };
  // merchants do not see the label of an operator's key
  const asked = {
    keyId: sql`k.id`,
    keyLabel: sql`case when k.role = 'operator' then 'operator' else k.label end`,
  };
  return [
    part('store_added', sql`s.created_at`, sql`s.id`, store, stores),
    part('store_deleted', sql`s.deleted_at`, sql`s.id`, store, stores),
    part(
      'domain_proven',
      sql`o.proven_at`,
      sql`s.id || d.hostname`,
      { ...store, hostname: sql`d.hostname` },
      owned,
    ),
    part(
      'domain_lost',
      sql`d.lost_at`,
      sql`s.id || d.hostname`,
      { ...store, hostname: sql`d.hostname` },
      domains,
    ),
    part('key_made', sql`k.created_at`, sql`k.id`, key, keys),
    part('key_revoked', sql`k.revoked_at`, sql`k.id`, key, keys),
    part(
      'session_begun',
      sql`b.begun_at`,
      sql`encode(b.token_hash, 'hex')`,
      key,
      sql`from console_sessions b join api_keys k on k.id = b.key_id where k.merchant_id = ${merchant}`,
    ),
    part(
      'webhook_added',
      sql`w.created_at`,
      sql`w.id`,
      { webhookId: sql`w.id` },
      sql`from webhooks w where w.merchant_id = ${merchant}`,
    ),
    part(
      'import_ended',
      sql`i.finished_at`,
      sql`i.id`,
      {
        ...store,
        importId: sql`i.id`,
        state: sql`i.state`,
        count: sql`i.created + i.updated + i.revived + coalesce(i.deleted, 0)`,
      },
      sql`from stores s join imports i on i.merchant_id = s.merchant_id and i.store_id = s.id where s.merchant_id = ${merchant}`,
    ),
    part('change_begun', sql`c.created_at`, sql`c.id`, { ...change, ...asked }, changes),
    part('change_done', sql`c.finished_at`, sql`c.id`, { ...change, count: sql`c.done` }, changes),
    part(
      'event',
      sql`e.occurred_at`,
      sql`e.id`,
      { ...store, event: sql`e.type`, state: sql`e.detail->>'state'`, count: sql`e.count` },
      sql`from events e left join stores s on s.merchant_id = e.merchant_id and s.id = e.store_id
        where e.merchant_id = ${merchant}`,
    ),
  ];
}
