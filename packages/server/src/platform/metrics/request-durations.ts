import type { Metric, MetricValueWithName } from 'prom-client';

/** One finished HTTP request. */
export interface RequestRecord {
  /** `unrouted` where no operation answered. */
  readonly operation: string;
  readonly method: string;
  readonly status: number;
  readonly seconds: number;
}

/** Seconds; a warm GET takes well under a millisecond, a page check up to ten seconds. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, Infinity];

const NAME = 'touchstone_http_request_duration_seconds';

interface Series {
  readonly labels: { readonly operation: string; readonly method: string; readonly status: string };
  /** Requests of each bucket alone. */
  readonly counts: number[];
  sum: number;
}

/**
 * The histogram of request durations. The library's histogram sorts and joins labels at every request, which takes a tenth of
 * the time of a warm GET; here this is done once per combination of labels.
 */
export function createRequestDurations(): {
  onRequest(record: RequestRecord): void;
  readonly metric: Metric;
} {
  const byOperation = new Map<string, Map<string, Map<number, Series>>>();
  const all: Series[] = [];

  const seriesOf = ({ operation, method, status }: RequestRecord): Series => {
    const known = byOperation.get(operation)?.get(method)?.get(status);
    if (known !== undefined) return known;
    const labels = { operation, method, status: String(status) };
    const series = { labels, counts: BUCKETS.map(() => 0), sum: 0 };
    const byMethod = byOperation.get(operation) ?? new Map<string, Map<number, Series>>();
    const byStatus = byMethod.get(method) ?? new Map<number, Series>();
    byOperation.set(operation, byMethod.set(method, byStatus.set(status, series)));
    all.push(series);
    return series;
  };

  const metric = {
    name: NAME,
    help: 'Requests by operation, method and status.',
    type: 'histogram',
    aggregator: 'sum',
    get: async () => ({ ...metric, values: all.flatMap(valuesOf) }),
  };
  return {
    onRequest(record) {
      const series = seriesOf(record);
      let bucket = 0;
      while (record.seconds > (BUCKETS[bucket] as number)) bucket += 1;
      series.counts[bucket] = (series.counts[bucket] as number) + 1;
      series.sum += record.seconds;
    },
    // implements all that a registry uses of a metric; its type accepts only the library's classes
    metric: metric as unknown as Metric,
  };
}

function valuesOf({ labels, counts, sum }: Series): MetricValueWithName<string>[] {
  let count = 0;
  const buckets = BUCKETS.map((bound, index) => {
    count += counts[index] as number;
    const le = bound === Infinity ? '+Inf' : bound;
    return { metricName: `${NAME}_bucket`, labels: { le, ...labels }, value: count };
  });
  return [
    ...buckets,
    { metricName: `${NAME}_sum`, labels, value: sum },
    { metricName: `${NAME}_count`, labels, value: count },
  ];
}
