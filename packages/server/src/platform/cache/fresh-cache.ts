import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { isDatabaseFault } from '../database/database-fault.ts';
import type { Freshness } from './change-listener.ts';
import type { Change, ChangeHub } from './changes.ts';

/** A change that invalidates a copy; `k:*` matches changes of all keys. */
export type Tag = Exclude<Change, '*' | 'unheard' | 'heard'>;

/** The result of a load. */
export interface Loaded<V> {
  readonly value: V;
  /** The changes that invalidate it. */
  readonly tags: readonly Tag[];
  /** Approximate size of the value, in bytes. */
  readonly bytes: number;
  /** Never returned before `from` (the clock may have been set back), or after `until`. */
  readonly from?: Date;
  readonly until?: Date;
}

export interface FreshCache<V> {
  /**
   * The cached copy at once if it may be trusted; otherwise the result of `load`, shared with the callers that asked before it
   * began. A load that fails leaves nothing behind. While the database does not answer, a copy that could be trusted a short while ago is
   * returned as `asStale` of it.
   */
  get(key: string, load: () => Promise<Loaded<V>>): V | Promise<V>;
  /** Approximate bytes held now. */
  readonly size: number;
}

export interface FreshCacheOptions<V = unknown> {
  readonly hub: ChangeHub;
  readonly freshness: Freshness;
  readonly clock: Clock;
  /** Beyond this, the least recently used copies are evicted. */
  readonly maxBytes: number;
  readonly onAnswer?: (from: AnswerSource) => void;
  /** Marks a copy of which a later change may have been missed. Absent: such copies are never returned. */
  readonly asStale?: (value: V) => V;
}

/** Where an answer comes from; `stale`: from memory, while the database does not answer. */
export type AnswerSource = 'memory' | 'database' | 'stale';

interface Copy<V> extends Loaded<V> {
  /**
   * Changes of it may have been missed between two connections: it can only be stale, as of this proof, which was the last over the earlier
   * one. Absent: it is as fresh as the connection.
   */
  formerProof?: number;
}

/** A load in progress, shared by the callers that asked before it began. */
interface LoadInFlight<V> {
  result: Promise<V>;
  /** Changes received since it began; it may have read the state before them. */
  readonly received: Set<Change>;
  /** One of them may concern it, so later callers must not share its result. */
  outdated: boolean;
  next?: Promise<V>;
}

/** Estimated bytes of map entry, object and tags for each value. */
const OVERHEAD = 800;
const MOST_RECEIVED = 10_000;
/** Changes that may concern every copy. */
const GENERAL = ['*', 'unheard', 'heard'] as const;
/** Milliseconds within which the database must answer where a stale copy could be returned instead. */
const PATIENCE = 500;
/** Times that it is asked while it fails although changes are received: some connections of the pool may still be those of before. */
const TRIES = 3;
/** Milliseconds after which a database that did not answer is asked again, by one of the callers. */
const ASK_AGAIN = 500;

/**
 * Caches what was read from the database, and uses it only while it is proven that no change was missed. Otherwise each call reads
 * the database, and shares only loads that began after the call.
 *
 * A stale copy was trusted when the last heartbeat of its connection was answered, or was read afterwards. No change of it was received, nor
 * is one being written by this process. It is returned only if the database, asked by this call or by one shortly before, fails or does not
 * answer in time, while no connection receives changes.
 *
 * A key that is itself a tag (`p:<id>`) is invalidated by changes of that product and of no other.
 */
