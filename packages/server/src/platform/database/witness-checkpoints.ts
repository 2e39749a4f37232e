import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { codeOf } from './database-fault.ts';

/** The latest checkpoint that a witness has cosigned for a log. */
export interface WitnessCheckpoint {
  /** Counts the checkpoints of the log from 1. */
  readonly sequence: number;
  /** The checkpoint with the log's signatures and the cosignature. */
  readonly note: string;
}

/** What one witness has cosigned, for any number of its processes. */
export interface WitnessCheckpoints {
  /** Made at random with the first use: another database, or one that was lost, has another. */
  readonly memory: string;
  /** What is returned was committed durably. */
  latest(origin: string): Promise<WitnessCheckpoint | undefined>;
  /**
   * Takes the place of the checkpoint with the sequence `after` (0: of none).
   *
   * @returns false if another has taken it
   */
  commit(origin: string, after: number, note: string): Promise<boolean>;
  close(): Promise<void>;
}

/** Milliseconds: a log waits ten seconds for a cosignature. */
const TIMEOUT = 5_000;
const CONNECTIONS = 4;

/** The last row of each log, and nothing before it: a witness that remembers less than it has said would contradict itself. */
const TABLE = `
  create table if not exists witness_checkpoints (
    -- the witness's key, as a vkey: a new key has said nothing yet
    witness  text not null,
    -- of the log; empty: the row whose note names this memory
    origin   text not null,
    sequence bigint not null,
    note     text not null,
    primary key (witness, origin)
  )`;

/**
 * Opens what a witness has cosigned, in a table of its own in any PostgreSQL, which it makes. One statement decides which of several requests
 * is first: whoever finds another sequence than it has read has lost.
 *
 * @param witness - its key, as a vkey
 * @throws Error if the database cannot be used
 */
export async function openWitnessCheckpoints(url: string, witness: string): Promise<WitnessCheckpoints> {
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: TIMEOUT,
    query_timeout: TIMEOUT,
    application_name: 'touchstone witness',
    // whatever the database's own settings say: a cosignature leaves when it is on the disk
    options: '-c synchronous_commit=on',
  });
  // a connection that breaks while nobody uses it; the next request has another
  pool.on('error', () => {});
  const memory = await nameMemory(pool, witness).catch(async (error: unknown) => {
    await pool.end();
    throw error;
  });
  return {
    memory,
    async latest(origin) {
      const { rows } = await pool.query<{ sequence: string; note: string }>(
        'select sequence, note from witness_checkpoints where witness = $1 and origin = $2',
        [witness, origin],
      );
      const [row] = rows;
      return row && { sequence: Number(row.sequence), note: row.note };
    },
    async commit(origin, after, note) {
      const { rowCount } =
        after === 0
          ? await pool.query(
              'insert into witness_checkpoints (witness, origin, sequence, note) values ($1, $2, 1, $3) on conflict do nothing',
              [witness, origin, note],
            )
          : await pool.query(
              'update witness_checkpoints set sequence = sequence + 1, note = $3 where witness = $1 and origin = $2 and sequence = $4',
              [witness, origin, note, after],
            );
      return rowCount === 1;
    },
    close: () => pool.end(),
  };
}

async function nameMemory(pool: pg.Pool, witness: string): Promise<string> {
  await makeTable(pool);
  await pool.query(
    "insert into witness_checkpoints (witness, origin, sequence, note) values ($1, '', 0, $2) on conflict do nothing",
    [witness, randomUUID()],
  );
  const { rows } = await pool.query<{ note: string }>(
    "select note from witness_checkpoints where witness = $1 and origin = ''",
    [witness],
  );
  return rows[0]?.note ?? '';
}

/** What one of two gets that make the table at once: duplicate_table, or unique_violation of the catalogue. */
const MADE_BY_ANOTHER = new Set(['42P07', '23505']);

async function makeTable(pool: pg.Pool): Promise<void> {
  await pool.query(TABLE).catch((error: unknown) => {
    if (!MADE_BY_ANOTHER.has(codeOf(error) ?? '')) throw error;
  });
}
