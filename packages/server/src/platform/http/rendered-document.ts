import { createHash } from 'node:crypto';

/**
 * A text with one character per byte of its UTF-8. Such a string takes half the memory of bytes, and is sent in one write with the
 * headers.
 */
export class ByteText {
  readonly latin1: string;

  private constructor(latin1: string) {
    this.latin1 = latin1;
  }

  static of(text: string): ByteText {
    return new ByteText(Buffer.from(text).toString('latin1'));
  }

  get bytes(): Buffer {
    return Buffer.from(this.latin1, 'latin1');
  }

  toString(): string {
    return this.bytes.toString();
  }
}

declare const OF: unique symbol;

/** The JSON of a `T`. */
export type Rendered<T> = ByteText & { readonly [OF]: T };

/** A rendered document: identical bytes from every node. */
export interface RenderedDocument<T> {
  readonly body: Rendered<T>;
  /** Strong (RFC 9110 section 8.8.3), quotes included. */
  readonly etag: string;
  /** Headers of a 200 that belong to the document, by their names in lower case; `etag` among them. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Headers of a 200 that its 304 repeats (RFC 9110 section 15.4.5), and additionally the cache tag. */
export const KEPT_IN_304: ReadonlySet<string> = new Set([
  'etag',
  'cache-control',
  'cdn-cache-control',
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
  return renderText(JSON.stringify(document), headers);
}

/** The same of a document that is a text already. */
export function renderText<T = string>(
  text: string,
  headers: Readonly<Record<string, string>>,
): RenderedDocument<T> {
  const body = ByteText.of(text) as Rendered<T>;
  const etag = `"${createHash('sha256').update(body.latin1, 'latin1').digest('base64url').slice(0, 27)}"`;
  return { body, etag, headers: { ...headers, etag } };
}

declare const LINE: unique symbol;

/** NDJSON, each line the JSON of a `T`, as bytes. */
export type Ndjson<T> = Uint8Array & { readonly [LINE]: T };

export function renderLines<T>(values: readonly T[]): Ndjson<T> {
  return Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join('')) as Uint8Array as Ndjson<T>;
}
