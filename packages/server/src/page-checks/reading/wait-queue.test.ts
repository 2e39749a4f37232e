import { beforeEach, describe, expect, it } from 'vitest';
import { createWaitingLine, type WaitingLine } from './wait-queue.ts';

interface Entry {
  readonly caller: string;
  readonly size: number;
  readonly name?: string;
}

let now: number;
let line: WaitingLine<Entry>;

beforeEach(() => {
  now = 0;
  line = createWaitingLine<Entry>({ pages: 3, bytes: 100 }, () => now);
});

const page = (caller: string, size = 1, name = ''): Entry => ({ caller, size, name });
const namesInOrder = () => {
  const names: string[] = [];
  for (let entry = line.next(false); entry !== null; entry = line.next(false)) names.push(entry.caller);
  return names;
};

it('equals come in the order of asking', () => {
  for (const caller of ['a', 'b', 'a']) line.join(page(caller));
  expect(namesInOrder()).toEqual(['a', 'b', 'a']);
});

it('whoever had less read lately comes first', () => {
  line.charge('greedy', 500);
  line.charge('modest', 5);
  for (const caller of ['greedy', 'modest', 'new']) line.join(page(caller));
  expect(namesInOrder()).toEqual(['new', 'modest', 'greedy']);
});

it('what was spent is forgotten by half every five seconds', () => {
  line.charge('early', 800);
  now = 5_000;
  line.charge('late', 500);
  for (const caller of ['late', 'early']) line.join(page(caller));
  expect(namesInOrder()).toEqual(['early', 'late']);
});

/** Notes so many pages of so many milliseconds each. */
function charge(caller: string, pages: number, each: number): void {
  for (let n = 0; n < pages; n += 1) line.charge(caller, each);
}

/** Whether the thread for trusted callers would take a page of this one. */
function isTrusted(caller: string): boolean {
  const entry = page(caller);
  line.join(entry);
  const next = line.next(true);
  line.leave(entry);
  return next !== null;
}

describe('the thread for trusted callers takes pages', () => {
  it('of nobody who is not known by three light ones', () => {
    expect(isTrusted('new')).toBe(false);
    charge('new', 2, 5);
    expect(isTrusted('new')).toBe(false);
    charge('new', 1, 5);
    expect(isTrusted('new')).toBe(true);
  });

  it('of a busy caller, but not of one who takes more than its share', () => {
    charge('busy', 30, 30);
    expect(isTrusted('busy')).toBe(true);
    charge('busy', 10, 30);
    expect(isTrusted('busy')).toBe(false);
    now = 5_000;
    expect(isTrusted('busy')).toBe(true);
  });

  it('of nobody who sent a heavy one within a minute, whatever it sent since', () => {
    charge('sly', 10, 1);
    charge('sly', 1, 70);
    charge('sly', 10, 1);
    now = 59_999;
    expect(isTrusted('sly')).toBe(false);
    now = 60_000;
    expect(isTrusted('sly')).toBe(true);
  });

  it('passing over whoever is not trusted, however long it waits', () => {
    charge('light', 3, 1);
    line.join(page('new'));
    line.join(page('light'));
    expect(line.next(true)).toMatchObject({ caller: 'light' });
    expect(line.next(true)).toBeNull();
    expect(line.next(false)).toMatchObject({ caller: 'new' });
  });
});

it('ten thousand callers are remembered, no more', () => {
  charge('early', 3, 1);
  charge('kept', 3, 1);
  for (let n = 0; n < 9_998; n += 1) line.charge(`${n}`, 1);
  line.charge('kept', 1);
  line.charge('one more', 1);
  expect([isTrusted('early'), isTrusted('kept')]).toEqual([false, true]);
});

it('a full line lets the heaviest caller go, the last one first, whoever comes', () => {
  line.charge('greedy', 100);
  line.join(page('greedy', 1, 'first'));
  line.join(page('greedy', 1, 'second'));
  line.join(page('modest'));
  expect(line.join(page('new'))).toMatchObject({ caller: 'greedy', name: 'second' });
  expect(namesInOrder()).toEqual(['modest', 'new', 'greedy']);
});

it('a line full of equals refuses whoever comes', () => {
  for (const caller of ['a', 'b', 'c']) expect(line.join(page(caller))).toBeNull();
  const late = page('d');
  expect(line.join(late)).toBe(late);
});

it('a line is full by size too', () => {
  line.join(page('a', 60));
  const late = page('b', 50);
  expect(line.join(late)).toBe(late);
  expect(line.length).toBe(1);
});

it('whoever leaves is not called', () => {
  const entry = page('a');
  line.join(entry);
  line.leave(entry);
  line.leave(entry);
  expect(line.next(false)).toBeNull();
});
