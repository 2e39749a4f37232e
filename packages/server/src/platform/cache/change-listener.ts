import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Connection } from '../database/database.ts';
import { StandbyError } from '../database/database-fault.ts';
import { CHANNEL } from './announce.ts';
import { type ChangeHub, changesOf } from './changes.ts';

/** Whether cached copies may be used. */
export interface Freshness {
  /** True if every change committed a second ago or earlier has been received. */
  isProven(): boolean;
  /**
   * True if that was so a short while ago, or at this one of the times that `lastProof` returned: what was cached then may be used while the
   * database does not answer. Absent: never.
   */
  wasProven?(at?: number): boolean;
  /** When it was proven last, by a clock of its own. */
  lastProof?(): number;
}

export interface ChangeListener extends Required<Freshness> {
  /** Resolves as soon as `isProven`, or rejects with `signal`. */
  whenProven(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export interface ChangeListenerOptions {
  readonly connection: Connection;
  readonly hub: ChangeHub;
  /** Opens a session that hears of changes. Default: one that listens. */
  readonly open?: (options: ChangeListenerOptions, stop: AbortSignal) => Promise<Session>;
  /** Milliseconds between heartbeats. Default: by demand, see `BEAT`. */
  readonly beatEvery?: number;
  /** Milliseconds between heartbeats when idle. */
  readonly beatWhenIdle?: number;
  /** Milliseconds for which a completed heartbeat is valid. */
  readonly provenFor?: number;
  /** Milliseconds for which what it proved may be used while the database does not answer. Default: 0. */
  readonly staleFor?: number;
  /** Milliseconds of a monotonic clock. */
  readonly monotonic?: () => number;
  /** For the log: the connection was lost or could not be made. */
  readonly onLost?: (cause: unknown) => void;
  /**
   * The connection was lost, and an attempt to replace it had no answer, either: connections that were opened before the attempt, at
   * `before` (`performance.now()`), lead to a server that does not answer, too.
   */
  readonly onUnreachable?: (before: number) => void;
}

/**
 * Milliseconds between heartbeats. While their proof is needed, a single late heartbeat does not invalidate it; while it is not, each
 * still arrives within its second. Idle, the next request is answered from the database, and triggers a heartbeat.
 */
const BEAT = { asked: 250, unasked: 500, idle: 5_000 };
/** Heartbeats in succession whose proof was not needed, after which the interval is lengthened. */
const UNASKED = 4;
/**
 * A heartbeat that takes longer counts as a lost connection. The proof of the one before, 250 ms earlier, was valid for a second: for
 * another second, requests wait for a server that does not answer.
 */
const BEAT_TIMEOUT = 1_750;
/** The same for opening a connection. */
const OPEN_TIMEOUT = 3_000;
const FIRST_BACKOFF = 50;
/** Short, since until then this node may use copies that others have changed. */
const LONGEST_BACKOFF = 500;

/**
 * Listens for changes on a dedicated connection, and proves by heartbeats that it receives them.
 *
 * PostgreSQL queues a notification for this session before it acknowledges the commit, and sends queued notifications before it
 * answers the session's next statement. So a round trip started at t proves that everything committed before t has been
 * received. When the connection is lost, `unheard` is published, and `heard` once another one listens: anything may have changed meanwhile. This needs a session of its own, without a transaction pooler in between, on the primary: a standby that is reached by
 * mistake is refused.
 */
export function listenForChanges(options: ChangeListenerOptions): ChangeListener {
  const monotonic = options.monotonic ?? (() => performance.now());
  const { beatEvery, beatWhenIdle = BEAT.idle, provenFor = 1_000, staleFor = 0 } = options;
  const stop = new AbortController();
  const waiting = new Set<() => void>();
  let provenAt = Number.NEGATIVE_INFINITY;
  /** Not forgotten when the connection is lost. */
  let lastProvenAt = Number.NEGATIVE_INFINITY;

  let unasked = 0;
  let wakeUp = () => {};
  const isProven = () => {
    unasked = 0;
    const isInTime = monotonic() - provenAt < provenFor;
    if (!isInTime) wakeUp();
    return isInTime;
  };
  const untilNextBeat = async (lost: AbortSignal): Promise<void> => {
    lost.throwIfAborted();
    const isIdle = unasked >= UNASKED;
    const pace = isIdle ? beatWhenIdle : unasked === 0 ? BEAT.asked : BEAT.unasked;
    unasked += 1;
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const timer = setTimeout(resolve, beatEvery ?? pace);
    lost.addEventListener('abort', resolve, { once: true });
    if (isIdle) wakeUp = () => resolve(null);
    await promise;
    clearTimeout(timer);
    lost.removeEventListener('abort', resolve);
    wakeUp = () => {};
    lost.throwIfAborted();
  };

  const prove = (at: number) => {
    provenAt = at;
    lastProvenAt = at;
    if (monotonic() - provenAt >= provenFor) return;
    for (const resolve of waiting) resolve();
    waiting.clear();
  };

  const listenOnce = async (onHeard: () => void): Promise<never> => {
    const before = performance.now();
    const session = await (options.open ?? openListening)(options, stop.signal).catch((error: unknown) => {
      if (!isAnswer(error)) options.onUnreachable?.(before);
      throw error;
    });
    try {
      await session.begin();
      options.hub.publish('heard');
      for (;;) {
        const begun = monotonic();
        await session.beat();
        prove(begun);
        onHeard();
        await untilNextBeat(session.lost);
      }
    } finally {
      provenAt = Number.NEGATIVE_INFINITY;
      session.destroy();
      options.hub.publish('unheard');
    }
  };

  const running = (async () => {
    let backoff = FIRST_BACKOFF;
    while (!stop.signal.aborted) {
      await listenOnce(() => {
        backoff = FIRST_BACKOFF;
      }).catch((cause: unknown) => {
        if (!stop.signal.aborted) options.onLost?.(cause);
      });
      // with jitter, so that nodes do not all reconnect at once
      await delay(backoff * (0.5 + Math.random()), undefined, { signal: stop.signal }).catch(() => {});
      backoff = Math.min(backoff * 2, LONGEST_BACKOFF);
    }
  })();

  return {
    isProven,
    wasProven: (at = lastProvenAt) => monotonic() - at < staleFor,
    lastProof: () => lastProvenAt,
    async whenProven(signal) {
      signal.throwIfAborted();
      if (isProven()) return;
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const giveUp = () => reject(signal.reason);
      waiting.add(resolve);
      signal.addEventListener('abort', giveUp, { once: true });
      await promise.finally(() => {
        waiting.delete(resolve);
        signal.removeEventListener('abort', giveUp);
      });
    },
    async close() {
      stop.abort();
      await running;
    },
  };
}

/** A session that hears of changes. */
export interface Session {
  /** Hears of what is committed from now on. */
  begin(): Promise<void>;
  /** Has heard, when it resolves, of everything committed before it was called, on the primary. */
  beat(): Promise<void>;
  /** Aborted when the connection ends or the listener is closed. */
  readonly lost: AbortSignal;
  destroy(): void;
}

async function openListening(options: ChangeListenerOptions, stop: AbortSignal): Promise<Session> {
  const hear = (payload?: string) => changesOf(payload).forEach(options.hub.publish);
  const { query, lost, destroy } = await connectSession(options, stop, hear);
  const readPid = async () => {
    const { rows } = await query('select pg_backend_pid() as pid, pg_is_in_recovery() as standby');
    if (rows[0]?.standby === true) throw new StandbyError();
    return rows[0]?.pid as unknown;
  };
  let pid: unknown;
  return {
    async begin() {
      await query(`listen ${CHANNEL}`);
      pid = await readPid();
    },
    async beat() {
      if ((await readPid()) !== pid) throw new Error('a pooler moved the listening session');
    },
    lost,
    destroy,
  };
}

/** A connection of its own, which is given up rather than waited for. */
export async function connectSession(
  options: ChangeListenerOptions,
  stop: AbortSignal,
  onNotification: (payload?: string) => void,
): Promise<
  Pick<Session, 'lost' | 'destroy'> & { query(sql: string, values?: unknown[]): Promise<pg.QueryResult> }
> {
  const socket = new Socket();
  const lost = new AbortController();
  const client = new pg.Client({
    ...options.connection,
    stream: () => socket,
    application_name: 'touchstone listener',
    connectionTimeoutMillis: OPEN_TIMEOUT,
    query_timeout: BEAT_TIMEOUT,
    keepAlive: true,
  });
  const lose = (cause: unknown) => lost.abort(cause);
  client.on('error', lose);
  client.on('end', () => lose(new Error('the listening connection ended')));
  client.on('notification', ({ payload }) => onNotification(payload));
  stop.addEventListener('abort', () => lose(new Error('closed')), { once: true, signal: lost.signal });
  // destroying the socket rejects everything that waits for it
  lost.signal.addEventListener('abort', () => socket.destroy(), { once: true });
  try {
    if (stop.aborted) throw new Error('closed');
    await client.connect();
  } catch (error) {
    lose(error);
    throw error;
  }
  return {
    query: (sql, values) => client.query(sql, values),
    lost: lost.signal,
    destroy: () => lose(new Error('given up')),
  };
}

/** Whether the server itself has refused the connection, by an SQLSTATE. */
function isAnswer(error: unknown): boolean {
  return error instanceof pg.DatabaseError;
}
