import { answerOf, deferred, type OpenerLimits, within } from '../inspect/answer.ts';
import type { Opener } from '../inspect/lanes.ts';
import type { FaultAnswer, InspectedAnswer, InspectOrder } from '../inspect/messages.ts';
import type { EngineSource } from './engine-source.ts';
import type { Answer, Order } from './messages.ts';

/** One web worker that opens one image at a time. One that takes too long ends it. */
export interface ImageWorker extends Opener {
  /** @throws ImageFault; Error where the worker or its engine cannot be had */
  run(order: InspectOrder): Promise<InspectedAnswer>;
}

/** Milliseconds that script and engine may take to arrive. */
const START_MS = 120_000;

export function startImageWorker(
  worker: Worker,
  engine: EngineSource,
  { memoryMb, timeoutMs }: OpenerLimits,
): ImageWorker {
  const { promise: gone, resolve: onGone } = deferred<void>();
  const { promise: ready, resolve: onReady, reject: onFailure } = deferred<'ready'>();
  // one at a time: who hears the next end
  let hear: (answer: InspectedAnswer | FaultAnswer) => void = () => {};
  let usable = true;
  let trouble = 'its script did not answer';
  const tell = (order: Order) => worker.postMessage(order);
  const end = async () => {
    usable = false;
    worker.terminate();
    onGone();
  };
  worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
    if (data.kind === 'engine') {
      engine.compiled(data.integrity).then((module) => tell({ kind: 'start', engine: module }), onFailure);
    } else if (data.kind === 'ready') onReady('ready');
    else hear(data);
  });
  // of a script that cannot be had, or threw
  worker.addEventListener('error', (event) => {
    event.preventDefault();
    trouble = event.message ?? 'its script cannot be loaded';
    void end();
  });
  return {
    isUsable: () => usable,
    end,
    async run(order) {
      try {
        if ((await within(START_MS, ready, gone)) !== 'ready')
          throw new Error(`A worker for opening images could not be started: ${trouble}.`);
      } catch (error) {
        await end();
        throw error;
      }
      const { promise: answered, resolve } = deferred<InspectedAnswer | FaultAnswer>();
      hear = resolve;
      tell(order);
      return await answerOf(answered, { memoryMb, timeoutMs, gone, end });
    },
  };
}
