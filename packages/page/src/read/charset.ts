import type { Findings } from './findings.ts';
import { decodeUndeclared } from './undeclared-charset.ts';

/** Leading bytes searched for a declared encoding. HTML requires it within 1,024 bytes, but browsers accept later ones too. */
const PRESCAN_BYTES = 8_192;

/** Single-byte encodings, by their names in the Encoding Standard (sections 9 and 14.5). */
const SINGLE_BYTE =
  /^(?:windows-(?:125\d|874)|iso-8859-\d+(?:-i)?|koi8-[ru]|ibm866|macintosh|x-mac-cyrillic)$/;

/**
 * Decodes a page by the WHATWG rules: the byte order mark, then the charset of the response, then the page's `<meta>`
 * declaration; without any, UTF-8 if the bytes are (nearly) valid UTF-8, else the usual encoding of the page's language. Unlike browsers, it
 * ignores a declaration that the bytes contradict: valid UTF-8 declared as a single-byte encoding, or UTF-16 that is not declared as such.
 */
export function decodePage(bytes: Uint8Array, contentType: string | undefined, findings: Findings): string {
  const mark = byteOrderMark(bytes);
  if (mark !== undefined) return new TextDecoder(mark).decode(bytes);
  const declared = [charsetOfContentType(contentType), prescan(bytes)];
  const wide = declared.some((label) => /^utf-?16/i.test(label ?? '')) ? undefined : utf16Of(bytes);
  if (wide !== undefined) {
    findings.add('utf16_undeclared');
    return new TextDecoder(wide).decode(bytes);
  }
  if (isCompressed(bytes)) {
    findings.add('not_text');
    return '';
  }
  for (const label of declared) {
    if (label === undefined) continue;
    const decoder = decoderOf(label);
    if (decoder !== undefined) return decodeAs(decoder, bytes, findings);
    findings.add('charset_unknown', label.slice(0, 40));
  }
  const utf8 = asUtf8(bytes);
  if (utf8 !== undefined) return utf8;
  const { text, encoding } = decodeUndeclared(bytes);
  findings.add('charset_undeclared', encoding);
  return text;
}

function decodeAs(decoder: TextDecoder, bytes: Uint8Array, findings: Findings): string {
  const text = decoder.decode(bytes);
  if (!SINGLE_BYTE.test(decoder.encoding)) return text;
  const utf8 = asUtf8(bytes);
  // equal length means ASCII, which both encodings share; text in another encoding is hardly ever valid UTF-8 by chance
  if (utf8 === undefined || utf8.length === text.length) return text;
  findings.add('charset_contradicted', decoder.encoding);
  return utf8;
}

/** The text, if the bytes are valid UTF-8; the last character may be truncated. */
function asUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}

/** Number of leading bytes checked for compressed data or UTF-16, and the minimum needed to recognise compression. */
const SAMPLE = 512;
const LEAST_SAMPLE = 64;
/** Bytes with a larger share of control characters are not text; compressed data has about 0.09. */
const MOST_CONTROLS = 0.05;

/** Recognises gzip and Zstandard by their magic numbers, other compressed data by its share of control characters. */
function isCompressed(bytes: Uint8Array): boolean {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return true;
  if (bytes[0] === 0x28 && bytes[1] === 0xb5 && bytes[2] === 0x2f && bytes[3] === 0xfd) return true;
  const sample = bytes.subarray(0, SAMPLE);
  return sample.length >= LEAST_SAMPLE && sample.filter(isControl).length > sample.length * MOST_CONTROLS;
}

/** Excludes white space, the escape and shift codes of ISO-2022, and NUL, which indicates UTF-16. */
function isControl(byte: number): boolean {
  return byte < 0x20 && byte !== 0 && !(byte >= 0x09 && byte <= 0x0f) && byte !== 0x1b;
}

/** Detects UTF-16 without a byte order mark or declaration: in markup, about half of its bytes are zero. */
function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const sample = bytes.subarray(0, SAMPLE);
  const zeros = [0, 0];
  for (const [index, byte] of sample.entries())
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const most = sample.length * 0.4;
  if (odd > most && even === 0) return 'utf-16le';
  return even > most && odd === 0 ? 'utf-16be' : undefined;
}

function byteOrderMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return undefined;
}

function decoderOf(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}

function charsetOfContentType(contentType: string | undefined): string | undefined {
  const match = /;\s*charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^;\s]+))/i.exec(contentType ?? '');
  return (match?.[1] ?? match?.[2] ?? match?.[3])?.trim() || undefined;
}

/** "Prescan a byte stream to determine its encoding" (HTML Living Standard 13.2.3.2). */
function prescan(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder('latin1')
    .decode(bytes.subarray(0, PRESCAN_BYTES))
    .replace(/<!--[\s\S]*?-->/g, '');
  for (const [tag] of head.matchAll(/<meta[\s/][^>]*>/gi)) {
    const label = charsetOfMeta(tag);
    if (label === undefined) continue;
    const name = label.toLowerCase();
    // the declaration was readable as ASCII, so the page cannot be UTF-16
    if (name.startsWith('utf-16')) return 'utf-8';
    return name === 'x-user-defined' ? 'windows-1252' : label;
  }
  return undefined;
}

function charsetOfMeta(tag: string): string | undefined {
  const attribute = (name: string): string | undefined => {
    const match = new RegExp(`[\\s/'"]${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>"']+))`, 'i').exec(tag);
    return (match?.[1] ?? match?.[2] ?? match?.[3])?.trim();
  };
  const direct = attribute('charset');
  if (direct !== undefined && direct !== '') return direct;
  if (attribute('http-equiv')?.toLowerCase() !== 'content-type') return undefined;
  return /charset\s*=\s*["']?\s*([^\s;"']+)/i.exec(attribute('content') ?? '')?.[1];
}
