import { limitMemory } from '../manifest/limit-memory.ts';

/** Loads the engine once for all workers; after a failure the next worker tries again. */
export interface EngineSource {
  /**
   * @param integrity hash of the expected engine
   * @throws Error with what could not be loaded, and why
   */
  compiled(integrity: string): Promise<WebAssembly.Module>;
}

/** @param memoryBytes limit of the engine's memory */
export function engineSource(url: string | URL, memoryBytes: number): EngineSource {
  let loading: Promise<WebAssembly.Module> | undefined;
  return {
    async compiled(integrity) {
      loading ??= load(url, integrity, memoryBytes);
      try {
        return await loading;
      } catch (cause) {
        loading = undefined;
        const wanted = 'the c2pa.wasm of the package that the script of the worker was built with';
        throw new Error(`The engine was not loaded: ${url} is to give ${wanted}. ${cause}`, { cause });
      }
    },
  };
}

async function load(url: string | URL, integrity: string, memoryBytes: number): Promise<WebAssembly.Module> {
  // the browser refuses any other content, such as an error page
  const response = await fetch(url, { integrity });
  return WebAssembly.compile(limitMemory(new Uint8Array(await response.arrayBuffer()), memoryBytes));
}
