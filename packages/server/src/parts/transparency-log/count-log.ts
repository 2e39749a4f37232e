import { sql } from 'kysely';
import { type Database, onlyRow } from '../../platform/database/database.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';

interface Counts {
  readonly published: number;
  readonly waiting: number;
  /** Seconds. */
  readonly late: number;
  readonly unwitnessed: number;
  readonly refusals: readonly string[];
}

/** Leaves without a place are counted up to this many. */
const COUNTED = 100_000;

/** What metrics and findings tell, as it was last counted. */
export function logMetrics(metrics: Metrics) {
  let counted: Counts | null = null;
  metrics.labelledGauge(
    {
      name: 'log_leaves',
      help: 'Leaves of the transparency log; waiting: signed proofs that are not in it yet.',
      label: 'state',
    },
    () => counted && { published: counted.published, waiting: counted.waiting },
  );
  metrics.gauge(
    {
      name: 'log_behind_seconds',
      help: 'How long the oldest proof has waited that is not in the transparency log yet.',
    },
    () => counted?.late ?? null,
  );
  metrics.gauge(
    {
      name: 'log_unwitnessed_leaves',
      help: 'Leaves of the transparency log behind the last checkpoint that had a quorum of witnesses.',
    },
    () => counted?.unwitnessed ?? null,
  );
  return {
    onAnswer: metrics.labelledCounter({
      name: 'log_witness_answers_total',
      help: 'Answers of witnesses, by status.',
      label: 'status',
    }),
    onCounted: (counts: Counts) => {
      counted = counts;
    },
    findings: (): readonly string[] =>
      (counted?.refusals ?? []).map((refusal) => `The transparency log does not grow: ${refusal}.`),
  };
}

export async function countLog(db: Database, onCounted: (counts: Counts) => void): Promise<void> {
  const { rows } = await sql<Counts>`
    select coalesce(sum(size), 0)::float8 as published, coalesce(sum(size - witnessed_size), 0)::float8 as unwitnessed,
      (select count(*) from (select from log_leaves where index is null limit ${COUNTED}) w)::int as waiting,
      coalesce((select extract(epoch from now() - min(entered_at)) from log_leaves where index is null), 0)::float8 as late,
      coalesce(array_agg(refusal) filter (where refusal is not null), '{}') as refusals
    from log_shards`.execute(db);
  onCounted(onlyRow(rows));
}
