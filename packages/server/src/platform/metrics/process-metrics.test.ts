import { setTimeout as delay } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { countProcess } from './process-metrics.ts';

test.each([true, false])(
  'the lag of the event loop is reported by processes that answer requests (%s)',
  (answers) => {
    const registry = new Registry();
    countProcess(registry, { answers });
    const names = registry.getMetricsAsArray().map(({ name }) => name);
    expect(names.some((name) => name.startsWith('nodejs_eventloop_lag'))).toBe(answers);
    expect(names).toContain('process_cpu_seconds_total');
  },
);

test('the lag is measured while there are requests, and is zero without any', async () => {
  const registry = new Registry();
  const lag = countProcess(registry, { answers: true, unasked: 100 });
  const told = async () => {
    const metrics = await registry.getMetricsAsJSON();
    const lags = metrics.filter(({ name }) => /^nodejs_eventloop_lag_\w+_seconds$/.test(name));
    return lags.map(({ values }) => Number(values[0]?.value));
  };
  const most = async () => Math.max(...(await told()));
  expect(await told()).toEqual(Array(7).fill(0));
  lag.onRequest();
  await expect.poll(most).toBeGreaterThan(0);
  // without requests, measuring stops and zero is reported
  await expect.poll(most).toBe(0);
  await delay(5_000);
  lag.onRequest();
  const seen: number[] = [];
  await expect.poll(async () => seen.push(await most()) > 0 && seen.at(-1)).toBeGreaterThan(0);
  expect(Math.max(...seen)).toBeLessThan(4);
});
