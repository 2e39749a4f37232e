import { createHtmlEmbedder } from '@touchstone/certificate/embed';

/** Encodings in which the letters of markup are not single bytes of ASCII. */
const NOT_ASCII =
  /^(?:utf-?(?:7|16|32)|ucs|iso-10646|iso-2022|hz|x-user-defined|.*ebcdic|cp(?:037|500|1047))/i;
/** Bytes of a page that are read at once, where so many have come. */
const MOST_AT_ONCE = 32_768;
/** Headers that speak of the bytes as they were. */
const OF_BYTES = [
  'content-length',
  'content-md5',
  'content-digest',
  'repr-digest',
  'digest',
  'accept-ranges',
  'last-modified',
  'etag',
  'expires',
] as const;

/** Whether an answer is a page that a certificate may be put into. */
export function isPage({ status, headers, body }: Response): boolean {
  if (status !== 200 || body === null) return false;
  const [type = '', ...parameters] = (headers.get('content-type') ?? '').split(';');
  if (type.trim().toLowerCase() !== 'text/html') return false;
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*["']?([^"'\s]*)/i.exec(parameter)?.[1])
    .find((found) => found !== undefined);
  if (charset !== undefined && NOT_ASCII.test(charset)) return false;
  return !/\bno-transform\b/i.test(headers.get('cache-control') ?? '');
}

/**
 * Whether the body comes as text: most runtimes decode what they fetch and leave the header as it is. Asks a copy of the
 * answer for its first bytes.
 */
export async function isReadable(response: Response): Promise<boolean> {
  const coding = response.headers.get('content-encoding')?.trim().toLowerCase() ?? 'identity';
  if (coding === 'identity' || coding === '') return true;
  const reader = response.clone().body?.getReader();
  const first = await reader?.read();
  void reader?.cancel().catch(() => {});
  // compressed bytes do not begin so
  const text = new TextDecoder().decode(first?.value?.subarray(0, 64) ?? new Uint8Array());
  return /^\uFEFF?\s*<(?:!|[a-z])/i.test(text);
}

/** What goes into a page. */
export interface PageBlock {
  readonly script: string;
  /** Seconds for which it holds. */
  readonly holdsFor: number;
  /** Of the page with this block, in the place of its own; `null`: it has none. */
  readonly etag: string | null;
}

/** The same answer with the block in its stream. */
export function withBlock(response: Response, { script, holdsFor, etag }: PageBlock): Response {
  const headers = new Headers(response.headers);
  for (const name of OF_BYTES) headers.delete(name);
  if (etag !== null) headers.set('etag', etag);
  const caching = headers.get('cache-control');
  if (caching !== null) headers.set('cache-control', heldFor(caching, holdsFor));
  const body = response.body === null ? null : embedded(response.body, script);
  return new Response(body, { status: response.status, statusText: response.statusText, headers });
}

/** No copy of the page may outlive its certificate. */
function heldFor(cacheControl: string, seconds: number): string {
  return cacheControl.replace(
    /\b(s-maxage|max-age)(\s*=\s*"?)(\d+)/gi,
    (_, name: string, between: string, age: string) => `${name}${between}${Math.min(Number(age), seconds)}`,
  );
}

/** Costs a third of a TransformStream in workerd, whose pieces of a body are 4 KB otherwise. */
function embedded(body: ReadableStream<Uint8Array>, script: string): ReadableStream<Uint8Array> {
  const embedder = createHtmlEmbedder(script);
  const { read, cancel } = readerOf(body);
  return new ReadableStream(
    {
      async pull(to) {
        for (let hasSent = false; !hasSent; ) {
          const { done, value } = await read();
          for (const piece of done ? embedder.end() : embedder.write(value)) {
            to.enqueue(piece);
            hasSent = true;
          }
          if (done) return to.close();
        }
      },
      cancel,
    },
    { highWaterMark: 0 },
  );
}

interface BodyReader {
  /** As many bytes as there are, up to a bound where the stream is one of bytes. */
  read(): Promise<ReadableStreamReadResult<Uint8Array>>;
  cancel(reason: unknown): Promise<void>;
}

function readerOf(body: ReadableStream<Uint8Array>): BodyReader {
  const reader = byteReaderOf(body);
  if (reader === null) {
    const plain = body.getReader();
    return { read: () => plain.read(), cancel: (reason) => plain.cancel(reason) };
  }
  return {
    async read() {
      const { done, value } = await reader.read(new Uint8Array(MOST_AT_ONCE));
      return done ? { done, value: undefined } : { done, value };
    },
    cancel: (reason) => reader.cancel(reason),
  };
}

/** `null`: the stream is none of bytes. */
function byteReaderOf(body: ReadableStream<Uint8Array>): ReadableStreamBYOBReader | null {
  try {
    return body.getReader({ mode: 'byob' });
  } catch {
    return null;
  }
}
