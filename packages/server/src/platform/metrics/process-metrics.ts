import { monitorEventLoopDelay } from 'node:perf_hooks';
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';

/** Milliseconds between two samples of the event loop lag, which include this interval. */
const RESOLUTION = 50;
/** Milliseconds without a request after which sampling stops. */
const IDLE_AFTER = 10_000;
/** Disables the sampling of the library, which would never stop. */
const NEVER = 2 ** 30;

/** Samples the event loop lag only while there are requests, since each sample wakes an idle process. */
export interface LagMonitor {
  onRequest(): void;
}

/**
 * Adds the default metrics of the library: memory, processor time, the event loop.
 *
 * @param answers - whether the process answers requests; if not, it has no metrics of the event loop lag
 * @param unasked - milliseconds without a request after which sampling stops until the next request
 */
export function countProcess(
  register: Registry,
  { answers, unasked = IDLE_AFTER }: { readonly answers: boolean; readonly unasked?: number },
): LagMonitor {
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision: NEVER });
  for (const { name } of register.getMetricsAsArray())
    if (name.startsWith('nodejs_eventloop_lag')) register.removeSingleMetric(name);
  return answers ? monitorLag(register, unasked) : { onRequest() {} };
}

function monitorLag(register: Registry, unasked: number): LagMonitor {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION });
  const statistics = {
    min: () => histogram.min,
    max: () => histogram.max,
    mean: () => histogram.mean,
    stddev: () => histogram.stddev,
    p50: () => histogram.percentile(50),
    p90: () => histogram.percentile(90),
    // read last, so it resets the histogram
    p99: () => {
      const lag = histogram.percentile(99);
      histogram.reset();
      return lag;
    },
  };
  for (const [name, read] of Object.entries(statistics))
    new Gauge({
      name: `nodejs_eventloop_lag_${name}_seconds`,
      help: `Delay of the event loop while requests were processed, since the last scrape (${name}).`,
      registers: [register],
      collect() {
        this.set(histogram.count === 0 ? 0 : read() / 1e9);
      },
    });
  let isSampling = false;
  let hadRequests = false;
  const stopIfIdle = (timer: NodeJS.Timeout) => {
    if (hadRequests) hadRequests = false;
    else {
      clearInterval(timer);
      histogram.disable();
      isSampling = false;
    }
  };
  return {
    onRequest() {
      hadRequests = true;
      if (isSampling) return;
      // otherwise the time without sampling would count as lag
      histogram.reset();
      isSampling = histogram.enable();
      const timer = setInterval(() => stopIfIdle(timer), unasked).unref();
    },
  };
}
