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
/** Milliseconds of a processor for a megabyte. */
const MOST = 1_000;
/** A quarter of the page read in this is under the bound even if the whole costs the square of it. */
const QUARTER = MOST / 16;
/** Twice the page may cost this many times as much: garbage is collected by steps. */
const DOUBLE = 3;

/** Milliseconds of a processor; the better of two, for others work beside. */
function cost(html: string, url = PAGE_URL): number {
  const once = (): number => {
    const before = process.cpuUsage();
    readPage(html, { url, namespaceUrl: 'https://c.example/ns#' });
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
  const first = once();
  return first < QUARTER ? first : Math.min(first, once());
}

/** What is wrong with how the cost of a page grows; undefined where it is small, or linear and under the bound. */
function faultOf(name: string, build: (length: number) => string, url?: string): string | undefined {
  if (cost(build(WHOLE / 4), url) <= QUARTER) return undefined;
  let told: string | undefined;
  // garbage of a page before may be collected in the time of this one: what is dear is dear again
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

describe('a megabyte of one fragment is read in a second, and twice as much costs twice', () => {
  const cases = single();
  // one after the other, for they are timed; in parts, so that a fault is told early
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

  it('of no sense', () => {
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

describe('a megabyte of parts that make each other dear', () => {
  it.each(composed())('$name', ({ name, build }) => {
    expect(faultOf(name, build, LONG_URL)).toBeUndefined();
  });
});
