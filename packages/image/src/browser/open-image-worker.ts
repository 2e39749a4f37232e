import { acceptedHeader, type ImageInspection } from '../inspect/inspect.ts';
import { createPool, MAX_WAITING } from '../inspect/pool.ts';
import { checkOptions, type WorkerLimits } from '../inspect/worker-protocol.ts';
import type { TrustList } from '../manifest/manifest-report.ts';
import { engineSource } from './engine-source.ts';
import { startImageWorker } from './image-worker.ts';

/** How images are opened in a page. */
export interface ImageWorkerOptions extends WorkerLimits {
  /**
   * Starts a worker whose script calls `serveImages(self)` of `@touchstone/image/browser/worker`. Called for the first image,
   * and after a worker had to be terminated.
   */
  readonly startWorker: () => Worker;
  /** Address of `@contentauth/c2pa-wasm/c2pa.wasm`. It is loaded once, and nothing else is. */
  readonly wasmUrl: string | URL;
  /** Images that may wait while the worker is busy; any further one is refused with `overloaded`. Default: 64. */
  readonly waiting?: number | undefined;
  /** Trusted signers; for none: `{ name: 'nobody', date: '2026-01-01', anchorsPem: '' }`. */
  readonly trust: TrustList;
}

/** Opens images outside the main thread: one that hangs or crashes its worker does not affect the page or other images. */
export interface BrowserImages {
  /** @throws ImageFault; Error if the worker or its engine cannot be loaded, with the reason */
  inspect(bytes: Uint8Array): Promise<ImageInspection>;
  /** Terminates the worker; images in progress fail with `closed`. */
  close(): Promise<void>;
}

/**
 * Opens untrusted images in a web worker of the page, which is started when it is first needed. Results are those of
 * `openImageWorkers` of `@touchstone/image/node`, with pixels decoded by the browser.
 *
 * @throws TypeError for options of the wrong type
 * @throws Error in an insecure context (neither https nor localhost), where browsers have no hash functions
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
  // one worker: a second engine would double the memory, and a page has few images
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
