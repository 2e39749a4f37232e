import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import { countPeriodically } from '../../platform/jobs/periodic-count.ts';
import type { ScheduledTask } from '../../platform/jobs/scheduled-tasks.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import type { CertificatesOptions } from './open-certificates.ts';

/** Counters of the certificates that a node issues and answers. */
export function certificateMetrics(
  metrics: Metrics,
): Required<Pick<CertificatesOptions, 'onSignature' | 'onIssued' | 'onAnswer'>> {
  return {
    onSignature: metrics.counter({ name: 'signatures_total', help: 'Proofs signed by this node.' }),
    onIssued: metrics.labelledCounter({
      name: 'certificates_ahead_total',
      help: 'Products whose certificate this node processed in advance: issued, withdrawn, unchanged or failed.',
      label: 'outcome',
    }),
    onAnswer: metrics.labelledCounter({
      name: 'certificate_answers_total',
      help: 'Certificates served, from memory or from the database.',
      label: 'from',
    }),
  };
}

/** Gauge of the products of all stores, on all nodes, that wait for a certificate or a renewal. */
export function countWaiting({
  db,
  metrics,
}: {
  readonly db: Database;
  readonly metrics: Metrics;
}): ScheduledTask {
  const waiting = countPeriodically({
    name: 'count certificates to be made',
    every: 60_000,
    count: async () => {
      const { rows } = await sql<{ count: number }>`
        select (select count(*) from certificate_due where due_at <= now())
          + coalesce((select sum(greatest(0, coalesce(visit_total, 0) - visited)) from certificate_stores
            where visit_after is not null), 0)::float8 as count`.execute(db);
      return rows[0]?.count ?? null;
    },
  });
  metrics.gauge(
    {
      name: 'certificates_waiting',
      help: 'Products of all stores waiting for a certificate or a renewal; counted once a minute.',
    },
    waiting.latest,
  );
  return waiting.task;
}
