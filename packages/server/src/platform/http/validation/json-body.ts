import { isUtf8 } from 'node:buffer';

export type JsonBody =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'invalid'; readonly reason: string; readonly position?: number };

/**
 * Parses a JSON request body (RFC 8259). Everything valid is taken: a byte order mark, duplicate names (the last
 * one counts), `__proto__` as an ordinary name (JSON.parse makes it an own property, so no prototype changes),
 * any depth up to 100,000 (JSON.parse does not recurse, but a megabyte of brackets keeps it and the collector busy for long).
 */
export function parseJsonBody(bytes: Uint8Array): JsonBody {
  // a decoder would take as long as all of it does for most bodies
  if (!isUtf8(bytes)) return { kind: 'invalid', reason: 'the body is not UTF-8' };
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString()
    .replace(/^\ufeff/, '');
  if (isDeeper(text, MAX_DEPTH))
    return { kind: 'invalid', reason: `the body is nested over ${MAX_DEPTH} levels deep` };
  try {
    return { kind: 'value', value: JSON.parse(text) };
  } catch (error) {
    return invalid(error, text.length);
  }
}

const MAX_DEPTH = 100_000;

/** Whether brackets of JSON, those within texts aside, are nested deeper than this. */
function isDeeper(text: string, most: number): boolean {
  // each level has two
  if (text.length <= 2 * most) return false;
  let depth = 0;
  let isText = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) isText = !isText;
    else if (isText) at += Number(code === 0x5c);
    else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > most) return true;
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return false;
}

function invalid(error: unknown, length: number): JsonBody {
  const message = error instanceof Error ? error.message : '';
  const position = /at position (\d+)/.exec(message)?.[1];
  // the engine's message may quote the body; only its own words and the place are passed on
  if (position !== undefined)
    return { kind: 'invalid', reason: 'unexpected token', position: Number(position) };
  return { kind: 'invalid', reason: 'unexpected end of the body', position: length };
}
