import { createHtmlEmbedder } from '@touchstone/certificate/embed';

/** Encodings that do not represent ASCII characters as single ASCII bytes. */
const NOT_ASCII =
  /^(?:utf-?(?:7|16|32)|ucs|iso-10646|iso-2022|hz|x-user-defined|.*ebcdic|cp(?:037|500|1047))/i;
/** Bytes of a page that are read at once, if available. */
const CHUNK_SIZE = 32_768;
/** Headers that describe the original bytes. */
const BYTE_HEADERS = [
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

/** Whether a response is a page into which a certificate may be inserted. */
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
 * Whether the body is decoded text, judged by the first bytes of a copy: most runtimes decode content codings, but keep the
 * header.
 */
export async function isReadable(response: Response): Promise<boolean> {
  const coding = response.headers.get('content-encoding')?.trim().toLowerCase() ?? 'identity';
  if (coding === 'identity' || coding === '') return true;
  const reader = response.clone().body?.getReader();
  const first = await reader?.read();
  void reader?.cancel().catch(() => {});
  // compressed data does not begin like this
  const text = new TextDecoder().decode(first?.value?.subarray(0, 64) ?? new Uint8Array());
  return /^\uFEFF?\s*<(?:!|[a-z])/i.test(text);
}

/** A block to insert into a page. */
export interface PageBlock {
  readonly script: string;
  /** Seconds for which caches may keep the page at most. */
  readonly cachedFor: number;
  /** The entity tag of the page with this block; `null`: the page has none. */
  readonly etag: string | null;
}

/** The same response with the block inserted into its stream. */
export function withBlock(response: Response, { script, cachedFor, etag }: PageBlock): Response {
  const headers = new Headers(response.headers);
  for (const name of BYTE_HEADERS) headers.delete(name);
  if (etag !== null) headers.set('etag', etag);
  const caching = headers.get('cache-control');
  if (caching !== null) headers.set('cache-control', limitAge(caching, cachedFor));
  const body = response.body === null ? null : withScript(response.body, script);
  return new Response(body, { status: response.status, statusText: response.statusText, headers });
}

/** No cached copy of the page may outlive its certificate, nor carry a withdrawn one for long. */
function limitAge(cacheControl: string, seconds: number): string {
  return cacheControl.replace(
    /\b(s-maxage|max-age)(\s*=\s*"?)(\d+)/gi,
    (_, name: string, between: string, age: string) => `${name}${between}${Math.min(Number(age), seconds)}`,
  );
}

/** Takes a third of the time of a TransformStream in workerd, whose chunks have only 4 KB. */
function withScript(body: ReadableStream<Uint8Array>, script: string): ReadableStream<Uint8Array> {
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
  /** The next chunk: of a byte stream as many bytes as are available, up to `CHUNK_SIZE`. */
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
      const { done, value } = await reader.read(new Uint8Array(CHUNK_SIZE));
      return done ? { done, value: undefined } : { done, value };
    },
    cancel: (reason) => reader.cancel(reason),
  };
}

/** @returns `null`: it is not a byte stream */
function byteReaderOf(body: ReadableStream<Uint8Array>): ReadableStreamBYOBReader | null {
  try {
    return body.getReader({ mode: 'byob' });
  } catch {
    return null;
  }
}
