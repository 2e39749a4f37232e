/** Bytes of compressed input that are inflated at a time: DEFLATE makes at most about 1,030 times as many of them. */
const STEP = 1024;

/** A zlib stream in its usual form: DEFLATE in a zlib envelope (RFC 1950), level 6. */
export async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * Inflates a zlib stream that must have exactly `size` bytes. Input is fed in small steps, and nothing is inflated once there is more than
 * `size`, so that a stream that would fill the memory costs about 2 MB.
 *
 * @returns `too_large` if it has more bytes; `malformed` if it has fewer, or is no zlib stream
 */
export async function inflate(
  compressed: Uint8Array<ArrayBuffer>,
  size: number,
): Promise<Uint8Array<ArrayBuffer> | 'too_large' | 'malformed'> {
  const { readable, writable } = new DecompressionStream('deflate');
  const writer = writable.getWriter();
  const reader = readable.getReader();
  const fed = feed(writer, compressed);
  const inflated = new Uint8Array(size);
  let length = 0;
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      if (length + value.length > size) return 'too_large';
      inflated.set(value, length);
      length += value.length;
    }
    await fed;
    return length === size ? inflated : 'malformed';
  } catch {
    return 'malformed';
  } finally {
    fed.catch(() => undefined);
    await reader.cancel().catch(() => undefined);
    await writer.abort().catch(() => undefined);
  }
}

async function feed(
  writer: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<void> {
  for (let at = 0; at < bytes.length; at += STEP) {
    await writer.ready;
    await writer.write(bytes.subarray(at, at + STEP));
  }
  await writer.close();
}
