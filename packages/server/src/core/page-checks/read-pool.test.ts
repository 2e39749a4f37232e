import { readdir } from 'node:fs/promises';
import { readFacts } from '@touchstone/facts';
import { readPage } from '@touchstone/page/read';
import { afterEach, describe, expect, it } from 'vitest';
import { PATIENT } from '../../../../../test/kit/patience.ts';
import {
  createReadPool,
  DEFAULT_READ_POOL,
  PageTooHeavy,
  type ReadPool,
  type ReadPoolOptions,
} from './read-pool.ts';

const OPTIONS = { url: 'https://shop.example/products/1' };
/** More elements than are read, in 5 MB: the most expensive page that a fetch accepts. */
const HEAVY = '<p>'.repeat(1_666_000);
const LIGHT = '<!doctype html><title>Cup</title><h1>A cup</h1>';

let pool: ReadPool | undefined;
afterEach(async () => {
  await pool?.close();
  pool = undefined;
});

/** Time enough for a heavy page by a thread that goes second to everything else that this machine does. */
const UNHURRIED = { deadline: PATIENT.timeout, maxWait: PATIENT.timeout };

const withOptions = (options: Partial<ReadPoolOptions> = {}) => ({
  ...DEFAULT_READ_POOL,
  ...UNHURRIED,
  threads: 1,
  ...options,
});

function open(options: Partial<ReadPoolOptions> = {}): ReadPool {
  pool = createReadPool(withOptions(options));
  return pool;
}

const bytes = (html: string) => new TextEncoder().encode(html);
const read = (html: string, caller = 'a') => (pool ?? open()).readPage(bytes(html), OPTIONS, caller);

/** How a promise ended, for those that may end either way. */
const ending = (promise: Promise<unknown>) =>
  promise.then(
    () => 'read',
    (error: unknown) => error,
  );

const certificateAround = (inside: string, n: number) =>
  `{"@type":"Product","svc:issuedFor":{"domain":"d${n}"},"x":"${'x'.repeat(30_000)}"${inside && `,"isRelatedTo":${inside}`}}`;

describe('a page read in a thread', () => {
  it('gives the same reading as in this one', async () => {
    const html = `${LIGHT}<script type="application/ld+json">{"@type":"Product","name":"Cup","offers":{"price":"3,50"}}</script>`;
    expect(await read(html)).toEqual(readPage(bytes(html), OPTIONS, readFacts));
  });

  it('is not blamed if no thread can be started', async () => {
    open({ module: new URL('./no-such-module.ts', import.meta.url) });
    await expect(read(LIGHT)).rejects.toMatchObject({ code: 'internal' });
    // neither is the next one, for which threads are started again
    await expect(read(LIGHT)).rejects.toMatchObject({ code: 'internal' });
  });

  it('may be part of a larger buffer, which is not transferred', async () => {
    const around = bytes(`xxx${LIGHT}xxx`);
    const reading = await open().readPage(around.subarray(3, -3), OPTIONS, 'a');
    expect(reading.facts.name?.value).toBe('A cup');
    expect(around.byteLength).toBe(LIGHT.length + 6);
  });

  it('has its certificates limited in size, however they are nested', async () => {
    let nested = '';
    for (let n = 0; n < 45; n += 1) nested = certificateAround(nested, n);
    const reading = await read(`<script type="application/ld+json">${nested}</script>`);
    expect(JSON.stringify(reading.certificates).length).toBeLessThan(1_600_000);
  });
});

describe('a heavy page', () => {
  it('does not keep this thread from serving others', async () => {
    await read(LIGHT);
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    await read(HEAVY);
    clearInterval(timer);
    // were it read here, there would be one turn before it and one after it
    expect(turns).toBeGreaterThan(5);
  });

  it('of a caller who sends many delays no other caller', async () => {
    open({ threads: 2 });
    for (let n = 0; n < 3; n += 1) await read(LIGHT, 'modest');
    const ended: string[] = [];
    const heavy = Array.from({ length: 8 }, () => read(HEAVY, 'greedy').then(() => ended.push('heavy')));
    for (let n = 0; n < 5; n += 1) await read(LIGHT, 'modest').then(() => ended.push('light'));
    await Promise.all(heavy);
    expect(ended.indexOf('heavy')).toBeGreaterThanOrEqual(0);
    expect(ended.lastIndexOf('light')).toBeLessThan(ended.lastIndexOf('heavy') - 4);
  });
});

