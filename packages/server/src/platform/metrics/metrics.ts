import { Counter, Gauge, type MetricObjectWithValues, type MetricValue, Registry } from 'prom-client';
import { countProcess } from './process-metrics.ts';
import { createRequestDurations, type RequestRecord } from './request-durations.ts';

/** What one process counted, as plain values. */
export type MetricsReport = Omit<MetricObjectWithValues<MetricValue<string>>, 'collect'>[];

/** What a metric is called, `touchstone_` being put before it, and what it tells. */
export interface MetricName {
  readonly name: string;
  readonly help: string;
}

/** One whose series differ in one label. */
export interface LabelledMetricName extends MetricName {
  readonly label: string;
}

/**
 * The metrics of one process, in a registry of its own. Each capability declares what it counts; nothing there names a
 * merchant, page or caller.
 */
export interface Metrics {
  onRequest(record: RequestRecord): void;
  /** @returns adds 1 */
  counter(metric: MetricName): () => void;
  /** @returns adds `count`, 1 by default, to the series of this value of the label */
  labelledCounter(metric: LabelledMetricName): (value: string, count?: number) => void;
  /** @param read - asked at every scrape, so it must be at hand; `null` while it is not known */
  gauge(metric: MetricName, read: () => number | null): void;
  /** @param read - by value of the label; asked at every scrape, so it must be at hand; `null` while it is not known */
  labelledGauge(metric: LabelledMetricName, read: () => Readonly<Record<string, number>> | null): void;
  /** Prometheus text format. */
  render(): Promise<string>;
  /** For adding up with those of other processes. */
  report(): Promise<MetricsReport>;
}

/** @param processName - the label `process` of every series, where the service has several processes */
export function createMetrics(processName?: string): Metrics {
  const registry = new Registry();
  if (processName !== undefined) registry.setDefaultLabels({ process: processName });
  const registers = [registry];
  const lag = countProcess(registry, { answers: true });
  const requests = createRequestDurations();
  registry.registerMetric(requests.metric);
  return {
    onRequest(record) {
      lag.onRequest();
      requests.onRequest(record);
    },
    counter(metric) {
      const counter = new Counter({ ...named(metric), registers });
      return () => counter.inc();
    },
    labelledCounter({ label, ...metric }) {
      // counted apart, since adding to a counter with labels costs a warm GET more than counting
      const counted = new Map<string, number>();
      new Counter({
        ...named(metric),
        labelNames: [label],
        registers,
        collect() {
          for (const [value, count] of counted) this.inc({ [label]: value }, count);
          counted.clear();
        },
      });
      return (value, count = 1) => void counted.set(value, (counted.get(value) ?? 0) + count);
    },
    gauge(metric, read) {
      new Gauge({
        ...named(metric),
        registers,
        collect() {
          const value = read();
          if (value !== null) this.set(value);
        },
      });
    },
    labelledGauge({ label, ...metric }, read) {
      new Gauge({
        ...named(metric),
        labelNames: [label],
        registers,
        collect() {
          for (const [value, count] of Object.entries(read() ?? {})) this.set({ [label]: value }, count);
        },
      });
    },
    render: () => registry.metrics(),
    report: async () =>
      (await registry.getMetricsAsJSON()).map(({ name, help, type, aggregator, values }) => ({
        name,
        help,
        type,
        aggregator,
        values,
      })),
  };
}

const named = ({ name, help }: MetricName) => ({ name: `touchstone_${name}`, help });
