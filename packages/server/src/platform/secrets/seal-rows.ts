import { sql } from 'kysely';
import type { Logger } from 'pino';
import { announce } from '../cache/announce.ts';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/database.ts';
import { SEALED_TEXTS, type SealedTable, sealText } from '../database/sealed-texts.ts';
import { TRUSTED_TABLES, type TrustedTableName } from '../database/trusted-rows.ts';
import { StartError } from '../lifecycle/start-error.ts';
import type { DatabaseSecrets } from './database-secrets.ts';
import { allRows } from './refused-rows.ts';

export interface SealRowsOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly secrets: DatabaseSecrets;
  /** The day (UTC, `YYYY-MM-DD`) on which the operator vouches for rows without a MAC. */
  readonly sealRowsOn: string | undefined;
}

const NAMES = Object.keys(TRUSTED_TABLES) as TrustedTableName[];

/**
 * Gives rows of a database from before rows had MACs their MACs, if the operator vouches for them today. The service cannot decide
 * this by itself: whoever can write to the database can make it look like an old one. The setting names a day, so that it
 * means nothing if it is left behind.
 *
 * @throws StartError if no row has a MAC, and the operator does not vouch for them
 */
export async function sealRows({ db, clock, logger, secrets, sealRowsOn }: SealRowsOptions): Promise<void> {
  const today = clock().toISOString().slice(0, 10);
  if (sealRowsOn === today) {
    await sealTexts(db, secrets);
    for (const name of NAMES) {
      const sealed = await sealTable(db, secrets, name);
      if (sealed > 0)
        logger.warn({ table: name, sealed }, 'rows were sealed, as TOUCHSTONE_SEAL_ROWS asks for');
    }
    return;
  }
  if (sealRowsOn !== undefined)
    logger.warn({ day: sealRowsOn }, 'TOUCHSTONE_SEAL_ROWS means nothing any more: it names another day');
  const counted = await Promise.all(NAMES.map((name) => countRows(db, name)));
  const [all, sealed] = [sum(counted.map((count) => count.all)), sum(counted.map((count) => count.sealed))];
  if (all === 0 || sealed > 0) return;
  throw new StartError(
    `The keys, owners of hosts and API keys in the database (${all} rows) are not sealed by the master key: the database is of ` +
      'an earlier version of the service, or somebody else has written them. If you are sure that nobody has, start the ' +
      `service once with TOUCHSTONE_SEAL_ROWS=${today}.`,
  );
}

async function sealTable(db: Database, secrets: DatabaseSecrets, name: TrustedTableName): Promise<number> {
  const { key } = TRUSTED_TABLES[name];
  let sealed = 0;
  for await (const row of allRows(db, name)) {
    if (row.mac !== null) continue;
    const found = row as Readonly<Record<string, unknown>>;
    // of an API key, the plain hash was stored
    const former = found.key_hash;
    const changes = Buffer.isBuffer(former) ? { key_hash: secrets.hash('API keys', former) } : {};
    const mac = secrets.rows.macOf(name, { ...row, ...changes });
    const sets = Object.entries({ ...changes, mac }).map(
      ([column, value]) => sql`${sql.ref(column)} = ${value}`,
    );
    const { numAffectedRows } = await sql`
      update ${sql.table(name)} set ${sql.join(sets)} where ${sql.ref(key)} = ${found[key]} and mac is null`.execute(
      db,
    );
    sealed += Number(numAffectedRows ?? 0n);
  }
  if (sealed > 0) await announce(db, ['*']);
  return sealed;
}

/** Encrypts addresses that an earlier version stored as they are. */
async function sealTexts(db: Database, { seal }: DatabaseSecrets): Promise<void> {
  for (const [name, { key, column }] of Object.entries(SEALED_TEXTS) as [SealedTable, Columns][]) {
    const [table, url, id] = [sql.table(name), sql.ref(column), sql.ref(key)];
    const { rows } = await sql<{ id: string; merchantId: string; text: string }>`
      select ${id} as id, merchant_id as "merchantId", convert_from(substr(${url}, 2), 'UTF8') as text from ${table}
      where get_byte(${url}, 0) = 0`.execute(db);
    for (const row of rows) {
      const sealed = sealText(seal, name, row, row.text);
      await sql`update ${table} set ${url} = ${sealed} where merchant_id = ${row.merchantId} and ${id} = ${row.id} and get_byte(${url}, 0) = 0`.execute(
        db,
      );
    }
  }
}

type Columns = (typeof SEALED_TEXTS)[SealedTable];

async function countRows(db: Database, name: TrustedTableName): Promise<{ all: number; sealed: number }> {
  const { rows } = await sql<{ all: number; sealed: number }>`
    select count(*)::int as all, count(mac)::int as sealed from ${sql.table(name)}`.execute(db);
  return rows[0] ?? { all: 0, sealed: 0 };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
