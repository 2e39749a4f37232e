import { describe, expect, test, vi } from 'vitest';
import { ServiceError } from '../errors.ts';
import { createChangeHub } from './changes.ts';
import { createFreshCache, type Loaded, type Tag } from './fresh-cache.ts';

function setUp({ maxBytes = 1_000_000 } = {}) {
  const hub = createChangeHub();
  const state = { proven: true, lastProof: 0, recentSince: 1, now: new Date(0) };
  const answers: string[] = [];
  const cache = createFreshCache<string>({
    hub,
    freshness: {
      isProven: () => state.proven,
      lastProof: () => state.lastProof,
      wasProven: (at = state.lastProof) => at >= state.recentSince,
    },
    clock: () => state.now,
    maxBytes,
    onAnswer: (from) => answers.push(from),
    asStale: (value) => `${value}, stale`,
  });
  return { hub, state, cache, answers };
}

/** A load that ends when the test resolves it. */
function slowLoad(tags: Tag[] = []) {
  const { promise, resolve, reject } = Promise.withResolvers<Loaded<string>>();
  const calls = { count: 0 };
  return {
    calls,
    load: () => {
      calls.count += 1;
      return promise;
    },
    end: (value: string) => resolve({ value, tags, bytes: 10 }),
    fail: reject,
  };
}

const loading =
  (value: string, tags: Tag[] = [], more: Partial<Loaded<string>> = {}) =>
  async () => ({ value, tags, bytes: 10, ...more });

const settled = async () => {
  for (let i = 0; i < 10; i += 1) await Promise.resolve();
};

