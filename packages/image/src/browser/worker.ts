import { WASM_SRI } from '@contentauth/c2pa-wasm';
import { ImageFault } from '../inspect/fault.ts';
import { inspect } from '../inspect/inspect.ts';
import { faultResponse } from '../inspect/worker-protocol.ts';
import { loadManifestEngine, type ManifestEngine } from '../manifest/engine.ts';
import type { WorkerRequest, WorkerResponse } from './image-worker.ts';
import { decodePixels } from './pixels.ts';

/** The global scope of a worker: the part that is used here. */
export interface WorkerScope {
  addEventListener(type: 'message', listener: (event: MessageEvent<WorkerRequest>) => void): void;
  postMessage(response: WorkerResponse): void;
}

/**
 * Opens images in a web worker, for `openImageWorker` of the page that started it. The script of the worker needs nothing else:
 *
 * @example
 * ```ts
 * import { serveImages } from '@touchstone/image/browser/worker';
 *
 * // in the script of a worker: serveImages(self)
 * const sent: string[] = [];
 * serveImages({ addEventListener: () => {}, postMessage: ({ kind }) => sent.push(kind) });
 * sent; // ['engine']
 * ```
 */
export function serveImages(scope: WorkerScope): void {
  let engine: ManifestEngine | undefined;

  async function respond(request: WorkerRequest): Promise<WorkerResponse> {
    if (request.kind === 'start') {
      // the engine arrives compiled, so nothing needs the network from here on
      Object.defineProperty(scope, 'fetch', { value: undefined });
      engine = await loadManifestEngine(request.engine);
      return { kind: 'ready' };
    }
    if (engine === undefined) throw new Error('An image came before the engine.');
    try {
      const inspection = await inspect(request.bytes, request.trust, { engine, decode: decodePixels });
      return { kind: 'inspected', inspection, heldBytes: engine.memoryBytes() };
    } catch (error) {
      if (!(error instanceof ImageFault)) throw error;
      return faultResponse(error, engine.memoryBytes());
    }
  }

  scope.addEventListener('message', ({ data }) => {
    respond(data).then(
      (response) => scope.postMessage(response),
      // an uncaught error reaches the page, a rejection would not
      (error: unknown) =>
        setTimeout(() => {
          throw error;
        }),
    );
  });
  scope.postMessage({ kind: 'engine', integrity: WASM_SRI });
}
