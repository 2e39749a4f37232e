import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ImageFault } from './fault.ts';
import type { Answer, Order } from './messages.ts';

export interface ProcessLimits {
  /** Megabytes of the whole process. */
  readonly memoryMb: number;
  /** Milliseconds that one image may take. */
  readonly timeoutMs: number;
}

/** Ends of an order. */
export type Result = Extract<Answer, { kind: 'inspected' | 'signed' }>;

/** One process that opens one image at a time. One that takes too much ends it. */
export interface ImageProcess {
  /** False once it has ended, or should be replaced because of what images left behind in it. */
  isUsable(): boolean;
  /**
   * @param sign makes the COSE signature over a claim, when it is asked for
   * @throws ImageFault
   */
  run(order: Order, sign?: (claim: Uint8Array) => Uint8Array): Promise<Result>;
  end(): Promise<void>;
}

const MAIN = fileURLToPath(new URL('./process-main.ts', import.meta.url));
/** Milliseconds that a process may take to start, on a machine that has others to start too. */
const START_MS = 60_000;
/** Part of the memory that may stay in use between images. */
const REST_SHARE = 0.6;

export function startImageProcess({ memoryMb, timeoutMs }: ProcessLimits): ImageProcess {
  const memoryBytes = memoryMb * 1_000_000;
  const settings = [memoryBytes, Math.ceil(timeoutMs / 1000), process.pid];
  const child = fork(MAIN, settings.map(String), {
    serialization: 'advanced',
    env: {},
    execArgv: [
      `--max-old-space-size=${memoryMb}`,
      `--wasm-max-mem-pages=${Math.floor(memoryBytes / 65_536)}`,
    ],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  let usable = true;
  void gone.then(() => {
    usable = false;
  });
  // one at a time: who hears the next message
  const { promise: ready, resolve: onReady } = deferred<'ready'>();
  let hear: (answer: Answer) => void = () => onReady('ready');
  child.on('message', (answer: Answer) => hear(answer));
  const end = async () => {
    usable = false;
    child.kill('SIGKILL');
    await gone;
  };
  return {
    isUsable: () => usable,
    end,
    async run(order, sign) {
      if ((await within(START_MS, ready, gone)) !== 'ready') {
        await end();
        throw new Error('A process for opening images could not be started.');
      }
      const { promise: answered, resolve, reject } = deferred<Answer>();
      hear = (answer) => {
        if (answer.kind !== 'claim' || sign === undefined) return resolve(answer);
        try {
          tell(child, { kind: 'signature', cose: sign(answer.claim) });
        } catch (error) {
          // the process still waits for its signature
          void end();
          reject(error);
        }
      };
      tell(child, order);
      const answer = await within(timeoutMs, answered, gone);
      if (typeof answer === 'string') {
        await end();
        throw new ImageFault(answer);
      }
      if (!('held' in answer)) throw new Error(`The image process answered ${answer.kind} out of turn.`);
      if (answer.held > memoryBytes * REST_SHARE) void end();
      if (answer.kind === 'fault') throw new ImageFault(answer.code, answer.detail);
      return answer;
    },
  };
}

/** `Promise.withResolvers`, which Node 20 has not. */
function deferred<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<T>((onValue, onReason) => {
    resolve = onValue;
    reject = onReason;
  });
  return { promise, resolve, reject };
}

function tell(child: ChildProcess, order: Order): void {
  // a process that is gone is noticed by its end
  if (child.connected) child.send(order, () => {});
}

async function within<T>(ms: number, answered: Promise<T>, gone: Promise<void>) {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'timed_out'>((resolve) => {
    timer = setTimeout(resolve, ms, 'timed_out');
  });
  const died = gone.then(() => 'worker_died' as const);
  try {
    return await Promise.race([answered, late, died]);
  } finally {
    clearTimeout(timer);
  }
}