describe('copies in memory', () => {
  test('are returned without a load while freshness is proven', async () => {
    const { cache, answers } = setUp();
    expect(await cache.get('p:1', loading('a'))).toBe('a');
    expect(await cache.get('p:1', loading('b'))).toBe('a');
    expect(answers).toEqual(['database', 'memory']);
  });

  test('are never returned while it is not: every call reads', async () => {
    const { cache, state, answers } = setUp();
    await cache.get('p:1', loading('a'));
    state.proven = false;
    expect(await cache.get('p:1', loading('b'))).toBe('b');
    expect(await cache.get('p:1', loading('c'))).toBe('c');
    await expect(cache.get('p:1', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(answers).toEqual(['database', 'database', 'database', 'database']);
  });

  test.each([
    ['p:1', ['p:1', 's:1']],
    ['s:1', ['p:1', 's:1']],
    ['m:1', ['p:1', 'm:1']],
    ['k:1', ['p:1', 'k:1']],
    ['k:1', ['k:*']],
    ['*', []],
  ] as const)('are evicted at once by %s when tagged %j', async (change, tags) => {
    const { cache, hub } = setUp();
    await cache.get('x', loading('a', [...tags]));
    hub.publish(change);
    expect(await cache.get('x', loading('b', [...tags]))).toBe('b');
  });

  test('are kept when something else changes', async () => {
    const { cache, hub } = setUp();
    await cache.get('p:1', loading('a', ['p:1', 's:1', 'm:1', 'k:1']));
    for (const change of ['p:2', 's:2', 'm:2', 'k:2'] as const) hub.publish(change);
    expect(await cache.get('p:1', loading('b'))).toBe('a');
  });

  test('are returned until they expire and not afterwards', async () => {
    const { cache, state } = setUp();
    await cache.get('p:1', loading('a', [], { until: new Date(5_000) }));
    state.now = new Date(5_000);
    expect(await cache.get('p:1', loading('b'))).toBe('a');
    state.now = new Date(5_001);
    expect(await cache.get('p:1', loading('b'))).toBe('b');
  });

  test('are not returned before they become valid, if the clock was set back', async () => {
    const { cache, state } = setUp();
    state.now = new Date(5_000);
    await cache.get('p:1', loading('a', [], { from: new Date(4_000) }));
    state.now = new Date(4_000);
    expect(await cache.get('p:1', loading('b'))).toBe('a');
    state.now = new Date(3_999);
    expect(await cache.get('p:1', loading('b'))).toBe('b');
  });

  test('are limited by bytes, and the least recently used are evicted', async () => {
    const { cache } = setUp({ maxBytes: 3_000 });
    for (const key of ['a', 'b', 'c']) await cache.get(key, loading(key, ['s:1']));
    await cache.get('a', loading('again'));
    await cache.get('d', loading('d', ['s:1']));
    expect(cache.size).toBeLessThanOrEqual(3_000);
    expect(await cache.get('a', loading('again'))).toBe('a');
    expect(await cache.get('b', loading('again'))).toBe('again');
  });

  test('larger than the whole cache are returned and not kept', async () => {
    const { cache } = setUp({ maxBytes: 2_000 });
    expect(await cache.get('a', loading('a', [], { bytes: 5_000 }))).toBe('a');
    expect(cache.size).toBe(0);
  });

  test('leave nothing behind when they are evicted', async () => {
    const { cache, hub } = setUp();
    for (let i = 0; i < 50; i += 1) await cache.get(`p:${i}`, loading('a', [`p:${i}`, 's:1']));
    hub.publish('s:1');
    expect(cache.size).toBe(0);
  });
});

describe('a load', () => {
  test('is shared by all concurrent callers', async () => {
    const { cache } = setUp();
    const slow = slowLoad();
    const asked = [1, 2, 3].map(() => cache.get('p:1', slow.load));
    slow.end('a');
    expect(await Promise.all(asked)).toEqual(['a', 'a', 'a']);
    expect(slow.calls.count).toBe(1);
  });

  test('that began before a change is not kept after it', async () => {
    const { cache, hub } = setUp();
    const slow = slowLoad(['p:1', 's:1']);
    const asked = cache.get('p:1', slow.load);
    hub.publish('s:1');
    slow.end('before');
    expect(await asked).toBe('before');
    expect(await cache.get('p:1', loading('after'))).toBe('after');
  });

  test('that began before a change is not shared by those who call after it', async () => {
    const { cache, hub } = setUp();
    const slow = slowLoad(['p:1']);
    const early = cache.get('p:1', slow.load);
    hub.publish('p:1');
    const late = [cache.get('p:1', loading('after')), cache.get('p:1', loading('unused'))];
    slow.end('before');
    expect(await early).toBe('before');
    expect(await Promise.all(late)).toEqual(['after', 'after']);
  });

  test('is kept and shared even if other products change continuously', async () => {
    const { cache, hub } = setUp();
    const slow = slowLoad(['p:1']);
    const early = cache.get('p:1', slow.load);
    for (let i = 2; i < 20_000; i += 1) hub.publish(`p:${i}`);
    const late = cache.get('p:1', loading('unused'));
    slow.end('a');
    expect(await Promise.all([early, late])).toEqual(['a', 'a']);
  });

  test('is shared only by those who called before it began, if freshness is not proven', async () => {
    const { cache, state } = setUp();
    state.proven = false;
    const first = slowLoad();
    const second = slowLoad();
    const one = cache.get('p:1', first.load);
    const two = cache.get('p:1', second.load);
    const three = cache.get('p:1', second.load);
    await settled();
    expect(second.calls.count).toBe(0);
    first.end('first');
    expect(await one).toBe('first');
    second.end('second');
    expect(await Promise.all([two, three])).toEqual(['second', 'second']);
    expect(second.calls.count).toBe(1);
  });

  test('that fails fails only for its callers, and the next one tries again', async () => {
    const { cache, hub } = setUp();
    const slow = slowLoad();
    const asked = [cache.get('p:1', slow.load), cache.get('p:1', slow.load)];
    hub.publish('p:1');
    const late = cache.get('p:1', loading('after'));
    slow.fail(new Error('away'));
    const results = await Promise.allSettled(asked);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await late).toBe('after');
  });
});

describe('copies from before the database was lost', () => {
  const lost = async (tags: Tag[] = []) => {
    const scene = setUp();
    await scene.cache.get('p:1', loading('a', tags));
    scene.state.proven = false;
    scene.state.lastProof = 1;
    scene.hub.publish('unheard');
    return scene;
  };
  const failing = () => Promise.reject(new ServiceError('database_unavailable'));

  test('are returned while it does not answer, marked as stale, for as long as they were proven a short while ago', async () => {
    const { cache, state, answers } = await lost();
    expect(await cache.get('p:1', failing)).toBe('a, stale');
    expect(answers).toEqual(['database', 'database', 'stale']);
    state.recentSince = 2;
    await expect(cache.get('p:1', failing)).rejects.toThrow('database_unavailable');
  });

  test('are not returned if it answers, and never again afterwards: what was read last is', async () => {
    const { cache } = await lost();
    expect(await cache.get('p:1', loading('b'))).toBe('b');
    expect(await cache.get('p:1', failing)).toBe('b, stale');
  });

  test('are never fresh again once changes are received: the database is read, and a fault of it is reported', async () => {
    const { cache, hub, state } = await lost();
    hub.publish('heard');
    state.proven = true;
    await expect(cache.get('p:1', failing)).rejects.toThrow('database_unavailable');
    hub.publish('unheard');
    expect(await cache.get('p:1', failing)).toBe('a, stale');
    hub.publish('heard');
    expect(await cache.get('p:1', loading('b'))).toBe('b');
    expect(await cache.get('p:1', failing)).toBe('b');
  });

  test('are not returned where only some connections lead to a server that is gone', async () => {
    const { cache, hub } = await lost();
    hub.publish('heard');
    const away = [failing, failing];
    expect(await cache.get('p:1', () => (away.pop() ?? loading('b'))())).toBe('b');
  });

  test('are returned for no longer than they could be when that connection was lost, however many there have been since', async () => {
    const { cache, hub, state } = await lost();
    state.lastProof = 1;
    hub.publish('heard');
    state.lastProof = 2;
    for (const change of ['unheard', 'heard', 'unheard'] as const) hub.publish(change);
    expect(await cache.get('p:1', failing)).toBe('a, stale');
    state.recentSince = 2;
    await expect(cache.get('p:1', failing)).rejects.toThrow('database_unavailable');
  });

  test('are not returned once it has answered that there is nothing', async () => {
    const { cache } = await lost();
    const unknown = () => Promise.reject(new ServiceError('product_unknown'));
    await expect(cache.get('p:1', unknown)).rejects.toThrow('product_unknown');
    await expect(cache.get('p:1', failing)).rejects.toThrow('database_unavailable');
  });

  test('are not replaced by what was being read when it was lost', async () => {
    const { cache, state, hub } = setUp();
    const slow = slowLoad();
    const early = cache.get('p:1', slow.load);
    state.proven = false;
    state.lastProof = 1;
    hub.publish('unheard');
    slow.end('a');
    await early;
    await expect(cache.get('p:1', failing)).rejects.toThrow('database_unavailable');
  });

  test('are not returned once a change was received, over that connection or a later one', async () => {
    for (const change of ['p:1', 's:1', '*'] as const) {
      for (const between of [[], ['heard', 'unheard']] as const) {
        const { cache, hub } = await lost(['p:1', 's:1']);
        for (const one of [...between, change]) hub.publish(one);
        await expect(cache.get('p:1', failing)).rejects.toThrow('database_unavailable');
      }
    }
  });

  test('are not returned while a change of theirs is being written here, nor after it, whatever came of it', async () => {
    for (const change of ['p:1', 's:1', 'k:1', '*'] as const) {
      const { cache, hub } = await lost(['p:1', 's:1', 'k:*']);
      const end = hub.begin([change]);
      await expect(cache.get('p:1', failing)).rejects.toThrow('database_unavailable');
      end();
      await expect(cache.get('p:1', failing)).rejects.toThrow('database_unavailable');
    }
  });

  test('are returned at once where the database did not answer somebody else, who waits no longer than half a second', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    try {
      const { cache } = await lost();
      const slow = slowLoad();
      const first = cache.get('p:1', slow.load);
      await vi.advanceTimersByTimeAsync(500);
      expect(await first).toBe('a, stale');
      expect(cache.get('p:1', slow.load)).toBe('a, stale');
      // then one asks again, and the others need not wait for it
      await vi.advanceTimersByTimeAsync(500);
      const again = cache.get('p:1', slow.load);
      expect(cache.get('p:1', slow.load)).toBe('a, stale');
      slow.end('b');
      expect(await again).toBe('b');
    } finally {
      vi.useRealTimers();
    }
  });

  test('are not returned to a caller during whose wait changes are received again: it asks once more', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    try {
      const { cache, hub } = await lost();
      const [frozen, slow] = [slowLoad(), slowLoad()];
      const loads = [frozen.load, slow.load];
      const waits = cache.get('p:1', () => (loads.shift() ?? failing)());
      await vi.advanceTimersByTimeAsync(300);
      hub.publish('heard');
      await vi.advanceTimersByTimeAsync(1_000);
      slow.end('b');
      expect(await waits).toBe('b');
      expect(frozen.calls.count).toBe(1);
    } finally {
      vi.useRealTimers();
    }
  });

  test('are not returned while changes are still received, however slow the database is', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    try {
      const { cache, state, hub } = setUp();
      await cache.get('p:1', loading('a'));
      state.proven = false;
      state.lastProof = 1;
      const slow = slowLoad();
      const asked = cache.get('p:1', slow.load);
      await vi.advanceTimersByTimeAsync(1_000);
      const early = cache.get('p:1', slow.load);
      slow.end('b');
      expect(await Promise.all([asked, early])).toEqual(['b', 'b']);
      // lost while a caller waits
      const waits = cache.get('p:1', () => new Promise(() => {}));
      await vi.advanceTimersByTimeAsync(1_000);
      hub.publish('unheard');
      expect(await waits).toBe('b, stale');
    } finally {
      vi.useRealTimers();
    }
  });

  test('do not keep anybody waiting for a load of before the database was lost, once changes are received again', async () => {
    const { cache, hub, state } = await lost();
    const slow = slowLoad();
    const early = cache.get('p:2', slow.load);
    hub.publish('heard');
    state.proven = true;
    expect(await cache.get('p:2', loading('after'))).toBe('after');
    slow.end('before');
    expect(await early).toBe('before');
    expect(await cache.get('p:2', loading('unused'))).toBe('after');
  });
});
