import type { Server } from 'node:net';

/** Milliseconds between two readings of the clock: with requests, and without requests on open connections. */
const INTERVAL = { asked: 100, idle: 500 };
/** Readings in succession without a request, after which the interval is lengthened. */
const UNASKED = 20;
/**
 * Milliseconds that one iteration of the event loop may take before later requests of it are refused. An iteration reads up to a
 * thousand sockets, so that among thousands of sockets a request waits for several iterations.
 */
const LONGEST_ITERATION = 250;
/** With fewer requests, a single heavy task made an iteration long, and the next one is normal again. */
const CROWD = 200;
/** Requests that wait for the database, for threads or for hosts at the same time. */
const MAX_IN_PROGRESS = 2_000;
/** Milliseconds for which delays are remembered: longer than any timeout for clients. */
const REMEMBERED = 120_000;

export interface LoadGauge {
  /** Counts a request; false: it must be refused, and `done` must not be called for it. */
  admit(): boolean;
  /** An admitted request was answered, or its caller disconnected. */
  done(): void;
  /** How many of the milliseconds since `then` this process was too busy to read what clients had sent. */
  lateSince(then: number): number;
  /** Measures only while clients of this server are connected, since each reading of the clock wakes the process. */
  watch(server: Server): void;
  close(): void;
}

/**
 * Detects when requests arrive faster than this process answers them. They then wait unread in their sockets, and each iteration
 * of the event loop takes longer than the one before. Requests late in a long and crowded iteration are refused with a request
 * to retry, at a fraction of the cost of answering them.
 *
 * @param now - milliseconds on a clock that never jumps
 */
export function openLoadGauge(now: () => number = () => performance.now()): LoadGauge {
  let iterationBegun = now();
  let requests = 0;
  let inProgress = 0;
  const delays: { readonly ended: number; readonly late: number }[] = [];
  let connected = 0;
  let timer: NodeJS.Timeout | undefined;
  let interval = INTERVAL.asked;
  let unasked = 0;
  const lateBy = (time: number) => (timer === undefined ? 0 : Math.max(0, time - iterationBegun - interval));
  const tick = () => {
    unasked = requests > 0 || inProgress > 0 ? 0 : unasked + 1;
    if (unasked === UNASKED) readEvery(INTERVAL.idle);
    else endIteration();
  };
  const endIteration = () => {
    const ended = now();
    const late = lateBy(ended);
    if (late > 0) delays.push({ ended, late });
    while ((delays[0]?.ended ?? ended) < ended - REMEMBERED) delays.shift();
    iterationBegun = ended;
    requests = 0;
  };
  const readEvery = (milliseconds: number) => {
    endIteration();
    clearInterval(timer);
    timer = setInterval(tick, milliseconds).unref();
    interval = milliseconds;
  };
  const begin = () => {
    unasked = 0;
    if (timer === undefined || interval === INTERVAL.idle) readEvery(INTERVAL.asked);
  };
  const end = () => {
    clearInterval(timer);
    timer = undefined;
  };
  return {
    admit() {
      if (timer !== undefined) {
        if (interval === INTERVAL.idle) begin();
        requests += 1;
      }
      const isBehind = requests > CROWD && now() - iterationBegun > INTERVAL.asked + LONGEST_ITERATION;
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
      // only the part after `then`
      return [...delays, running].reduce(
        (sum, { ended, late }) => sum + Math.max(0, Math.min(late, ended - then)),
        0,
      );
    },
    watch(server) {
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
