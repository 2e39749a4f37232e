import type { Server } from 'node:net';

/** Milliseconds between two looks at the clock. */
const BEAT = 100;
/**
 * Milliseconds that one turn of the event loop may take before later requests of it are refused. A turn takes up to a
 * thousand sockets, so that among thousands one waits for several turns.
 */
const LONGEST_TURN = 250;
/** A turn that took so long over fewer requests had one heavy piece of work in it, and the next turn is a usual one. */
const REQUESTS_OF_A_CROWD = 200;
/** Requests that wait for the database, for threads or for hosts at the same time. */
const MAX_IN_PROGRESS = 2_000;
/** Milliseconds for which it is known how late the event loop was: what clients may take is shorter. */
const REMEMBERED = 120_000;

export interface LoadGauge {
  /** Notes a request; false: it should be refused, and is not to be ended by `done`. */
  admit(): boolean;
  /** A request that was admitted has been answered, or its caller has left. */
  done(): void;
  /** Of the milliseconds since `then`, those in which this process was too busy to read what clients had sent. */
  lateSince(then: number): number;
  /** Looks at the clock only while somebody is connected from now on: nobody else waits, and each look wakes the process. */
  watch?(server: Server): void;
  close(): void;
}

/**
 * Tells when requests come faster than this process answers them. Requests wait unseen in their sockets then, and each turn
 * of the event loop takes longer than the one before: what comes late in a long and crowded turn is told to come back instead,
 * at a fraction of the cost.
 *
 * @param now - milliseconds on a clock that never jumps
 */
export function openLoadGauge(now: () => number = () => performance.now()): LoadGauge {
  let turnBegun = now();
  let ofThisTurn = 0;
  let inProgress = 0;
  const lateTurns: { readonly ended: number; readonly late: number }[] = [];
  let connected = 0;
  let timer: NodeJS.Timeout | undefined;
  const lateBy = (time: number) => (timer === undefined ? 0 : Math.max(0, time - turnBegun - BEAT));
  const beat = () => {
    const ended = now();
    const late = lateBy(ended);
    if (late > 0) lateTurns.push({ ended, late });
    while ((lateTurns[0]?.ended ?? ended) < ended - REMEMBERED) lateTurns.shift();
    turnBegun = ended;
    ofThisTurn = 0;
  };
  const begin = () => {
    if (timer !== undefined) return;
    turnBegun = now();
    ofThisTurn = 0;
    timer = setInterval(beat, BEAT).unref();
  };
  const end = () => {
    clearInterval(timer);
    timer = undefined;
  };
  begin();
  return {
    admit() {
      if (timer !== undefined) ofThisTurn += 1;
      const isBehind = ofThisTurn > REQUESTS_OF_A_CROWD && now() - turnBegun > BEAT + LONGEST_TURN;
      if (isBehind || inProgress >= MAX_IN_PROGRESS) return false;
      inProgress += 1;
      return true;
    },
    done() {
      inProgress -= 1;
    },
    lateSince(then) {
      const time = now();
      const running = { ended: time, late: lateBy(time) };
      // of a turn that began before, only what came after
      return [...lateTurns, running].reduce(
        (sum, { ended, late }) => sum + Math.max(0, Math.min(late, ended - then)),
        0,
      );
    },
    watch(server) {
      end();
      server.on('connection', (socket) => {
        connected += 1;
        begin();
        socket.once('close', () => {
          connected -= 1;
          if (connected === 0) end();
        });
      });
    },
    close: end,
  };
}
