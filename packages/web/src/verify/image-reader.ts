import wasmUrl from '@contentauth/c2pa-wasm/c2pa.wasm?url';
import { manifestReader } from '@touchstone/image';
import { ImageFault, type ImageInspection, openImageWorker } from '@touchstone/image/browser';
import { ENGINE_BYTES } from './offline.ts';

/** Reads images in a worker that can be terminated. */
export interface ImageReader {
  /**
   * @param onLoaded - bytes of the engine that have been loaded
   * @param onReading - the engine is loaded, and the image is being read
   * @throws ImageFault; Error if the engine cannot be loaded
   */
  inspect(
    bytes: Uint8Array,
    onLoaded: (bytes: number) => void,
    onReading: () => void,
  ): Promise<ImageInspection>;
  /** For the Full profile; reads an image that was already inspected. */
  readonly readManifest: ReturnType<typeof manifestReader>;
}

/** Why an image was not opened, by a code of the texts. */
export function imageFaultOf(error: unknown): string {
  return error instanceof ImageFault ? error.code : 'engine';
}

/** Starts nothing yet: script, engine and worker are loaded for the first image. */
export function openImageReader(): ImageReader {
  let loading: Promise<void> | undefined;
  const worker = openImageWorker({
    startWorker: () => new Worker(new URL('./image-worker.ts', import.meta.url), { type: 'module' }),
    wasmUrl,
    memoryMb: 512,
    timeoutMs: 30_000,
    // a trust list built into a page would become outdated
    trust: { name: 'none', date: '2026-01-01', anchorsPem: '' },
  });
  const known = new WeakMap<Uint8Array, Promise<ImageInspection>>();
  const inspectOnce = (bytes: Uint8Array) => {
    const inspection = known.get(bytes) ?? worker.inspect(bytes);
    known.set(bytes, inspection);
    return inspection;
  };
  return {
    async inspect(bytes, onLoaded, onReading) {
      loading ??= loadEngine(onLoaded);
      await loading.catch((error: unknown) => {
        loading = undefined;
        throw error;
      });
      onReading();
      return inspectOnce(bytes);
    },
    readManifest: manifestReader({ inspect: inspectOnce }),
  };
}

/** Fetches the engine and reports progress; the worker then finds it in the HTTP cache. */
async function loadEngine(onLoaded: (bytes: number) => void): Promise<void> {
  const answer = await fetch(wasmUrl);
  if (!answer.ok) throw new Error(`The engine answered ${answer.status}.`);
  const reader = answer.body?.getReader();
  let loaded = 0;
  for (;;) {
    const part = await reader?.read();
    if (part?.value === undefined) break;
    loaded += part.value.length;
    onLoaded(Math.min(loaded, ENGINE_BYTES));
  }
  onLoaded(ENGINE_BYTES);
}
