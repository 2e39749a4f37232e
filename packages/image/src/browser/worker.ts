import { WASM_SRI } from '@contentauth/c2pa-wasm';
import { faultAnswer } from '../inspect/answer.ts';
import { ImageFault } from '../inspect/fault.ts';
import { inspect } from '../inspect/inspect.ts';
import { loadManifestEngine, type ManifestEngine } from '../manifest/engine.ts';
import type { Answer, Order } from './messages.ts';
import { decodePixels } from './pixels.ts';

/** What a worker hears and speaks through: its `self`. */
export interface WorkerScope {
  addEventListener(type: 'message', listener: (event: MessageEvent<Order>) => void): void;
  postMessage(answer: Answer): void;
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
 * const said: string[] = [];
 * serveImages({ addEventListener: () => {}, postMessage: ({ kind }) => said.push(kind) });
 * said; // ['engine']
 * ```
 */
export function serveImages(scope: WorkerScope): void {
  let engine: ManifestEngine | undefined;

  async function carryOut(order: Order): Promise<Answer> {
    if (order.kind === 'start') {
      // the engine comes compiled: from here on nothing is to be had from anywhere
      Object.defineProperty(scope, 'fetch', { value: undefined });
      engine = await loadManifestEngine(order.engine);
      return { kind: 'ready' };
    }
    if (engine === undefined) throw new Error('An image came before the engine.');
    try {
      const inspection = await inspect(order.bytes, order.trust, { engine, decode: decodePixels });
      return { kind: 'inspected', inspection, held: engine.memoryBytes() };
    } catch (error) {
      if (!(error instanceof ImageFault)) throw error;
      return faultAnswer(error, engine.memoryBytes());
    }
  }

  scope.addEventListener('message', ({ data }) => {
    carryOut(data).then(
      (answer) => scope.postMessage(answer),
      // a worker that is broken says so by an error that nobody catches; a rejection would not be heard
      (error: unknown) =>
        setTimeout(() => {
          throw error;
        }),
    );
  });
  scope.postMessage({ kind: 'engine', integrity: WASM_SRI });
}
