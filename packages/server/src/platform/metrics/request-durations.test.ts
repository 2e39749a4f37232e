import { Histogram, Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { createRequestDurations } from './request-durations.ts';

it('reports the same as the library’s own histogram for the same requests', async () => {
  const [ours, theirs] = [new Registry(), new Registry()];
  const durations = createRequestDurations();
  ours.registerMetric(durations.metric);
  const histogram = new Histogram({
    name: 'touchstone_http_request_duration_seconds',
    help: 'Requests by operation, method and status.',
    labelNames: ['operation', 'method', 'status'],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [theirs],
  });
  for (const [operation, method, status, seconds] of [
    ['getJwks', 'GET', 200, 0.00001],
    ['getJwks', 'GET', 304, 0.0005],
    ['getJwks', 'GET', 200, 0.3],
    ['checkPage', 'POST', 200, 10],
    ['checkPage', 'POST', 200, 75],
    ['getJwks', 'HEAD', 200, 0.0021],
  ] as const) {
    durations.onRequest({ operation, method, status, seconds });
    histogram.observe({ operation, method, status: String(status) }, seconds);
  }
  expect(await ours.metrics()).toBe(await theirs.metrics());
  const values = async (registry: Registry) =>
    (await registry.getMetricsAsJSON()).map((metric) => ({ ...metric, values: metric.values }));
  expect((await values(ours)).map(({ name, type, aggregator }) => [name, type, aggregator])).toEqual(
    (await values(theirs)).map(({ name, type, aggregator }) => [name, type, aggregator]),
  );
});
