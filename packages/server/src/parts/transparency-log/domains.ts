import { parseLeaf } from '@touchstone/certificate/log';
import type { DomainLog, DomainLogQuery } from '@touchstone/contract';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import { readOwner } from '../../platform/database/hostname-owners.ts';
import type { Identity } from '../../platform/http/access.ts';
import type { DatabaseSecrets } from '../../platform/secrets/database-secrets.ts';
import { RUN, type SeenBy } from './domain-runs.ts';
import { domainKey, saltOf } from './leaves.ts';
import { parseShardName, shardName } from './shards.ts';

export interface DomainOptions {
  readonly db: Database;
  readonly secrets: Pick<DatabaseSecrets, 'hash' | 'rows'>;
}

type Entry = DomainLog['entries'][number];

interface Row {
  readonly year: number;
  readonly number: number;
  readonly index: number;
  readonly proof: Buffer;
  readonly leaf: string;
  readonly domain_key: string;
  readonly merchant_id: string | null;
  readonly subject_id: string | null;
}

/** What was issued for a domain and its subdomains, newest first. Who has proven the host sees what it was issued for. */
export async function readDomain(
  { db, secrets }: DomainOptions,
  host: string,
  identity: Identity | null,
  { cursor, limit }: DomainLogQuery,
): Promise<Pick<DomainLog, 'entries' | 'isProven' | 'isSignedIn' | 'nextCursor'>> {
  const isProven = await hasProven({ db, secrets }, host, identity);
  const caller = identity?.role === 'merchant' ? identity.merchantId : null;
  const isOperator = identity?.role === 'operator';
  const [name = '', before = ''] = (cursor ?? '9999.0').split('.');
  const { year, number } = parseShardName(name) ?? { year: 0, number: 0 };
  const from = domainKey(host);
  const seenBy: string[] = ['everybody' satisfies SeenBy];
  if (isOperator) seenBy.push('operator' satisfies SeenBy);
  if (isProven) seenBy.push('owner' satisfies SeenBy);
  if (caller !== null) seenBy.push(caller);
  // each run has a leaf of the page at least, but the one that the page before ended in
  const most = limit + 2;
  const { rows } = await sql<Row>`
    with runs as materialized (
      select distinct found.* from unnest(${seenBy}::text[]) as seer, lateral (
        select year, number, run from log_domain_runs
        where suffix = ${from} and seen_by = seer
          and (year, number, run) <= (${year}::integer, ${number}::integer, ${before}::bigint / ${RUN}::bigint)
        order by year desc, number desc, run desc limit ${most}) found
      order by year desc, number desc, run desc limit ${most})
    select l.* from runs, lateral (
      select year, number, index::float8 as index, proof, leaf, domain_key, merchant_id, subject_id from log_leaves
      where year = runs.year and number = runs.number
        and index >= runs.run * ${RUN}::bigint and index < (runs.run + 1) * ${RUN}::bigint
        and (year, number, index) < (${year}::integer, ${number}::integer, ${before}::bigint)
        and starts_with(domain_key, ${from})
        and (leaf like '{"domain":%' or ${isOperator} or merchant_id = ${caller}::uuid
          or (${isProven} and domain_key = ${from}))
        and index < (select size from log_shards s where s.year = log_leaves.year and s.number = log_leaves.number)
      order by log_leaves.index desc limit ${RUN}) l
    order by l.year desc, l.number desc, l.index desc limit ${limit + 1}`.execute(db);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  // a domain that was proven says nothing about its subdomains of other merchants
  const isOpen = (row: Row) =>
    isOperator || (caller !== null && row.merchant_id === caller) || (isProven && row.domain_key === from);
  const names = await namesOf(db, page.filter(isOpen));
  return {
    isProven,
    isSignedIn: identity !== null,
    entries: page.flatMap((row) => entryOf(row, host, isOpen(row) ? { secrets, names } : undefined)),
    ...(rows.length > limit && last !== undefined ? { nextCursor: `${shardName(last)}.${last.index}` } : {}),
  };
}

async function hasProven(
  { db, secrets }: DomainOptions,
  host: string,
  identity: Identity | null,
): Promise<boolean> {
  if (identity === null) return false;
  if (identity.role === 'operator') return true;
  const owner = await readOwner(db, secrets.rows, host);
  return owner?.merchant_id === identity.merchantId;
}

interface Named {
  readonly name: string;
  readonly url: string;
}

/** Names and page addresses of the products, by the id of each subject. */
async function namesOf(db: Database, rows: readonly Row[]): Promise<Map<string, Named>> {
  const known = rows.filter(({ merchant_id, subject_id }) => merchant_id !== null && subject_id !== null);
  if (known.length === 0) return new Map();
  const { rows: named } = await sql<Named & { id: string }>`
    select wanted.id, p.name, p.url
    from unnest(${known.map((row) => row.merchant_id)}::uuid[], ${known.map((row) => row.subject_id)}::uuid[]) as wanted (merchant_id, id)
    left join images i on i.merchant_id = wanted.merchant_id and i.id = wanted.id
    join products p on p.merchant_id = wanted.merchant_id and p.id = coalesce(i.product_id, wanted.id)`.execute(
    db,
  );
  return new Map(named.map(({ id, name, url }) => [id, { name, url }]));
}

interface Opened {
  readonly secrets: Pick<DatabaseSecrets, 'hash'>;
  readonly names: ReadonlyMap<string, Named>;
}

function entryOf(
  { index, proof, leaf, subject_id, ...id }: Row,
  host: string,
  opened: Opened | undefined,
): Entry[] {
  const read = parseLeaf(new TextEncoder().encode(leaf));
  if (read === null) return [];
  const { kind, domain, iat, exp, kid, subject } = read;
  const salt = opened && Buffer.from(saltOf(opened.secrets, proof)).toString('base64url');
  const named = subject_id === null ? undefined : opened?.names.get(subject_id);
  return [
    {
      log: shardName(id),
      index,
      kind,
      domain: domain ?? host,
      issuedAt: new Date(iat * 1000).toISOString(),
      expiresAt: new Date(exp * 1000).toISOString(),
      kid,
      proof: proof.toString('base64url'),
      subject,
      ...(salt === undefined ? {} : { salt }),
      ...(opened === undefined || subject_id === null ? {} : { id: subject_id }),
      ...named,
    },
  ];
}
