import { readFacts } from '@touchstone/facts';
import { readPage } from '@touchstone/page/read';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CONTEXTS,
  composed,
  FRAGMENTS,
  type Growing,
  grown,
  LONG_URL,
  PAGE_URL,
  single,
} from './support/pages/fragments.ts';

const WHOLE = 1_000_000;
/** Maximum processor milliseconds per megabyte. */
const MOST = 1_000;
/** If a quarter of the page takes less, the whole page is within the limit even with quadratic cost. */
const QUARTER = MOST / 16;
/** Maximum factor for doubling the page, since garbage is collected in steps. */
const DOUBLE = 3;

/** Processor milliseconds, the better of two measurements, because of other load. */
function cost(html: string, url = PAGE_URL): number {
  const once = (): number => {
    const before = process.cpuUsage();
    readPage(html, { url, namespaceUrl: 'https://c.example/ns#' }, readFacts);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
  const first = once();
  return first < QUARTER ? first : Math.min(first, once());
}

/** What is wrong with the growth of a page's cost; undefined if it is small, or linear and within the limit. */
function faultOf(name: string, build: (length: number) => string, url?: string): string | undefined {
  if (cost(build(WHOLE / 4), url) <= QUARTER) return undefined;
  let told: string | undefined;
  // garbage of an earlier page may be collected during this one: real cost appears again
  for (let times = 0; times < 2; times += 1) {
    const half = cost(build(WHOLE / 2), url);
    const whole = cost(build(WHOLE), url);
    const linear = whole <= Math.max(half * DOUBLE, MOST / 4);
    if (whole <= MOST && linear) return undefined;
    told = `${name}: ${half.toFixed()} ms, doubled ${whole.toFixed()} ms`;
  }
  return told;
}

const builderOf = (growing: Growing) => (length: number) => grown(growing, length);

describe('a megabyte of one fragment is read in a second, and twice as much takes twice as long', () => {
  const cases = single();
  // one after the other, since they are timed; in parts, so that a fault is reported early
  const tenths = Array.from({ length: 10 }, (_, i) => i);
  it.each(tenths)('by itself, part %i', (part) => {
    const mine = cases.filter((_, i) => i % tenths.length === part);
    expect(mine.flatMap((growing) => faultOf(growing.name, builderOf(growing)) ?? [])).toEqual([]);
  });

  it('in pairs and threes', () => {
    const one = fc.constantFrom(...FRAGMENTS);
    const any = fc.record({
      parts: fc.array(one, { minLength: 2, maxLength: 3 }),
      context: fc.constantFrom(...CONTEXTS),
    });
    fc.assert(
      fc.property(any, ({ parts, context }) => {
        const growing = { ...context, name: parts.join(''), fragment: parts.join('') };
        expect(faultOf(growing.name, builderOf(growing))).toBeUndefined();
      }),
      { numRuns: 600 },
    );
  });

  it('without meaning', () => {
    const characters = fc.constantFrom(
      ...' <>/="\'&;:.,-_#$€0159aAzpricebold\\{}[]()!?*\n\t\u00a0\u0301\u{1F600}',
    );
    const nonsense = fc.array(characters, { minLength: 1, maxLength: 40 }).map((parts) => parts.join(''));
    const any = fc.record({ text: nonsense, context: fc.constantFrom(...CONTEXTS) });
    fc.assert(
      fc.property(any, ({ text, context }) => {
        const growing = { ...context, name: JSON.stringify(text), fragment: text };
        expect(faultOf(growing.name, builderOf(growing))).toBeUndefined();
      }),
      { numRuns: 600 },
    );
  });
});

describe('a megabyte of parts that make each other expensive', () => {
  it.each(composed())('$name', ({ name, build }) => {
    expect(faultOf(name, build, LONG_URL)).toBeUndefined();
  });
});
