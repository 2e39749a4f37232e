import pg from 'pg';
import type { Config } from '../../platform/settings/config.ts';
import { days, daysBetween, type Finding, finding, ok } from './finding.ts';

/** Seconds: the service is not ready with more. */
const CLOCK_TOLERANCE = 30;
const OLDEST = 150_000;
/** Milliseconds for one statement: each request needs several. */
const SLOW = 5;

interface State {
  readonly version: number;
  readonly standby: boolean;
  readonly now: Date;
  readonly connections: number;
  readonly used: number;
  readonly archived: Date | null;
  readonly failed: number;
  readonly archiving: boolean;
  readonly off: string[];
}

/** The operator's own PostgreSQL: whether it suits the service. Nothing is written. */
export async function examineDatabase(config: Config, clock: () => Date): Promise<Finding[]> {
  const about = 'database';
  if (config.databaseUrl === undefined)
    return [ok(about, 'PostgreSQL is embedded: the service starts and stops it.')];
  const client = new pg.Client({
    connectionString: config.databaseUrl,
    connectionTimeoutMillis: 5_000,
    query_timeout: 5_000,
    application_name: 'touchstone doctor',
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { state, difference, milliseconds } = await stateOf(client, clock);
    return [
      ...aboutServer(state, config),
      ...aboutArchive(state, clock()),
      aboutClock(difference),
      aboutTime(milliseconds),
      ...(await restoreFindings(client)),
      await sessionFinding(client, config),
    ];
  } catch (error) {
    return [
      finding(
        about,
        'fault',
        `TOUCHSTONE_DATABASE_URL: ${(error as Error).message}.`,
        'Start it, or fix the setting.',
      ),
    ];
  } finally {
    await client.end().catch(() => {});
  }
}

/** What the publisher of status lists has found out about this database. */
async function restoreFindings(client: pg.Client): Promise<Finding[]> {
  const { rows: known } = await client.query("select to_regclass('status_publisher') is not null as known");
  if (known[0]?.known !== true) return [];
  const { rows } = await client.query<{ restored_at: Date | null }>(
    "select restored_at from status_publisher where restored_at > now() - interval '30 days'",
  );
  return rows.flatMap(({ restored_at }) =>
    restored_at === null
      ? []
      : finding(
          'database',
          'warning',
          `On ${restored_at.toISOString()} it was older than the status lists that had been published: it was restored. What they call withdrawn stays withdrawn.`,
          'What changed between the backup and the restore is lost otherwise: have shops send their products again, and withdraw again what was withdrawn by hand.',
        ),
  );
}

async function stateOf(client: pg.Client, clock: () => Date) {
  const times: number[] = [];
  for (let n = 0; n < 5; n += 1) {
    const begun = performance.now();
    await client.query('select 1');
    times.push(performance.now() - begun);
  }
  const before = clock().getTime();
  const { rows } = await client.query<State>(`
    select current_setting('server_version_num')::int as version, pg_is_in_recovery() as standby, clock_timestamp() as now,
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as connections,
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used,
      (select last_archived_time from pg_stat_archiver) as archived, (select failed_count::int from pg_stat_archiver) as failed,
      current_setting('archive_mode') <> 'off' as archiving,
      array(select name from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit', 'autovacuum') and setting = 'off') as off`);
  const [state] = rows;
  if (state === undefined) throw new Error('it did not answer');
  const after = clock().getTime();
  const there = state.now.getTime();
  // the database read its clock between our two readings
  const difference = Math.max(before - there, there - after, 0) / 1_000;
  return { state, difference, milliseconds: Math.min(...times) };
}

function aboutServer(state: State, { databaseConnections, processes }: Config): Finding[] {
  const about = 'database';
  const { version, standby, connections, used, off } = state;
  const name = `PostgreSQL ${Math.floor(version / 10_000)}`;
  const needed = databaseConnections + processes + 2;
  const found: Finding[] = [];
  if (version < OLDEST) found.push(finding(about, 'fault', `It is ${name}.`, 'Use PostgreSQL 15 or later.'));
  if (standby)
    found.push(
      finding(
        about,
        'fault',
        'It is a standby, which takes no changes.',
        'Name the address that leads to the primary.',
      ),
    );
  if (needed > connections)
    found.push(
      finding(
        about,
        'fault',
        `It takes ${connections} connections, and this node needs ${needed}.`,
        'Raise max_connections, or lower TOUCHSTONE_DATABASE_CONNECTIONS.',
      ),
    );
  for (const setting of off)
    found.push(
      finding(
        about,
        'warning',
        `${setting} is off.`,
        setting === 'autovacuum'
          ? 'Turn it on: without it, statements become slow.'
          : 'Turn it on: a crash of its machine may lose certificates that were answered.',
      ),
    );
  return found.length > 0
    ? found
    : [
        ok(
          about,
          `It is ${name}, takes ${connections} connections, of which ${used} are used; this node needs ${needed}.`,
        ),
      ];
}

function aboutArchive({ archiving, archived, failed }: State, now: Date): Finding[] {
  const about = 'write-ahead log';
  if (!archiving)
    return [
      finding(
        about,
        'warning',
        'It is not archived: a restore loses what came after the last backup.',
        'Set archive_mode, for example with pgBackRest.',
      ),
    ];
  if (archived === null)
    return [
      finding(
        about,
        'warning',
        `Nothing of it has been archived; ${failed} attempts failed.`,
        'Look at the log of PostgreSQL.',
      ),
    ];
  const age = daysBetween(archived, now);
  const said = `It was last archived ${age === 0 ? 'today' : `${days(age)} ago`}; ${failed} attempts failed.`;
  return [age > 1 ? finding(about, 'warning', said, 'Look at the log of PostgreSQL.') : ok(about, said)];
}

function aboutClock(difference: number): Finding {
  const said = `The clock of this machine is ${difference.toFixed(1)} s away from the database's.`;
  if (difference > CLOCK_TOLERANCE)
    return finding('clock', 'fault', said, 'Run a time service on both: proofs carry dates.');
  return difference > 1
    ? finding('clock', 'warning', said, 'Run a time service on both.')
    : ok('clock', said);
}

function aboutTime(milliseconds: number): Finding {
  const said = `The database answers the smallest statement in ${milliseconds.toFixed(1)} ms.`;
  return milliseconds > SLOW
    ? finding('database', 'warning', said, 'Each write takes some ten statements: put the node nearer to it.')
    : ok('database', said);
}

/** Changes of other nodes are heard by LISTEN, which needs one session: a pooler in transaction mode moves statements to others. */
async function sessionFinding(client: pg.Client, { changesBy }: Config): Promise<Finding> {
  const about = 'changes of other nodes';
  if (changesBy === 'poll') return ok(about, 'They are read from a table.');
  const channel = 'touchstone_doctor';
  await client.query(`listen ${channel}`);
  const heard = new Promise<true>((resolve) => client.once('notification', () => resolve(true)));
  const pids = new Set<unknown>();
  for (let n = 0; n < 3; n += 1)
    pids.add((await client.query('select pg_backend_pid() as pid')).rows[0]?.pid);
  await client.query(`notify ${channel}`);
  const late = new Promise<false>((resolve) => setTimeout(() => resolve(false), 2_000).unref());
  return pids.size === 1 && (await Promise.race([heard, late]))
    ? ok(about, 'Notifications arrive.')
    : finding(
        about,
        'fault',
        'Notifications do not arrive: a pooler shares sessions.',
        'Let the pooler keep sessions (pool_mode = session), or go past it.',
      );
}
