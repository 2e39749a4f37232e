import { describe, expect, it } from 'vitest';
import type { RecordedDrift } from '../../platform/database/column-types.ts';
import type { Difference } from './compare-page.ts';
import { CONFIRMED_AFTER, followDrift } from './follow-drift.ts';

const START = Date.parse('2026-03-01T12:00:00Z');
const at = (hours: number) => new Date(START + hours * 3_600_000);
const PRICE: Difference = { field: 'price', catalogue: '24.90 EUR', page: '31.90 EUR' };

/** Checks a page at these hours, each with what it showed: a difference, the same (`same`), or nothing certain (`uncertain`). */
function checks(...seen: (readonly [hours: number, shown: Difference | 'same' | 'uncertain'])[]) {
  let drift: readonly RecordedDrift[] = [];
  const told: string[] = [];
  for (const [hours, shown] of seen) {
    const differences = typeof shown === 'string' ? [] : [shown];
    const settled = new Set(shown === 'same' ? (['price'] as const) : []);
    const next = followDrift(drift, { differences, settled }, at(hours));
    drift = next.drift;
    told.push(...next.told.map(({ page }) => `${hours}: ${page}`));
  }
  return { drift, told };
}

describe('a difference', () => {
  it('is told once, when a page shows it again some 20 hours later', () => {
    const hours = CONFIRMED_AFTER / 3_600_000;
    expect(checks([0, PRICE]).told).toEqual([]);
    expect(checks([0, PRICE], [hours - 0.1, PRICE]).told).toEqual([]);
    const { told, drift } = checks([0, PRICE], [hours, PRICE], [48, PRICE]);
    expect(told).toEqual([`${hours}: 31.90 EUR`]);
    expect(drift).toEqual([
      {
        ...PRICE,
        since: at(0).toISOString(),
        lastAt: at(48).toISOString(),
        times: 3,
        toldAt: at(hours).toISOString(),
      },
    ]);
  });

  it('is not confirmed by the same page, or by an earlier one', () => {
    const { drift } = checks([0, PRICE], [0, PRICE], [-1, PRICE]);
    expect(drift).toMatchObject([{ times: 1, lastAt: at(0).toISOString() }]);
  });

  it('ends when a page shows the same as the catalogue, and begins anew afterwards', () => {
    expect(checks([0, PRICE], [24, 'same']).drift).toEqual([]);
    expect(checks([0, PRICE], [24, 'same'], [30, PRICE]).told).toEqual([]);
    expect(checks([0, PRICE], [24, PRICE], [48, 'same'], [72, PRICE], [96, PRICE]).told).toEqual([
      '24: 31.90 EUR',
      '96: 31.90 EUR',
    ]);
  });

  it('neither ends nor is confirmed by an uncertain page, and is forgotten after two weeks of these', () => {
    expect(checks([0, PRICE], [24, 'uncertain']).drift).toMatchObject([{ times: 1 }]);
    expect(checks([0, PRICE], [24, 'uncertain'], [48, PRICE]).told).toEqual(['48: 31.90 EUR']);
    expect(checks([0, PRICE], [14 * 24, 'uncertain']).drift).toEqual([]);
  });

  it('goes on while page or catalogue state what they did, and is another if both have changed', () => {
    const onPage = { ...PRICE, page: '33.90 EUR' };
    expect(checks([0, PRICE], [24, onPage]).told).toEqual(['24: 33.90 EUR']);
    const inCatalogue = { ...PRICE, catalogue: '19.90 EUR' };
    expect(checks([0, PRICE], [24, inCatalogue]).told).toEqual(['24: 31.90 EUR']);
    // a catalogue that follows its page with a day's delay
    const both = { ...PRICE, catalogue: '31.90 EUR', page: '33.90 EUR' };
    expect(checks([0, PRICE], [24, both]).told).toEqual([]);
    expect(checks([0, PRICE], [24, PRICE], [48, both], [72, both]).told).toEqual([
      '24: 31.90 EUR',
      '72: 33.90 EUR',
    ]);
  });
});
