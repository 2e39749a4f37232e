/** A body that exceeds its limit; the rest of it is not read. */
export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError';
  /** In bytes. */
  readonly limit: number;
  /** What exceeds it: the whole body, or one of its lines. */
  readonly part: 'body' | 'line';

  constructor(limit: number, part: 'body' | 'line') {
    super(`The ${part} of the response exceeds the limit of ${limit / 1_000_000} MB.`);
    this.limit = limit;
    this.part = part;
  }
}

/** A response as far as its body is read. */
type Received = Pick<Response, 'body'> & { readonly headers?: Pick<Headers, 'get'> };

/**
 * The bytes of a body as they arrive, decoded, with back-pressure; the rest is cancelled if the consumer stops or the limit
 * is exceeded. All other functions of this module read by it.
 *
 * @param limit - in bytes of the whole body; `Infinity` for streams that are processed piece by piece
 * @throws BodyTooLargeError
 */
async function* piecesOf({ body, headers }: Received, limit: number): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  // not every browser supports async iteration of streams
  const reader = body.getReader();
  try {
    if (Number(headers?.get('content-length') ?? 0) > limit) throw new BodyTooLargeError(limit, 'body');
    let size = 0;
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      size += next.value.byteLength;
      if (size > limit) throw new BodyTooLargeError(limit, 'body');
      yield next.value;
    }
  } finally {
    await reader.cancel();
  }
}

/**
 * A whole body.
 *
 * @param limit - in bytes
 * @throws BodyTooLargeError; what the connection throws
 * @example
 * ```ts
 * import { readBytes } from '@touchstone/contract/bounded-body';
 *
 * (await readBytes(new Response('cup'), 10)).byteLength; // 3
 * ```
 */
export async function readBytes(response: Received, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const whole = new Gathered();
  for await (const piece of piecesOf(response, limit)) whole.add(piece);
  return whole.take();
}

/**
 * A whole body as text, UTF-8.
 *
 * @param limit - in bytes
 * @throws BodyTooLargeError; what the connection throws
 * @example
 * ```ts
 * import { readText } from '@touchstone/contract/bounded-body';
 *
 * await readText(new Response('cup'), 10); // 'cup'
 * ```
 */
export async function readText(response: Received, limit: number): Promise<string> {
  return new TextDecoder().decode(await readBytes(response, limit));
}

/**
 * The lines of a body, UTF-8, without their line feeds, each as soon as it has arrived.
 *
 * @param limit - in bytes of one line
 * @throws BodyTooLargeError; what the connection throws
 * @example
 * ```ts
 * import { readLines } from '@touchstone/contract/bounded-body';
 *
 * for await (const line of readLines(new Response('cup\nbowl'), 10)) line; // 'cup', then 'bowl'
 * ```
 */
export async function* readLines(response: Received, limit: number): AsyncGenerator<string> {
  const line = new Gathered();
  const add = (bytes: Uint8Array) => {
    if (line.size + bytes.byteLength > limit) throw new BodyTooLargeError(limit, 'line');
    line.add(bytes);
  };
  for await (const piece of piecesOf(response, Number.POSITIVE_INFINITY)) {
    let from = 0;
    for (let end = piece.indexOf(LINE_FEED); end !== -1; end = piece.indexOf(LINE_FEED, from)) {
      add(piece.subarray(from, end));
      yield new TextDecoder().decode(line.take());
      from = end + 1;
    }
    add(piece.subarray(from));
  }
  if (line.size > 0) yield new TextDecoder().decode(line.take());
}

const LINE_FEED = 0x0a;

/** Bytes in one buffer: pieces of a single byte, if kept as they arrive, would take a hundred times their size. */
class Gathered {
  #buffer = new Uint8Array(1_024);
  size = 0;

  add(bytes: Uint8Array): void {
    const size = this.size + bytes.byteLength;
    if (size > this.#buffer.byteLength) {
      const larger = new Uint8Array(Math.max(size, 2 * this.#buffer.byteLength));
      larger.set(this.#buffer.subarray(0, this.size));
      this.#buffer = larger;
    }
    this.#buffer.set(bytes, this.size);
    this.size = size;
  }

  /** A copy of the bytes; the buffer is empty then. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = this.#buffer.slice(0, this.size);
    this.size = 0;
    return taken;
  }
}
