import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { countProcess } from './process-metrics.ts';

test.each([true, false])('the lag of the event loop is told where requests are answered (%s)', (answers) => {
  const registry = new Registry();
  countProcess(registry, { answers });
  const names = registry.getMetricsAsArray().map(({ name }) => name);
  expect(names.some((name) => name.startsWith('nodejs_eventloop_lag'))).toBe(answers);
  expect(names).toContain('process_cpu_seconds_total');
});