describe('a page that takes too much', () => {
  it('time is abandoned, and its thread replaced', async () => {
    const options = withOptions({ deadline: 1 });
    pool = createReadPool(options);
    const end = await ending(read(HEAVY));
    expect(end).toBeInstanceOf(PageTooHeavy);
    expect(end).toMatchObject({ message: expect.stringContaining('1 ms') });
    // the next thread is cold, and this machine may be busy
    options.deadline = UNHURRIED.deadline;
    await read(LIGHT);
  });

  it('memory is abandoned, and its thread replaced', async () => {
    open({ heapMegabytes: 24 });
    await read(LIGHT);
    const end = await ending(read(HEAVY));
    expect(end).toBeInstanceOf(PageTooHeavy);
    expect(end).toMatchObject({ message: expect.stringContaining('memory') });
    await read(LIGHT);
  });

  it('time or memory fails none of those waiting behind it', async () => {
    open({ heapMegabytes: 24 });
    const [heavy, ...others] = await Promise.all(
      [HEAVY, LIGHT, LIGHT, LIGHT].map((html) => ending(read(html))),
    );
    expect(heavy).toBeInstanceOf(Error);
    expect(others).toEqual(['read', 'read', 'read']);
  });
});

it('a page waits for a thread, but not indefinitely', async () => {
  open({ maxWait: 30 });
  await ending(read(LIGHT));
  const [, second] = await Promise.all([ending(read(HEAVY)), ending(read(LIGHT))]);
  expect(second).toMatchObject({ code: 'fetch_budget_spent', retryAfter: 5 });
});

it.runIf(process.platform === 'linux')(
  'threads are not started with the service, but for the first page or after a delay',
  async () => {
    const count = async () => (await readdir('/proc/self/task')).length;
    const before = await count();
    const early = open({ threads: 2, startAfter: 3_600_000 });
    expect(await count()).toBe(before);
    await read(LIGHT);
    expect(await count()).toBeGreaterThan(before + 1);
    await early.close();
    await expect.poll(count).toBe(before);
    open({ threads: 2, startAfter: 10 });
    await expect.poll(count).toBeGreaterThan(before + 1);
  },
);

it('closing ends every thread at once, and rejects whoever waits', async () => {
  const closing = open({ threads: 2 });
  await Promise.all([read(LIGHT), read(LIGHT)]);
  const waiting = [HEAVY, HEAVY, HEAVY, LIGHT].map((html) => ending(read(html)));
  await closing.close();
  // the first may have been read by then
  const [, ...ends] = await Promise.all(waiting);
  for (const end of ends) expect(end).toMatchObject({ code: 'shutting_down' });
  expect(await ending(read(LIGHT))).toMatchObject({ code: 'shutting_down' });
});

it('500 pages, some of them hostile, leave the process no larger than the first ones did', async () => {
  open({ threads: 2 });
  const nested = '<div>'.repeat(20_000);
  const blocks = '<script type="application/ld+json">{"a":1}</script>'.repeat(5_000);
  const pages = [LIGHT, nested, LIGHT, LIGHT, blocks, LIGHT, LIGHT];
  const readSome = async (count: number) => {
    for (let n = 0; n < count; n += 4) {
      await Promise.all([0, 1, 2, 3].map((i) => read(pages[(n + i) % 7] ?? LIGHT, `caller ${n}`)));
    }
  };
  await readSome(100);
  const before = process.memoryUsage.rss();
  await readSome(400);
  expect(process.memoryUsage.rss() - before).toBeLessThan(80_000_000);
});
