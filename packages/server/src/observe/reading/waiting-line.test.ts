import { beforeEach, expect, it } from 'vitest';
import { createWaitingLine, type WaitingLine } from './waiting-line.ts';

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

it('the thread for light callers takes no page of a heavy one, and any other', () => {
  line.charge('heavy', 1_100);
  line.join(page('heavy'));
  expect(line.next(true)).toBeNull();
  line.join(page('light'));
  expect(line.next(true)).toMatchObject({ caller: 'light' });
  expect(line.next(false)).toMatchObject({ caller: 'heavy' });
});

it('a heavy caller is a light one again after a while', () => {
  for (let pages = 0; pages < 110; pages += 1) line.charge('heavy', 10);
  line.join(page('heavy'));
  expect(line.next(true)).toBeNull();
  now = 1_000;
  expect(line.next(true)).toMatchObject({ caller: 'heavy' });
});

it('one heavy page makes a heavy caller for a minute, whatever else it sends; many light ones do not', () => {
  line.charge('sly', 70);
  for (let pages = 0; pages < 30; pages += 1) {
    line.charge('sly', 1);
    line.charge('busy', 30);
  }
  line.join(page('sly'));
  expect(line.next(true)).toBeNull();
  line.join(page('busy'));
  expect(line.next(true)).toMatchObject({ caller: 'busy' });
  now = 60_000;
  expect(line.next(true)).toMatchObject({ caller: 'sly' });
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
