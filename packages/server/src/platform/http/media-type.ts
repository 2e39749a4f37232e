import { MIMEType } from 'node:util';

/**
 * The `type/subtype` of a Content-Type, in lower case; `null` if it is not a media type or has another charset than UTF-8,
 * which is required for JSON (RFC 8259 section 8.1).
 */
export function utf8MediaType(header: string): string | null {
  if (header === 'application/json') return header;
  // the WHATWG parser would complete a quoted value without its end
  if (header.replace(/\\./g, '').split('"').length % 2 === 0) return null;
  try {
    const { essence, params } = new MIMEType(header);
    return /^utf-?8$/i.test(params.get('charset') ?? 'utf-8') ? essence : null;
  } catch {
    return null;
  }
}