export function createFreshCache<V>(options: FreshCacheOptions<V>): FreshCache<V> {
  /** Whether changes are received. */
  let isHearing = true;
  /** Called when they no longer are, and when they are again. */
  const onHearing = new Set<() => void>();
  /** When to ask a database again that did not answer. */
  let askAgainAt: number | undefined;
  const keysByTag = new Map<Tag, { readonly tag: Tag; readonly keys: Set<string> }>();
  const inFlight = new Map<string, LoadInFlight<V>>();
  const copies = new LRUCache<string, Copy<V>>({
    maxSize: options.maxBytes,
    sizeCalculation: ({ bytes }) => bytes + OVERHEAD,
    dispose(copy, key) {
      for (const tag of copy.tags) {
        if (tag === key) continue;
        const tagged = keysByTag.get(tag);
        tagged?.keys.delete(key);
        if (tagged?.keys.size === 0) keysByTag.delete(tag);
      }
    },
  });

  const keep = (key: string, copy: Loaded<V>) => {
    // one string shared by all copies with the same tag
    const tags = copy.tags.map((tag) => (tag === key ? key : (keysByTag.get(tag)?.tag ?? tag)) as Tag);
    copies.set(key, { ...copy, tags });
    if (!copies.has(key)) return;
    for (const tag of tags) {
      // found by its key; an entry would take more memory than all other bookkeeping
      if (tag === key) continue;
      const tagged = keysByTag.get(tag);
      if (tagged === undefined) keysByTag.set(tag, { tag, keys: new Set([key]) });
      else tagged.keys.add(key);
    }
  };

  options.hub.subscribe((change) => {
    for (const [key, load] of inFlight) {
      load.received.add(load.received.size < MOST_RECEIVED ? change : '*');
      if (mayConcern(key, change)) load.outdated = true;
    }
    if (change === '*') copies.clear();
    else if (change === 'unheard') {
      isHearing = false;
      for (const decide of onHearing) decide();
    } else if (change === 'heard') {
      isHearing = true;
      askAgainAt = undefined;
      const proof = options.freshness.lastProof?.() ?? Number.NEGATIVE_INFINITY;
      for (const copy of copies.values()) copy.formerProof ??= proof;
      // some may wait for a server that does not answer any more
      inFlight.clear();
      for (const ask of onHearing) ask();
    } else {
      for (const tag of tagsOf(change)) {
        copies.delete(tag);
        for (const key of keysByTag.get(tag)?.keys ?? []) copies.delete(key);
      }
    }
  });

  const begin = (key: string, load: () => Promise<Loaded<V>>): Promise<V> => {
    const begun: LoadInFlight<V> = {
      result: Promise.resolve() as never,
      received: new Set(),
      outdated: false,
    };
    inFlight.set(key, begun);
    begun.result = (async () => {
      try {
        options.onAnswer?.('database');
        const loaded = await load();
        if (!touches(begun.received, loaded.tags)) keep(key, loaded);
        return loaded.value;
      } catch (error) {
        // the database has answered that there is nothing
        if (!isDatabaseFault(error)) copies.delete(key);
        throw error;
      } finally {
        if (inFlight.get(key) === begun) inFlight.delete(key);
      }
    })();
    return begun.result;
  };

  const join = (key: string, load: () => Promise<Loaded<V>>): Promise<V> => {
    const running = inFlight.get(key);
    if (running === undefined) return begin(key, load);
    if (options.freshness.isProven() && !running.outdated) return running.result;
    // the first caller to run after it has ended begins the next load, which the others share
    const again = () => inFlight.get(key)?.result ?? begin(key, load);
    running.next ??= running.result.then(again, again);
    return running.next;
  };

  const copyOf = (key: string): V | undefined => {
    const copy = options.freshness.isProven() ? copies.get(key) : undefined;
    if (copy === undefined || copy.formerProof !== undefined) return undefined;
    if (!isInTime(copy, options.clock)) {
      copies.delete(key);
      return undefined;
    }
    askAgainAt = undefined;
    options.onAnswer?.('memory');
    return copy.value;
  };

  const staleCopyOf = (key: string): V | undefined => {
    const copy = copies.peek(key);
    if (copy === undefined || options.asStale === undefined) return undefined;
    if (options.freshness.wasProven?.(copy.formerProof) !== true || !isInTime(copy, options.clock))
      return undefined;
    return touches(options.hub.begun, copy.tags) ? undefined : options.asStale(copy.value);
  };

  const orStale = (key: string, load: () => Promise<Loaded<V>>): V | Promise<V> => {
    if (staleCopyOf(key) === undefined) return join(key, load);
    const now = performance.now();
    const stale = () => {
      // again, since a change may have been received meanwhile
      const copy = staleCopyOf(key);
      if (copy !== undefined) options.onAnswer?.('stale');
      return copy;
    };
    if (!isHearing && askAgainAt !== undefined) {
      if (now < askAgainAt) return stale() ?? join(key, load);
      askAgainAt = now + ASK_AGAIN;
    }
    return askPatiently(key, load).then(({ isLost, asked }) => {
      askAgainAt = isLost ? performance.now() + ASK_AGAIN : undefined;
      return (isLost ? stale() : undefined) ?? asked;
    });
  };

  /**
   * Asks the database, and again once changes are received again: the connection may lead to a server that does not answer any more. Lost:
   * it fails, or has not answered in time, and changes are not received.
   */
  const askPatiently = (key: string, load: () => Promise<Loaded<V>>) => {
    const { promise, resolve } = Promise.withResolvers<{ isLost: boolean; asked: Promise<V> }>();
    let tries = 0;
    let isLate = false;
    let hasFailed = false;
    let asked: Promise<V>;
    const decide = () => {
      if (!isHearing && (isLate || hasFailed)) resolve({ isLost: true, asked });
      // a fault of a database whose changes are received: it is reported
      else if (isLate && hasFailed) resolve({ isLost: false, asked });
    };
    const ask = () => {
      tries += 1;
      hasFailed = false;
      const latest = join(key, load);
      asked = latest;
      const settle = () => resolve({ isLost: false, asked: latest });
      latest.then(settle, (error: unknown) => {
        if (!isDatabaseFault(error)) return settle();
        if (asked !== latest) return;
        // it was the connection's alone
        if (isHearing && tries < TRIES) return ask();
        hasFailed = true;
        decide();
      });
    };
    const timer = setTimeout(() => {
      isLate = true;
      decide();
    }, PATIENCE);
    const onChange = () => (isHearing ? ask() : decide());
    onHearing.add(onChange);
    ask();
    return promise.finally(() => {
      clearTimeout(timer);
      onHearing.delete(onChange);
    });
  };

  return {
    get: (key, load) => copyOf(key) ?? orStale(key, load),
    get size() {
      return copies.calculatedSize;
    },
  };
}

function isInTime({ from, until }: Loaded<unknown>, clock: Clock): boolean {
  if (from === undefined && until === undefined) return true;
  const now = clock().getTime();
  return (from === undefined || now >= from.getTime()) && (until === undefined || now <= until.getTime());
}

function tagsOf(change: Tag): Tag[] {
  return change.startsWith('k:') ? [change, 'k:*'] : [change];
}

function mayConcern(key: string, change: Change): boolean {
  return key.startsWith('p:') && change.startsWith('p:') ? key === change : true;
}

function touches(
  received: Pick<ReadonlyMap<Change, unknown>, 'size' | 'has' | 'keys'>,
  tags: readonly Tag[],
): boolean {
  if (received.size === 0) return false;
  if (GENERAL.some((change) => received.has(change))) return true;
  if (tags.some((tag) => received.has(tag))) return true;
  return tags.includes('k:*') && [...received.keys()].some((change) => change.startsWith('k:'));
}
