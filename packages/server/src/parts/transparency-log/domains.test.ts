import { encodeLeaf } from '@touchstone/certificate/log';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestRegistry, testRegistry } from '../../core/registry/testing.ts';
import { inTransaction } from '../../platform/database/database.ts';
import { provenOwner, writeOwner } from '../../platform/database/hostname-owners.ts';
import type { Tables } from '../../platform/database/tables.ts';
import type { Identity } from '../../platform/http/access.ts';
import { indexDomains } from './domain-runs.ts';
import { readDomain } from './domains.ts';
import { domainKey } from './leaves.ts';
import { sha256 } from './sha256.ts';

const LEAVES = 20_000;
/** The last leaves are of a second log of the year. */
const SECOND = 18_000;
const ME = '11111111-1111-4111-8111-111111111111';
const OTHER = '22222222-2222-4222-8222-222222222222';
const PROVEN = 'shop-3.com';

interface Made {
  readonly host: string;
  readonly merchantId: string;
  readonly isHidden: boolean;
}

/** Shops one after another, as a job issues for them, some of them spread over all; every seventh hides its domain. */
function made(at: number): Made {
  const shop = at % 50 === 0 ? 900 : at % 997 === 0 ? 901 : Math.floor(at / 40);
  const suffix = shop === 900 ? 'org' : shop === 901 ? 'example.net' : 'com';
  const host = `${at % 3 === 0 ? 'www.' : ''}shop-${shop}.${suffix}`;
  return { host, merchantId: shop % 14 < 7 ? ME : OTHER, isHidden: shop % 7 === 3 };
}

let registry: TestRegistry;
let db: Kysely<Tables>;
beforeAll(async () => {
  registry = await testRegistry();
  // one connection, whose statistics are those of all statements
  db = registry.database.open({ max: 1 }).db;
  const rows = Array.from({ length: LEAVES }, (_, at) => {
    const { host, merchantId, isHidden } = made(at);
    const proof = Buffer.from(sha256(`proof ${at}`));
    const leaf = encodeLeaf({
      kind: 'product',
      ...(isHidden ? { domainHash: proof.toString('base64url') } : { domain: host }),
      iat: 1_795_000_000 + at,
      exp: 1_795_600_000 + at,
      kid: 'key',
      proof: proof.toString('base64url'),
      subject: proof.toString('base64url'),
    });
    return {
      proof,
      merchantId,
      key: domainKey(host),
      leaf: Buffer.from(leaf).toString('utf8'),
      ...placeOf(at),
    };
  });
  await registry.database.query(
    `insert into log_shards (year, number, origin, kid, opened_at, ended_at, assigned, size)
      values (2026, 1, 'a', 'a', now(), now(), $1::bigint, $1::bigint), (2026, 2, 'b', 'b', now(), null, $2::bigint, $2::bigint - 5)`,
    [SECOND, LEAVES - SECOND],
  );
  await registry.database.query(
    `insert into log_leaves (proof, year, number, index, merchant_id, domain_key, leaf)
      select proof, 2026, number, index, merchant_id, domain_key, leaf
      from unnest($1::bytea[], $2::int[], $3::bigint[], $4::uuid[], $5::text[], $6::text[]) made (proof, number, index, merchant_id, domain_key, leaf)`,
    [
      rows.map(({ proof }) => proof),
      rows.map(({ number }) => number),
      rows.map(({ index }) => index),
      rows.map(({ merchantId }) => merchantId),
      rows.map(({ key }) => key),
      rows.map(({ leaf }) => leaf),
    ],
  );
  await inTransaction(registry.db, async (trx) => {
    await indexDomains(trx, { year: 2026, number: 1 }, 0, SECOND);
    await indexDomains(trx, { year: 2026, number: 2 }, 0, LEAVES - SECOND - 5);
    const owner = provenOwner({ hostname: PROVEN, merchant_id: ME, method: 'dns_txt' }, new Date());
    await writeOwner(trx, registry.secrets.rows, owner, new Date());
  });
});
afterAll(() => registry.close());

const placeOf = (at: number) => (at < SECOND ? { number: 1, index: at } : { number: 2, index: at - SECOND });

const merchant = (merchantId: string) => ({ role: 'merchant', merchantId }) as Identity;
const OPERATOR = { role: 'operator' } as Identity;

/** Rows of the log's tables that the connection has read by now. */
async function rowsRead(): Promise<number> {
  await db.selectNoFrom(({ fn }) => fn('pg_stat_force_next_flush').as('flushed')).execute();
  const [row] = await registry.database.query<{ read: number }>(
    `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_user_tables
      where relname in ('log_leaves', 'log_domain_runs')`,
  );
  return row?.read ?? 0;
}

const HOSTS = ['com', 'org', 'net', 'example.net', 'shop-100.com', 'www.shop-3.com', PROVEN, 'shop-900.org'];

it.each(HOSTS)(
  'A page about %s costs what is on it, not what the suffix has, on a database without statistics too',
  async (host) => {
    let shown = 0;
    for (const identity of [null, merchant(ME)]) {
      const before = await rowsRead();
      const { entries } = await readDomain({ db, secrets: registry.secrets }, host, identity, { limit: 10 });
      // of each entry at the most the 64 that are indexed together, and their row
      expect((await rowsRead()) - before).toBeLessThan(12 * 65 + 30);
      shown += entries.length;
    }
    expect(shown).toBeGreaterThan(0);
  },
);

it.each([
  ['everybody', null],
  ['a merchant', merchant(ME)],
  ['another merchant', merchant(OTHER)],
  ['the operator', OPERATOR],
] as const)(
  'The pages for %s have every published leaf that it may see, once, newest first',
  async (_, identity) => {
    for (const host of HOSTS) {
      const isProven = identity?.role === 'operator' || (identity?.merchantId === ME && host === PROVEN);
      const expected = Array.from({ length: LEAVES - 5 }, (_, at) => ({ ...made(at), ...placeOf(at) }))
        .filter((one) => one.host === host || one.host.endsWith(`.${host}`))
        .filter(
          ({ isHidden, merchantId, ...one }) =>
            !isHidden ||
            identity?.role === 'operator' ||
            identity?.merchantId === merchantId ||
            (isProven && one.host === host),
        )
        .map(({ number, index }) => `${number}/${index}`)
        .toReversed();
      const found: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await readDomain({ db, secrets: registry.secrets }, host, identity, {
          limit: 499,
          ...(cursor && { cursor }),
        });
        found.push(...page.entries.map(({ log, index }) => `${log === '2026' ? 1 : 2}/${index}`));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      expect(found).toEqual(expected);
    }
  },
);
