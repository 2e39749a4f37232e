import type { Worker } from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { StartError } from '../lifecycle/start-error.ts';
import type { MetricsReport } from '../metrics/metrics.ts';
import type { Account } from './account.ts';
import { forkAs } from './fork-as.ts';
import type { ToProcess, ToSupervisor } from './messages.ts';
import { createMetricsCollector } from './metrics-collector.ts';
import { type ListenPlace, permitListening } from './permit-listening.ts';
import { createRestartPolicy, MOST_ENDS } from './restart-policy.ts';

export interface SupervisorOptions {
  /** The file that each process runs; it calls `runProcess`. */
  readonly entry: URL;
  readonly count: number;
  /**
   * Returns the message for the process with this number (from 1) at its start. Awaited while the process loads its modules;
   * a promise that never settles keeps the process waiting.
   */
  readonly orderFor: (number: number) => Promise<unknown>;
  /** Called when all processes are prepared, before the first one listens; returns the only place where they may. */
  readonly beforeListening: () => Promise<ListenPlace>;
  /** The user as which the processes run; absent: that of this process. */
  readonly account: Account | undefined;
  /** Added to the environment of each process. */
  readonly env: Readonly<Record<string, string>>;
  readonly logger: Logger;
  /** A process has exited unexpectedly. */
  readonly onEnd: () => void;
  /** Milliseconds for which a process that is stopped still accepts requests. */
  readonly shutdownDelay: number;
  /** The metrics of this process. */
  readonly ownMetrics: () => Promise<MetricsReport>;
}

export interface Supervised {
  /**
   * All answer requests.
   *
   * @throws StartError for what an operator can fix
   */
  readonly ready: Promise<void>;
  /** Resolves with the reason if processes have ended too often. */
  readonly failed: Promise<Error>;
  /** Lets them finish requests in progress, and exit. */
  close(): Promise<void>;
}

interface Living {
  readonly worker: Worker;
  stage: 'starting' | 'opened' | 'ready';
}

/** Milliseconds for a process to finish, once it accepts no more requests, before it is killed. */
const LONGEST_STOP = 25_000;

/**
 * Runs a service in several processes behind one port. This process accepts connections and distributes them round-robin, so
 * that one that waits for a busy or ended process goes to another; it does not read from them. Processes that end are replaced.
 */
export function superviseProcesses(options: SupervisorOptions): Supervised {
  const { count, logger } = options;
  const policy = createRestartPolicy(() => performance.now());
  const collector = createMetricsCollector();
  const failed = Promise.withResolvers<Error>();
  const ready = Promise.withResolvers<void>();
  // prevents an unhandled rejection if it fails before it is awaited
  ready.promise.catch(() => {});
  const living = new Map<number, Living>();
  const waiting = new Set<NodeJS.Timeout>();
  let place: ListenPlace | undefined;
  let isStarted = false;
  let isClosing = false;

  const readyOnes = () =>
    [...living.values()].filter(({ worker, stage }) => stage === 'ready' && worker.isConnected());

  const onOpened = async (): Promise<void> => {
    const processes = [...living.values()];
    if (processes.length < count || processes.some(({ stage }) => stage !== 'opened')) return;
    place = await options.beforeListening();
    for (const { worker } of processes) send(worker, { kind: 'listen' });
  };

  const onMessage = async (number: number, message: ToSupervisor): Promise<void> => {
    const process = living.get(number);
    if (process === undefined) return;
    if (message.kind === 'opened') {
      process.stage = 'opened';
      if (isStarted) send(process.worker, { kind: 'listen' });
      else await onOpened().catch(ready.reject);
    } else if (message.kind === 'ready') {
      process.stage = 'ready';
      if (isStarted || readyOnes().length < count) return;
      isStarted = true;
      ready.resolve();
    } else if (message.kind === 'refused') {
      const { message: why, fixable } = message;
      if (isStarted) logger.error({ ended: number }, why);
      else ready.reject(fixable ? new StartError(why) : new Error(why));
    } else if (message.kind === 'report') collector.take(message);
    else if (message.kind === 'load') {
      for (const { worker } of readyOnes()) if (worker !== process.worker) send(worker, message);
    } else {
      const workers = readyOnes().map(({ worker }) => worker);
      const reports = [...(await collector.collect(workers)), await options.ownMetrics()];
      send(process.worker, { kind: 'collected', id: message.id, reports });
    }
  };

  const start = (number: number): void => {
    const startedAt = performance.now();
    const worker = forkAs(options.entry, options.account, options.env);
    permitListening(
      worker,
      () => place,
      () => logger.error({ refused: number }, 'a process of the service asked for a foreign address'),
    );
    living.set(number, { worker, stage: 'starting' });
    worker.on('message', (message: ToSupervisor) => void onMessage(number, message));
    // sending to a process that has just ended fails; `exit` handles that
    worker.on('error', (err) => logger.warn({ err, to: number }, 'a process could not be told'));
    worker.once('exit', (code, signal) => {
      living.delete(number);
      if (isClosing) return;
      onEnd(number, signal ?? `exit code ${code}`, performance.now() - startedAt);
    });
    void options.orderFor(number).then((order) => send(worker, { kind: 'start', order }));
  };

  const onEnd = (number: number, how: string, lived: number): void => {
    if (!isStarted) {
      ready.reject(new Error(`Process ${number} of the service ended while it was starting (${how}).`));
      return;
    }
    options.onEnd();
    const wait = policy.ended(number, lived);
    if (wait === null) {
      const often = `Processes of the service ended ${MOST_ENDS} times within a minute, at last by ${how}`;
      failed.resolve(new Error(`${often}: the log says more.`));
      return;
    }
    logger.error({ ended: number, how, wait }, 'a process of the service ended and is replaced');
    const timer = setTimeout(() => {
      waiting.delete(timer);
      start(number);
    }, wait);
    waiting.add(timer);
  };

  for (let number = 1; number <= count; number++) start(number);
  return {
    ready: ready.promise,
    failed: failed.promise,
    async close() {
      isClosing = true;
      for (const timer of waiting) clearTimeout(timer);
      await Promise.all(
        [...living.values()].map(({ worker }) => end(worker, LONGEST_STOP + options.shutdownDelay)),
      );
    },
  };
}

function send(worker: Worker, message: ToProcess): void {
  if (worker.isConnected()) worker.send(message);
}

async function end(worker: Worker, patience: number): Promise<void> {
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  if (worker.isDead()) return;
  send(worker, { kind: 'stop' });
  const inTime = new AbortController();
  const late = delay(patience, undefined, { signal: inTime.signal }).then(
    () => worker.process.kill('SIGKILL'),
    () => {},
  );
  await ended;
  inTime.abort();
  await late;
}
