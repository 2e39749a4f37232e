import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/database.ts';
import type { ScheduledTask } from '../jobs/scheduled-tasks.ts';
import type { Closers } from '../lifecycle/closers.ts';
import type { Config } from '../settings/config.ts';

export interface HeartbeatOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly closers: Closers;
  readonly config: Pick<Config, 'dataDir'>;
  readonly port: number;
  readonly version: string;
  readonly processes: number;
  /** Why this node is not ready, in sentences. */
  readonly problems: () => Promise<readonly string[]>;
  /** What the operator must look at, though it is ready. */
  readonly findings: () => readonly string[];
}

/** Milliseconds between two heartbeats. */
const EVERY = 15_000;
/** Seconds after which the record of a silent node is deleted. */
const FORGOTTEN = 24 * 3_600;

/**
 * Records the state of a node while it runs, so that any node can show it to the operator. The record is deleted when the node is
 * closed; a node that is restarted in its place continues the record.
 */
export function openHeartbeat(options: HeartbeatOptions): ScheduledTask {
  const { db, clock, closers, config, port, version, processes, problems, findings } = options;
  const id = idOf(`${hostname()} ${config.dataDir} ${port}`);
  const startedAt = clock();
  const run = async () => {
    const found = JSON.stringify(await problems());
    const alsoFound = JSON.stringify(findings());
    // by the clock of the database, which all nodes share
    await sql`
      insert into nodes (id, version, processes, started_at, seen_at, problems, findings)
        values (${id}, ${version}, ${processes}, ${startedAt}, now(), ${found}::jsonb, ${alsoFound}::jsonb)
      on conflict (id) do update set version = excluded.version, processes = excluded.processes,
        started_at = excluded.started_at, seen_at = excluded.seen_at, problems = excluded.problems,
        findings = excluded.findings`.execute(db);
    await sql`delete from nodes where seen_at < now() - make_interval(secs => ${FORGOTTEN})`.execute(db);
  };
  closers.add('node', async () => {
    await sql`delete from nodes where id = ${id} and started_at = ${startedAt}`.execute(db);
  });
  return { name: 'say that this node is there', every: EVERY, atStart: true, run };
}

/** The first 128 bits of a hash, as a UUID of version 8 (RFC 9562 section 5.8). */
function idOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
