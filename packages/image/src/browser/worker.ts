import { WASM_SRI } from '@contentauth/c2pa-wasm';
import { ImageFault } from '../inspect/fault.ts';
import { inspect } from '../inspect/inspect.ts';
import { faultResponse } from '../inspect/worker-protocol.ts';
import { loadManifestEngine, type ManifestEngine } from '../manifest/engine.ts';
import type { WorkerRequest, WorkerResponse } from './image-worker.ts';
import { decodePixels } from './pixels.ts';

/** What a worker receives and sends through: its `self`. */
export interface WorkerScope {
  addEventListener(type: 'message', listener: (event: MessageEvent<WorkerRequest>) => void): void;
  postMessage(response: WorkerResponse): void;
}

/**
 * Opens images in a web worker, for `openImageWorker` of the page that started it. It is all that the script of the
 * worker does:
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
      // the engine comes compiled: from here on nothing is to be had from anywhere
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
      // a worker that is broken says so by an error that nobody catches; a rejection would not reach the page
      (error: unknown) =>
        setTimeout(() => {
          throw error;
        }),
    );
  });
  scope.postMessage({ kind: 'engine', integrity: WASM_SRI });
}
