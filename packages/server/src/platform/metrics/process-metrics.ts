import { collectDefaultMetrics, type Registry } from 'prom-client';

/**
 * Milliseconds between two looks at how late the event loop is, of which each wakes the process: the library's own 10 would be
 * most of what a process does that nobody asks for anything. The lag that is told includes it.
 */
const LOOK = 50;
/** Of a process that answers nothing: never. */
const NO_LOOK = 2 ** 30;

/**
 * What the library counts of each process: memory, processor time, the event loop.
 *
 * @param answers - requests; the lag of a process that does not is nobody's wait, and is not told
 */
export function countProcess(register: Registry, { answers }: { readonly answers: boolean }): void {
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision: answers ? LOOK : NO_LOOK });
  if (answers) return;
  for (const { name } of register.getMetricsAsArray())
    if (name.startsWith('nodejs_eventloop_lag')) register.removeSingleMetric(name);
}
