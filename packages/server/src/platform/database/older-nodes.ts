import type pg from 'pg';
import { isOlder } from './releases.ts';

/** Seconds for which a node that is silent still counts as running: four heartbeats. */
const SILENCE = 60;

/** Versions before the given one whose nodes are running on this database. */
export async function runningVersionsBefore(client: pg.Client, version: string): Promise<string[]> {
  const { rows } = await client.query<{ is_there: boolean }>(
    "select to_regclass('nodes') is not null as is_there",
  );
  if (rows[0]?.is_there !== true) return [];
  const running = await client.query<{ version: string }>(
    'select distinct version from nodes where seen_at > now() - make_interval(secs => $1) order by version',
    [SILENCE],
  );
  return running.rows.map((row) => row.version).filter((other) => isOlder(other, version));
}
