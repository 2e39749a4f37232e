export const NDJSON = 'application/x-ndjson';

/** NDJSON of the values, made as fast as it is taken. */
export function ndjsonOf(values: AsyncIterable<unknown> | Iterable<unknown>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const source = Symbol.asyncIterator in values ? values[Symbol.asyncIterator]() : values[Symbol.iterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await source.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(`${JSON.stringify(value)}\n`));
    },
    async cancel() {
      await source.return?.();
    },
  });
}

/** Lines of an answer as they arrive, without what ends them. */
export async function* textLines(body: ReadableStream<Uint8Array> | null): AsyncGenerator<string> {
  if (body === null) return;
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunksOf(body)) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/** Not every browser iterates over a stream. */
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel();
  }
}
