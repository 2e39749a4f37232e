import { isUtf8 } from 'node:buffer';

export type JsonBody =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'invalid'; readonly reason: string; readonly position?: number };

/**
 * Parses a JSON request body (RFC 8259). Everything valid is taken: a byte order mark, duplicate names (the last
 * one counts), `__proto__` as an ordinary name (JSON.parse makes it an own property, so no prototype changes),
 * any depth that fits the body limit (JSON.parse does not recurse).
 */
export function parseJsonBody(bytes: Uint8Array): JsonBody {
  // a decoder would take as long as all of it does for most bodies
  if (!isUtf8(bytes)) return { kind: 'invalid', reason: 'the body is not UTF-8' };
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString()
    .replace(/^\ufeff/, '');
  try {
    return { kind: 'value', value: JSON.parse(text) };
  } catch (error) {
    return invalid(error, text.length);
  }
}

function invalid(error: unknown, length: number): JsonBody {
  const message = error instanceof Error ? error.message : '';
  const position = /at position (\d+)/.exec(message)?.[1];
  // the engine's message may quote the body; only its own words and the place are passed on
  if (position !== undefined)
    return { kind: 'invalid', reason: 'unexpected token', position: Number(position) };
  return { kind: 'invalid', reason: 'unexpected end of the body', position: length };
}
