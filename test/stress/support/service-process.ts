import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Timeouts of the HTTP server, in milliseconds. */
export interface Timeouts {
  readonly headers: number;
  readonly body: number;
  readonly streamIdle: number;
  readonly request: number;
  readonly keepAlive: number;
  readonly socketIdle: number;
}

export interface ChildStart {
  readonly settings: Readonly<Record<string, string>>;
  readonly timeouts?: Timeouts;
  /** Options of Node besides `--expose-gc`. */
  readonly execArgv?: readonly string[];
}

export type ChildOrder = 'memory' | 'cpu' | 'delay' | 'told' | 'stop';

export interface Memory {
  readonly kind: 'memory';
  /** Bytes, after garbage collection. */
  readonly rss: number;
  readonly heapUsed: number;
  readonly external: number;
}

/** Processor time of the main thread so far. */
export interface Cpu {
  readonly kind: 'cpu';
  /** Milliseconds. */
  readonly used: number;
}

/** The longest delay of the event loop since it was last asked for. */
export interface Delay {
  readonly kind: 'delay';
  /** Milliseconds. */
  readonly longest: number;
}

export interface Told {
  readonly kind: 'told';
  /** `host address port` of every connection that a page fetch attempted. */
  readonly dials: readonly string[];
  /** Names that were looked up. */
  readonly lookups: readonly string[];
  /** Log lines of level error and above. */
  readonly faults: readonly string[];
}

export type ChildAnswer = { kind: 'ready'; url: string; operatorKey: string } | Memory | Cpu | Delay | Told;

/** A service in another process, so that the test is unaffected by it. */
export interface ServiceProcess {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly operatorKey: string;
  readonly dataDir: string;
  memory(): Promise<Memory>;
  /** Processor milliseconds of its main thread so far. */
  cpu(): Promise<number>;
  /** The longest delay of its event loop since the last call, in milliseconds. */
  longestDelay(): Promise<number>;
  told(): Promise<Told>;
  /** How it ended by itself; null while it runs. */
  crash(): string | null;
  stop(): Promise<void>;
}

const CHILD = join(import.meta.dirname, 'service-child.ts');
/** Milliseconds. */
const START = 90_000;
const STOP = 20_000;

export async function startServiceProcess(start: Partial<ChildStart> = {}): Promise<ServiceProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), 'touchstone-stress-'));
  const settings = {
    TOUCHSTONE_PORT: '0',
    TOUCHSTONE_DATA_DIR: dataDir,
    TOUCHSTONE_LOG_LEVEL: 'warn',
    TOUCHSTONE_PAGE_CACHE_SECONDS: '0',
    ...start.settings,
  };
  const child = fork(CHILD, [JSON.stringify({ ...start, settings })], {
    execArgv: ['--expose-gc', ...(start.execArgv ?? [])],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let output = '';
  let ended: string | null = null;
  child.stderr?.on('data', (chunk) => {
    output = (output + chunk).slice(-10_000);
  });
  child.on('exit', (code, signal) => {
    ended = `ended with ${code ?? signal}: ${output}`;
  });
  const ask = asker(child, () => ended);
  const ready = await ask<Extract<ChildAnswer, { kind: 'ready' }>>('ready', null, START);
  return {
    url: ready.url,
    port: Number(new URL(ready.url).port),
    pid: child.pid ?? 0,
    operatorKey: ready.operatorKey,
    dataDir,
    memory: () => ask<Memory>('memory', 'memory', START),
    cpu: async () => (await ask<Cpu>('cpu', 'cpu', START)).used,
    longestDelay: async () => (await ask<Delay>('delay', 'delay', START)).longest,
    told: () => ask<Told>('told', 'told', START),
    crash: () => ended,
    async stop() {
      if (ended === null) {
        const exit = once(child, 'exit');
        const timer = setTimeout(() => child.kill('SIGKILL'), STOP);
        child.send('stop');
        await exit;
        clearTimeout(timer);
      }
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function asker(child: ChildProcess, ended: () => string | null) {
  return async <A extends ChildAnswer>(kind: A['kind'], order: ChildOrder | null, patience: number) => {
    if (order !== null && ended() === null) child.send(order);
    return await new Promise<A>((resolve, reject) => {
      const onExit = () => settle(() => reject(new Error(`the service ${ended() ?? 'ended'}`)));
      const onMessage = (message: ChildAnswer) => {
        if (message.kind === kind) settle(() => resolve(message as A));
      };
      const timer = setTimeout(() => settle(() => reject(new Error(`no ${kind} in time`))), patience);
      const settle = (then: () => void) => {
        clearTimeout(timer);
        child.off('exit', onExit).off('message', onMessage);
        then();
      };
      if (ended() !== null) return onExit();
      child.on('exit', onExit).on('message', onMessage);
    });
  };
}
