import type { Worker } from 'node:cluster';
import type { MetricsReport } from '../metrics/metrics.ts';
import type { ToProcess, ToSupervisor } from './messages.ts';

/** Milliseconds for a process to send its metrics; one that takes longer is left out. */
const PATIENCE = 2_000;

export interface MetricsCollector {
  /** Requests the metrics of these processes. */
  collect(workers: readonly Worker[]): Promise<MetricsReport[]>;
  /** Receives the metrics of a process. */
  take(message: Extract<ToSupervisor, { kind: 'report' }>): void;
}

/** Collects the metrics of processes. */
export function createMetricsCollector(): MetricsCollector {
  const waiting = new Map<number, (metrics: MetricsReport | null) => void>();
  let asked = 0;

  const ask = (worker: Worker): Promise<MetricsReport | null> =>
    new Promise((resolve) => {
      const id = ++asked;
      const end = (metrics: MetricsReport | null) => {
        clearTimeout(late);
        waiting.delete(id);
        resolve(metrics);
      };
      const late = setTimeout(end, PATIENCE, null);
      waiting.set(id, end);
      worker.send({ kind: 'report', id } satisfies ToProcess, (error: Error | null) => {
        if (error !== null) end(null);
      });
    });

  return {
    async collect(workers) {
      const reports = await Promise.all(workers.map(ask));
      return reports.filter((report) => report !== null);
    },
    take: ({ id, metrics }) => waiting.get(id)?.(metrics),
  };
}
