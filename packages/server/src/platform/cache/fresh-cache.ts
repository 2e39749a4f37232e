import type { Clock } from '../clock.ts';
import type { Freshness } from './change-listener.ts';
import type { Change, ChangeHub } from './changes.ts';

/** A change that makes a copy worthless; `k:*` stands for any key. */
export type Tag = Exclude<Change, '*'>;

/** What a load brings. */
export interface Loaded<V> {
  readonly value: V;
  /** Which changes make it worthless. */
  readonly tags: readonly Tag[];
  /** Bytes that the value holds, about. */
  readonly bytes: number;
  /** Not answered after this moment. */
  readonly until?: Date;
}

export interface FreshCache<V> {
  /**
   * The copy at hand, if it may be trusted; else what `load` brings, shared by those who asked before it began.
   * Nothing is kept of a load that fails.
   */
  get(key: string, load: () => Promise<Loaded<V>>): Promise<V>;
  /** Bytes held now, about. */
  readonly size: number;
}

export interface FreshCacheOptions {
  readonly hub: ChangeHub;
  readonly freshness: Freshness;
  readonly clock: Clock;
  /** The least recently used copies go first when there are more. */
  readonly maxBytes: number;
  readonly onAnswer?: (from: 'memory' | 'database') => void;
}

interface Flight<V> {
  result: Promise<V>;
  /** What changed since it began: it may have read the state before. */
  readonly heard: Set<Change>;
  /** One of them may concern it, so that nobody who asks now may share its answer. */
  outdated: boolean;
  next?: Promise<V>;
}

/** Map entry, object and tags: an estimate. */
const OVERHEAD = 800;
const MOST_HEARD = 10_000;

/**
 * Copies of what the database says, answered from only while it is proven that no change went unheard. In doubt
 * every answer is read anew: a caller then shares only a load that began after it asked.
 *
 * Keys that are tags themselves (`p:<id>`) are known to be touched by that one product and no other.
 */
export function createFreshCache<V>(options: FreshCacheOptions): FreshCache<V> {
  const entries = new Map<string, Loaded<V>>();
  const keysByTag = new Map<Tag, Set<string>>();
  const flights = new Map<string, Flight<V>>();
  let size = 0;

  const drop = (key: string) => {
    const entry = entries.get(key);
    if (entry === undefined) return;
    entries.delete(key);
    size -= entry.bytes + OVERHEAD;
    for (const tag of entry.tags) {
      const keys = keysByTag.get(tag);
      keys?.delete(key);
      if (keys?.size === 0) keysByTag.delete(tag);
    }
  };

  const keep = (key: string, entry: Loaded<V>) => {
    drop(key);
    if (entry.bytes + OVERHEAD > options.maxBytes) return;
    entries.set(key, entry);
    size += entry.bytes + OVERHEAD;
    for (const tag of entry.tags) {
      const keys = keysByTag.get(tag);
      if (keys === undefined) keysByTag.set(tag, new Set([key]));
      else keys.add(key);
    }
    for (const oldest of entries.keys()) {
      if (size <= options.maxBytes) break;
      drop(oldest);
    }
  };

  options.hub.subscribe((change) => {
    for (const [key, flight] of flights) {
      flight.heard.add(flight.heard.size < MOST_HEARD ? change : '*');
      if (mayConcern(key, change)) flight.outdated = true;
    }
    if (change === '*') {
      entries.clear();
      keysByTag.clear();
      size = 0;
      return;
    }
    for (const tag of tagsOf(change)) for (const key of keysByTag.get(tag) ?? []) drop(key);
  });

  const begin = (key: string, load: () => Promise<Loaded<V>>): Promise<V> => {
    const flight: Flight<V> = { result: Promise.resolve() as never, heard: new Set(), outdated: false };
    flights.set(key, flight);
    flight.result = (async () => {
      try {
        options.onAnswer?.('database');
        const loaded = await load();
        if (!touches(flight.heard, loaded.tags)) keep(key, loaded);
        return loaded.value;
      } finally {
        flights.delete(key);
      }
    })();
    return flight.result;
  };

  const join = (key: string, load: () => Promise<Loaded<V>>): Promise<V> => {
    const flight = flights.get(key);
    if (flight === undefined) return begin(key, load);
    if (options.freshness.isProven() && !flight.outdated) return flight.result;
    // the first to run after it has ended begins the next one, and the others share that
    const again = () => flights.get(key)?.result ?? begin(key, load);
    flight.next ??= flight.result.then(again, again);
    return flight.next;
  };

  return {
    async get(key, load) {
      const entry = options.freshness.isProven() ? entries.get(key) : undefined;
      if (entry === undefined) return join(key, load);
      if (entry.until !== undefined && options.clock() > entry.until) {
        drop(key);
        return join(key, load);
      }
      entries.delete(key);
      entries.set(key, entry);
      options.onAnswer?.('memory');
      return entry.value;
    },
    get size() {
      return size;
    },
  };
}

function tagsOf(change: Tag): Tag[] {
  return change.startsWith('k:') ? [change, 'k:*'] : [change];
}

function mayConcern(key: string, change: Change): boolean {
  return key.startsWith('p:') && change.startsWith('p:') ? key === change : true;
}

function touches(heard: ReadonlySet<Change>, tags: readonly Tag[]): boolean {
  if (heard.size === 0) return false;
  if (heard.has('*')) return true;
  if (tags.some((tag) => heard.has(tag))) return true;
  return tags.includes('k:*') && [...heard].some((change) => change.startsWith('k:'));
}
