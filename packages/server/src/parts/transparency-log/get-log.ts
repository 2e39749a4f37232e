import { formatEndedLog, formatVkey, type Policy } from '@touchstone/certificate/log';
import type { TransparencyLogState } from '@touchstone/contract';
import { sql } from 'kysely';
import type { LogKeys } from '../../core/keys/open-log-keys.ts';
import type { Database } from '../../platform/database/database.ts';
import { keyOfShard } from './checkpoints.ts';
import { EMPTY_ROOT } from './open-shards.ts';
import { logUrl, readShards, type Shard, shardName } from './shards.ts';

/** Years after its end for which the files of a log are kept at least. */
const RETAINED_YEARS = 2;
/** Leaves without a place are counted up to this many. */
const COUNTED = 10_000;

export interface LogStateOptions {
  readonly db: Database;
  readonly keys: LogKeys;
  readonly baseUrl: string;
  readonly policy: LogPolicy;
}

/** The witnesses of the log. */
export interface LogPolicy extends Pick<Policy, 'witnesses' | 'quorum'> {
  /** The lines of the policy file about witnesses, groups and the quorum. */
  readonly lines: readonly string[];
}

export const NO_WITNESSES: LogPolicy = { witnesses: [], lines: ['quorum none'] };

export type LogStatement = 'witnessed' | 'logged, not witnessed';

/** Whether the last leaves of these logs have been witnessed: of each log all that it has published up to half a minute ago. */
export function statementOf(shards: readonly Shard[], { quorum }: Pick<LogPolicy, 'quorum'>): LogStatement {
  const published = shards.filter(({ size }) => size > 0);
  const isWitnessed =
    quorum !== undefined && published.length > 0 && published.every(({ witnessed }) => witnessed !== null);
  return isWitnessed ? 'witnessed' : 'logged, not witnessed';
}

export async function readLogState({
  db,
  keys,
  baseUrl,
  policy,
}: LogStateOptions): Promise<TransparencyLogState> {
  const shards = await readShards(db);
  const { rows: waiting } = await sql<{ year: number; count: number }>`
    select year, count(*)::int as count from (select year from log_leaves where index is null limit ${COUNTED}) w group by year`.execute(
    db,
  );
  const { rows: witnesses } = await sql<{
    year: number;
    number: number;
    name: string;
    size: number;
    answer: string | null;
    cosigned_at: Date | null;
  }>`select year, number, name, size::float8 as size, answer, cosigned_at from log_witnesses order by name`.execute(
    db,
  );
  const logs = await Promise.all(
    shards.map(async (shard) => {
      const key = await keyOfShard(keys, shard);
      const { year, number, origin, size, assigned, opened_at, published_at, refusal } = shard;
      const { root, witnessed, witnessed_size, ended_at } = shard;
      const begin = new Date(Date.UTC(year, 0));
      const successor = shards.find((one) => one.year === year && one.number > number);
      return {
        name: shardName(shard),
        year,
        origin,
        url: logUrl(baseUrl, shard),
        vkey: key === null ? '' : formatVkey(key),
        size,
        waiting:
          ended_at === null ? (waiting.find((row) => row.year === year)?.count ?? 0) + (assigned - size) : 0,
        since: (opened_at > begin ? opened_at : begin).toISOString(),
        until: (ended_at ?? new Date(Date.UTC(year + 1, 0))).toISOString(),
        retainedUntil: new Date(Date.UTC(year + 1 + RETAINED_YEARS, 0)).toISOString(),
        ...(published_at === null ? {} : { publishedAt: published_at.toISOString() }),
        status:
          witnessed === null || policy.quorum === undefined ? ('logged' as const) : ('witnessed' as const),
        ...(witnessed === null ? {} : { witnessedSize: witnessed_size }),
        ...(refusal === null ? {} : { refusal }),
        ...(ended_at === null
          ? {}
          : {
              ended: {
                at: ended_at.toISOString(),
                root: (root ?? EMPTY_ROOT).toString('base64'),
                ...(successor === undefined ? {} : { successor: shardName(successor) }),
              },
            }),
        witnesses: policy.witnesses.map(({ name }) => {
          const row = witnesses.find(
            (one) => one.year === year && one.number === number && one.name === name,
          );
          return {
            name,
            size: row?.size ?? 0,
            ...(row === undefined || row.answer === null ? {} : { answer: row.answer }),
            ...(row === undefined || row.cosigned_at === null
              ? {}
              : { cosignedAt: row.cosigned_at.toISOString() }),
          };
        }),
      };
    }),
  );
  return { logs, statement: statementOf(shards, policy) };
}

/** The policy that others may copy: the logs with their keys, those that ended, and the witnesses of this service. */
export async function renderPolicy({ db, keys, baseUrl, policy }: LogStateOptions): Promise<string> {
  const lines: string[] = [];
  for (const shard of await readShards(db)) {
    const key = await keyOfShard(keys, shard);
    if (key === null) continue;
    const { size, root, ended_at: endedAt, witnessed_size: witnessedSize } = shard;
    const url = logUrl(baseUrl, shard);
    if (endedAt === null) lines.push(`log ${formatVkey(key)} ${url}`);
    else
      lines.push(
        formatEndedLog({
          key,
          endedAt: Math.floor(endedAt.getTime() / 1000),
          size,
          root: new Uint8Array(root ?? EMPTY_ROOT),
          witnessedSize,
          url,
        }),
      );
  }
  return [...lines, ...policy.lines].map((line) => `${line}\n`).join('');
}
