import { expect, test } from 'vitest';
import { createMetrics } from './metrics.ts';

test('a labelled gauge shows the labels that are reported now, and its last values while there are none', async () => {
  let counts: Record<string, number> | null = null;
  const metrics = createMetrics();
  metrics.labelledGauge({ name: 'pages', help: 'Pages.', label: 'result' }, () => counts);
  const shown = async () => (await metrics.render()).match(/^touchstone_pages\{.*$/gm) ?? [];
  expect(await shown()).toEqual([]);
  counts = { verified: 2, gone: 1 };
  expect(await shown()).toEqual([
    'touchstone_pages{result="verified"} 2',
    'touchstone_pages{result="gone"} 1',
  ]);
  counts = { verified: 3 };
  expect(await shown()).toEqual(['touchstone_pages{result="verified"} 3']);
  counts = null;
  expect(await shown()).toEqual(['touchstone_pages{result="verified"} 3']);
  counts = {};
  expect(await shown()).toEqual([]);
});
