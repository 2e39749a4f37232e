import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { limitMemory } from './limit-memory.ts';

const PAGE = 65_536;
const HEADER = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
/** `(memory (export "m") 1)` with these limits instead. */
const moduleWith = (...limits: number[]) =>
  Uint8Array.of(...HEADER, 5, limits.length + 1, 1, ...limits, 7, 5, 1, 1, 0x6d, 2, 0);

async function memoryOf(wasm: Uint8Array<ArrayBuffer>): Promise<WebAssembly.Memory> {
  const { instance } = await WebAssembly.instantiate(wasm);
  return instance.exports.m as WebAssembly.Memory;
}

describe('a module whose memory was limited', () => {
  it('grows up to the limit and no further', async () => {
    const memory = await memoryOf(limitMemory(moduleWith(0, 1), 300.9 * PAGE));
    expect(memory.grow(299)).toBe(1);
    expect(() => memory.grow(1)).toThrow(RangeError);
  });

  it('keeps a smaller limit of its own', async () => {
    const memory = await memoryOf(limitMemory(moduleWith(1, 1, 3), 300 * PAGE));
    expect(() => memory.grow(3)).toThrow(RangeError);
    expect(memory.grow(2)).toBe(1);
  });

  it('is refused if the limit could not be enforced', () => {
    expect(() => limitMemory(moduleWith(0, 2), PAGE)).toThrow('131072 bytes');
    // shared memory, and 64-bit memory
    for (const flags of [3, 4]) expect(() => limitMemory(moduleWith(flags, 1, 1), PAGE)).toThrow(RangeError);
    expect(() => limitMemory(Uint8Array.from(HEADER), PAGE)).toThrow('no memory');
  });
});

it('the manifest engine can be limited, and is otherwise unchanged', async () => {
  const wasm = readFileSync(fileURLToPath(import.meta.resolve('@contentauth/c2pa-wasm/c2pa.wasm')));
  const limited = limitMemory(wasm, 1_000 * PAGE);
  expect(limited.length - wasm.length).toBeLessThan(8);
  const interfaceOf = (module: WebAssembly.Module) => [
    WebAssembly.Module.imports(module),
    WebAssembly.Module.exports(module),
  ];
  expect(interfaceOf(await WebAssembly.compile(limited))).toEqual(
    interfaceOf(await WebAssembly.compile(wasm)),
  );
});
