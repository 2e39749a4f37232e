import { acceptedHeader, type ImageInspection } from '../inspect/inspect.ts';
import { createPool, MAX_WAITING } from '../inspect/pool.ts';
import { checkOptions, type WorkerLimits } from '../inspect/worker-protocol.ts';
import type { TrustList } from '../manifest/manifest-report.ts';
import { engineSource } from './engine-source.ts';
import { startImageWorker } from './image-worker.ts';

/** How images are opened in a page. */
export interface ImageWorkerOptions extends WorkerLimits {
  /**
   * Starts a worker whose script calls `serveImages(self)` of `@touchstone/image/browser/worker`. Called when the first
   * image comes, and after a worker had to be ended.
   */
  readonly startWorker: () => Worker;
  /** Where `@contentauth/c2pa-wasm/c2pa.wasm` is served. It is loaded once, and nothing else ever is. */
  readonly wasmUrl: string | URL;
  /** Images that may wait while all are busy; one more is refused with `overloaded`. Default: 64. */
  readonly waiting?: number | undefined;
  /** Signers that are trusted; with none, `{ name: 'nobody', date: '2026-01-01', anchorsPem: '' }`. */
  readonly trust: TrustList;
}

/** Opens images outside the page's own thread: one that hangs or breaks what opens it costs nobody but itself. */
export interface BrowserImages {
  /** @throws ImageFault; Error where the worker or its engine cannot be had, saying why */
  inspect(bytes: Uint8Array): Promise<ImageInspection>;
  /** Ends the worker; whoever waits gets the fault `closed`. */
  close(): Promise<void>;
}

/**
 * Opens images of strangers in a web worker of the page, which is started when it is first needed. Decides as
 * `openImageWorkers` of `@touchstone/image/node` does; pixels are decoded by the browser.
 *
 * @throws TypeError for options of the wrong type
 * @throws Error in a page that is served neither over https nor by this machine: browsers do not hash there
 * @example
 * ```ts
 * import { openImageWorker } from '@touchstone/image/browser';
 *
 * const images = openImageWorker({
 *   startWorker: () => new Worker('/image-worker.js', { type: 'module' }),
 *   wasmUrl: '/c2pa.wasm',
 *   memoryMb: 512,
 *   timeoutMs: 10_000,
 *   trust: { name: 'nobody', date: '2026-01-01', anchorsPem: '' },
 * });
 * const fault = await images.inspect(new Uint8Array()).catch((error) => error.code);
 * await images.close();
 * fault; // 'not_an_image'
 * ```
 */
export function openImageWorker({
  startWorker,
  wasmUrl,
  waiting = MAX_WAITING,
  trust,
  ...limits
}: ImageWorkerOptions): BrowserImages {
  checkOptions(limits, trust);
  if (globalThis.isSecureContext === false)
    throw new Error(
      'Images are hashed, which browsers do only in pages served over https or by this machine.',
    );
  const engine = engineSource(wasmUrl, limits.memoryMb * 1_000_000);
  // one: a second engine would take as much memory again, and a page has few images to ask about
  const pool = createPool(1, waiting, () => startImageWorker(startWorker(), engine, limits));
  return {
    async inspect(bytes) {
      acceptedHeader(bytes);
      const answer = await pool.run((worker) => worker.run({ kind: 'inspect', bytes, trust }));
      return answer.inspection;
    },
    close: () => pool.close(),
  };
}
