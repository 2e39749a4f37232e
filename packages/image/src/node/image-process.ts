import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { answerOf, deferred, type OpenerLimits, within } from '../inspect/answer.ts';
import type { Opener } from '../inspect/lanes.ts';
import type { FaultAnswer, InspectedAnswer } from '../inspect/messages.ts';
import type { Answer, Order, SignedAnswer } from './messages.ts';

/** One process that opens one image at a time. One that takes too much ends it. */
export interface ImageProcess extends Opener {
  /**
   * @param sign makes the COSE signature over a claim, when it is asked for
   * @throws ImageFault
   */
  run(order: Order, sign?: (claim: Uint8Array) => Uint8Array): Promise<InspectedAnswer | SignedAnswer>;
}

const MAIN = fileURLToPath(new URL('./process-main.ts', import.meta.url));
/** Milliseconds that a process may take to start, on a machine that has others to start too. */
const START_MS = 60_000;

export function startImageProcess({ memoryMb, timeoutMs }: OpenerLimits): ImageProcess {
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
      const { promise: answered, resolve, reject } = deferred<InspectedAnswer | SignedAnswer | FaultAnswer>();
      hear = (answer) => {
        if ('held' in answer) return resolve(answer);
        try {
          if (answer.kind !== 'claim' || sign === undefined)
            throw new Error(`The image process answered ${answer.kind} out of turn.`);
          tell(child, { kind: 'signature', cose: sign(answer.claim) });
        } catch (error) {
          // the process still waits for its signature
          void end();
          reject(error);
        }
      };
      tell(child, order);
      return await answerOf(answered, { memoryMb, timeoutMs, gone, end });
    },
  };
}

function tell(child: ChildProcess, order: Order): void {
  // a process that is gone is noticed by its end
  if (child.connected) child.send(order, () => {});
}
