import type { PoolWorker } from '../inspect/pool.ts';
import {
  deferred,
  type FaultResponse,
  type InspectedResponse,
  type InspectRequest,
  type ReadyResponse,
  resultOf,
  type WorkerLimits,
  within,
} from '../inspect/worker-protocol.ts';
import type { EngineSource } from './engine-source.ts';

/** Messages to the worker: once the engine, compiled and limited, then one image after another. */
export type WorkerRequest = { readonly kind: 'start'; readonly engine: WebAssembly.Module } | InspectRequest;

/** Messages from the worker: which engine it needs, `ready`, then one result for each image. */
export type WorkerResponse =
  | {
      readonly kind: 'engine';
      /** Hash of the WebAssembly that fits its script, as in the `integrity` of a request. */
      readonly integrity: string;
    }
  | ReadyResponse
  | InspectedResponse
  | FaultResponse;

/** A web worker that opens one image at a time. It is terminated if an image takes too long. */
export interface ImageWorker extends PoolWorker {
  /** @throws ImageFault; Error if the worker or its engine cannot be loaded */
  run(request: InspectRequest): Promise<InspectedResponse>;
}

/** Milliseconds for loading script and engine. */
const START_MS = 120_000;

/** Wraps a worker that was just started, and loads the engine into it. */
export function startImageWorker(
  worker: Worker,
  engine: EngineSource,
  { memoryMb, timeoutMs }: WorkerLimits,
): ImageWorker {
  const { promise: ended, resolve: onEnd } = deferred<void>();
  const { promise: ready, resolve: onReady, reject: onFailure } = deferred<'ready'>();
  // receives the next result: there is only one image at a time
  let onResult: (response: InspectedResponse | FaultResponse) => void = () => {};
  let usable = true;
  let startFailure = 'its script did not answer';
  const send = (request: WorkerRequest) => worker.postMessage(request);
  const end = async () => {
    usable = false;
    worker.terminate();
    onEnd();
  };
  worker.addEventListener('message', ({ data }: MessageEvent<WorkerResponse>) => {
    if (data.kind === 'engine') {
      engine.compiled(data.integrity).then((module) => send({ kind: 'start', engine: module }), onFailure);
    } else if (data.kind === 'ready') onReady('ready');
    else onResult(data);
  });
  // the script cannot be loaded, or threw
  worker.addEventListener('error', (event) => {
    event.preventDefault();
    startFailure = event.message ?? 'its script cannot be loaded';
    void end();
  });
  return {
    isUsable: () => usable,
    end,
    async run(request) {
      try {
        if ((await within(START_MS, ready, ended)) !== 'ready')
          throw new Error(`A worker for opening images could not be started: ${startFailure}.`);
      } catch (error) {
        await end();
        throw error;
      }
      const { promise: responding, resolve } = deferred<InspectedResponse | FaultResponse>();
      onResult = resolve;
      send(request);
      return await resultOf(responding, { memoryMb, timeoutMs, ended, end });
    },
  };
}
