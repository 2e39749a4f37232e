import { Counter, Gauge, type MetricObjectWithValues, type MetricValue, Registry } from 'prom-client';
import { tellBuild } from './build-info.ts';
import { countProcess } from './process-metrics.ts';
import { createRequestDurations, type RequestRecord } from './request-durations.ts';

/** The metrics of one process, as plain values. */
export type MetricsReport = Omit<MetricObjectWithValues<MetricValue<string>>, 'collect'>[];

/** Name of a metric, without the prefix `touchstone_`, and its help text. */
export interface MetricName {
  readonly name: string;
  readonly help: string;
}

/** A metric whose series differ in one label. */
export interface LabelledMetricName extends MetricName {
  readonly label: string;
}

/**
 * The metrics of one process, in a separate registry. Each capability declares its own metrics; no series names a merchant,
 * page or caller.
 */
export interface Metrics {
  onRequest(record: RequestRecord): void;
  /** @returns a function that adds 1 */
  counter(metric: MetricName): () => void;
  /** @returns a function that adds `count`, 1 by default, to the series with this label value */
  labelledCounter(metric: LabelledMetricName): (value: string, count?: number) => void;
  /** @param read - called at every scrape, so it must return at once; `null` while the value is not known */
  gauge(metric: MetricName, read: () => number | null): void;
  /** @param read - values by label value; called at every scrape, so it must return at once; `null` while they are not known */
  labelledGauge(metric: LabelledMetricName, read: () => Readonly<Record<string, number>> | null): void;
  /** Prometheus text format. */
  render(): Promise<string>;
  /** For aggregation with the reports of other processes. */
  report(): Promise<MetricsReport>;
}

/**
 * @param processName - value of the label `process`, where the service has several processes
 * @param commit - told with the version, by a service of one process
 */
export function createMetrics(processName?: string, commit?: string): Metrics {
  const registry = new Registry();
  if (processName === undefined) tellBuild(registry, commit);
  else registry.setDefaultLabels({ process: processName });
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
      // counted in a map, since adding to a labelled counter costs a cached GET more
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
          const counts = read();
          if (counts === null) return;
          // a label that is no longer reported would keep its last value
          this.reset();
          for (const [value, count] of Object.entries(counts)) this.set({ [label]: value }, count);
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
