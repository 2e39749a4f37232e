import { createHash } from 'node:crypto';

declare const OF: unique symbol;

/** The JSON of a `T`, as bytes. */
export type Rendered<T> = Uint8Array & { readonly [OF]: T };

/** A document as it goes out: the same bytes from every node. */
export interface RenderedDocument<T> {
  readonly body: Rendered<T>;
  /** Strong (RFC 9110 section 8.8.3), quotes included. */
  readonly etag: string;
  /** All response headers that belong to the document, `etag` among them; lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Renders a document once; what is sent, hashed and counted are the same bytes. */
export function renderDocument<T>(
  document: T,
  headers: Readonly<Record<string, string>>,
): RenderedDocument<T> {
  const body = Buffer.from(JSON.stringify(document)) as Uint8Array as Rendered<T>;
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
  return { body, etag, headers: { ...headers, etag } };
}

declare const LINE: unique symbol;

/** NDJSON, each line the JSON of a `T`, as bytes. */
export type Ndjson<T> = Uint8Array & { readonly [LINE]: T };

export function renderLines<T>(values: readonly T[]): Ndjson<T> {
  return Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join('')) as Uint8Array as Ndjson<T>;
}
