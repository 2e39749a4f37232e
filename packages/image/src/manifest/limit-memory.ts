/** Bytes of a page of WebAssembly memory. */
const PAGE = 65_536;
/** The binary format (WebAssembly core specification, 5.5): offset of the first section, and id of the memory section. */
const HEADER_BYTES = 8;
const MEMORY_SECTION = 5;
/** Flag of a memory with a maximum; higher flags mark kinds that are not supported here. */
const HAS_MAXIMUM = 1;

/**
 * The same WebAssembly with a maximum of memory, beyond which allocations fail. Browsers have no other way to limit it.
 *
 * @param bytes of memory, rounded down to pages of 64 KiB
 * @throws RangeError if the module defines no memory, or its initial size is larger
 */
export function limitMemory(wasm: Uint8Array, bytes: number): Uint8Array<ArrayBuffer> {
  const { start, content, end } = memorySection(wasm);
  const flags = wasm[content + 1] ?? 0;
  if (wasm[content] !== 1 || flags > HAS_MAXIMUM) throw new RangeError('This kind of memory has no limit.');
  const minimum = readNumber(wasm, content + 2);
  const declared = flags === HAS_MAXIMUM ? readNumber(wasm, minimum.end).value : Number.POSITIVE_INFINITY;
  const maximum = Math.min(Math.floor(bytes / PAGE), declared);
  if (maximum < minimum.value) throw new RangeError(`It needs ${minimum.value * PAGE} bytes to begin with.`);
  const limits = [1, HAS_MAXIMUM, ...numberBytes(minimum.value), ...numberBytes(maximum)];
  const section = Uint8Array.of(MEMORY_SECTION, limits.length, ...limits);
  const limited = new Uint8Array(start + section.length + wasm.length - end);
  limited.set(wasm.subarray(0, start));
  limited.set(section, start);
  limited.set(wasm.subarray(end), start + section.length);
  return limited;
}

function memorySection(wasm: Uint8Array) {
  for (let at = HEADER_BYTES; at < wasm.length; ) {
    const size = readNumber(wasm, at + 1);
    const end = size.end + size.value;
    if (wasm[at] === MEMORY_SECTION) return { start: at, content: size.end, end };
    at = end;
  }
  throw new RangeError('The module has no memory of its own.');
}

/** An unsigned LEB128: seven bits per byte, least significant first. */
function readNumber(bytes: Uint8Array, start: number): { value: number; end: number } {
  let value = 0;
  let at = start;
  let scale = 1;
  for (; (bytes[at] ?? 0) > 0x7f; at += 1, scale *= 0x80) value += ((bytes[at] ?? 0) & 0x7f) * scale;
  return { value: value + (bytes[at] ?? 0) * scale, end: at + 1 };
}

function numberBytes(value: number): number[] {
  return value < 0x80 ? [value] : [(value % 0x80) + 0x80, ...numberBytes(Math.floor(value / 0x80))];
}
