import { createHash } from 'node:crypto';

/** A document as it goes out: the same bytes from every node. */
export interface RenderedDocument {
  readonly body: Uint8Array;
  /** Strong (RFC 9110 section 8.8.3), quotes included. */
  readonly etag: string;
  /** All response headers that belong to the document, `etag` among them; lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Renders a document once; what is sent, hashed and counted are the same bytes. */
export function renderDocument(
  document: unknown,
  headers: Readonly<Record<string, string>>,
): RenderedDocument {
  const body = Buffer.from(JSON.stringify(document));
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
  return { body, etag, headers: { ...headers, etag } };
}
