import { limitMemory } from '../manifest/limit-memory.ts';

/** Gets the engine once for all workers; what failed is tried again by the next. */
export interface EngineSource {
  /**
   * @param integrity hash of the one that is wanted
   * @throws Error saying what could not be had, and why
   */
  compiled(integrity: string): Promise<WebAssembly.Module>;
}

/** @param memoryBytes that the engine may take at most */
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
  // what is not that very file, such as a page that says 404, is refused by the browser
  const response = await fetch(url, { integrity });
  return WebAssembly.compile(limitMemory(new Uint8Array(await response.arrayBuffer()), memoryBytes));
}
