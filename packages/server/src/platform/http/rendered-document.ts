import { createHash } from 'node:crypto';

declare const OF: unique symbol;

/** The JSON of a `T`, as bytes. */
export type Rendered<T> = Uint8Array & { readonly [OF]: T };

/** A rendered document: identical bytes from every node. */
export interface RenderedDocument<T> {
  readonly body: Rendered<T>;
  /** The same with one character per byte: a string takes half the memory, and is sent in one write with the headers. */
  readonly byteText: string;
  /** Strong (RFC 9110 section 8.8.3), quotes included. */
  readonly etag: string;
  /** Headers of a 200 that belong to the document, by their names in lower case; `etag` among them. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Headers of a 200 that its 304 repeats (RFC 9110 section 15.4.5), and additionally the cache tag. */
export const KEPT_IN_304: ReadonlySet<string> = new Set([
  'etag',
  'cache-control',
  'vary',
  'expires',
  'date',
  'content-location',
  'surrogate-key',
]);

/** Renders a document once, so that the same bytes are sent, hashed and measured. */
export function renderDocument<T>(
  document: T,
  headers: Readonly<Record<string, string>>,
): RenderedDocument<T> {
  const body = Buffer.from(JSON.stringify(document));
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
  return new KeptDocument(body.toString('latin1'), { ...headers, etag });
}

class KeptDocument<T> implements RenderedDocument<T> {
  readonly byteText: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(byteText: string, headers: Readonly<Record<string, string>>) {
    this.byteText = byteText;
    this.headers = headers;
  }

  get body(): Rendered<T> {
    return Buffer.from(this.byteText, 'latin1') as Uint8Array as Rendered<T>;
  }

  get etag(): string {
    return this.headers.etag as string;
  }
}

declare const LINE: unique symbol;

/** NDJSON, each line the JSON of a `T`, as bytes. */
export type Ndjson<T> = Uint8Array & { readonly [LINE]: T };

export function renderLines<T>(values: readonly T[]): Ndjson<T> {
  return Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join('')) as Uint8Array as Ndjson<T>;
}
