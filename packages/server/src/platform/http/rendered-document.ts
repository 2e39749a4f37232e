import { createHash } from 'node:crypto';

declare const OF: unique symbol;

/** The JSON of a `T`, as bytes. */
export type Rendered<T> = Uint8Array & { readonly [OF]: T };

/** A document as it goes out: the same bytes from every node. */
export interface RenderedDocument<T> {
  readonly body: Rendered<T>;
  /** Strong (RFC 9110 section 8.8.3), quotes included. */
  readonly etag: string;
  /** Names (lower case) and values, in turn, of the headers of a 200 that belong to the document, `etag` among them. */
  readonly whole: readonly string[];
  /** The same for a 304. */
  readonly unchanged: readonly string[];
}

/** Headers of a 200 that its 304 repeats (RFC 9110 section 15.4.5), and the cache tag beside them. */
export const KEPT_IN_304: ReadonlySet<string> = new Set([
  'etag',
  'cache-control',
  'vary',
  'expires',
  'date',
  'content-location',
  'surrogate-key',
]);

/** Renders a document once; what is sent, hashed and counted are the same bytes. */
export function renderDocument<T>(
  document: T,
  headers: Readonly<Record<string, string>>,
): RenderedDocument<T> {
  const body = Buffer.from(JSON.stringify(document)) as Uint8Array as Rendered<T>;
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
  const own = Object.entries({ ...headers, etag });
  const unchanged = own.filter(([name]) => KEPT_IN_304.has(name)).flat();
  return { body, etag, whole: own.flat(), unchanged };
}

/** Headers of a 200 that belong to the document, by their lower-case names. */
export function headersOf({ whole }: RenderedDocument<unknown>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let index = 0; index < whole.length; index += 2) {
    headers[whole[index] as string] = whole[index + 1] as string;
  }
  return headers;
}

declare const LINE: unique symbol;

/** NDJSON, each line the JSON of a `T`, as bytes. */
export type Ndjson<T> = Uint8Array & { readonly [LINE]: T };

export function renderLines<T>(values: readonly T[]): Ndjson<T> {
  return Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join('')) as Uint8Array as Ndjson<T>;
}
