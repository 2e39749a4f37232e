import { monitorEventLoopDelay } from 'node:perf_hooks';
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';

/** Milliseconds between two looks at how late the event loop is. The lag that is told includes it. */
const LOOK = 50;
/** Milliseconds without a request after which nobody waits who could be late. */
const UNASKED = 10_000;
/** Of the library, which would look all the time: never. */
const NO_LOOK = 2 ** 30;

/** How late the event loop is, looked at while requests come: each look wakes a process that would else sleep. */
export interface LagMonitor {
  onRequest(): void;
}

/**
 * What the library counts of each process: memory, processor time, the event loop.
 *
 * @param answers - requests; the lag of a process that does not is nobody's wait, and is not told
 * @param unasked - milliseconds without a request after which its lag is not looked at until the next
 */
export function countProcess(
  register: Registry,
  { answers, unasked = UNASKED }: { readonly answers: boolean; readonly unasked?: number },
): LagMonitor {
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision: NO_LOOK });
  for (const { name } of register.getMetricsAsArray())
    if (name.startsWith('nodejs_eventloop_lag')) register.removeSingleMetric(name);
  return answers ? monitorLag(register, unasked) : { onRequest() {} };
}

function monitorLag(register: Registry, unasked: number): LagMonitor {
  const seen = monitorEventLoopDelay({ resolution: LOOK });
  const told = {
    min: () => seen.min,
    max: () => seen.max,
    mean: () => seen.mean,
    stddev: () => seen.stddev,
    p50: () => seen.percentile(50),
    p90: () => seen.percentile(90),
    // the last one
    p99: () => {
      const lag = seen.percentile(99);
      seen.reset();
      return lag;
    },
  };
  for (const [name, read] of Object.entries(told))
    new Gauge({
      name: `nodejs_eventloop_lag_${name}_seconds`,
      help: `How late the event loop was while requests came, since this was last asked for (${name}).`,
      registers: [register],
      collect() {
        this.set(seen.count === 0 ? 0 : read() / 1e9);
      },
    });
  let isLooking = false;
  let isAsked = false;
  const stopUnlessAsked = (timer: NodeJS.Timeout) => {
    if (isAsked) isAsked = false;
    else {
      clearInterval(timer);
      seen.disable();
      isLooking = false;
    }
  };
  return {
    onRequest() {
      isAsked = true;
      if (isLooking) return;
      // else the time in which it did not look would count as one lag
      seen.reset();
      isLooking = seen.enable();
      const timer = setInterval(() => stopUnlessAsked(timer), unasked).unref();
    },
  };
}
