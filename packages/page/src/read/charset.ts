import type { Findings } from './findings.ts';

/** Bytes in which a page must declare its encoding; browsers honour a late declaration too, so twice that. */
const PRESCAN_BYTES = 8_192;

/** Encodings of a byte for each character, by their names in the Encoding Standard (9 and 14.5). */
const SINGLE_BYTE =
  /^(?:windows-(?:125\d|874)|iso-8859-\d+(?:-i)?|koi8-[ru]|ibm866|macintosh|x-mac-cyrillic)$/;

/**
 * Decodes a page by the WHATWG rules: byte order mark, then the response's charset, then the page's own
 * `<meta>` declaration; with none of them UTF-8 where the bytes are sound UTF-8, else windows-1252. Unlike browsers it does not
 * believe a declaration that the bytes contradict: UTF-8 under the name of a single-byte encoding, UTF-16 under no name.
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
  return asUtf8(bytes) ?? new TextDecoder('windows-1252').decode(bytes);
}

function decodeAs(decoder: TextDecoder, bytes: Uint8Array, findings: Findings): string {
  const text = decoder.decode(bytes);
  if (!SINGLE_BYTE.test(decoder.encoding)) return text;
  const utf8 = asUtf8(bytes);
  // the same length: ASCII, which is the same in both. Text that is meant otherwise is hardly ever sound UTF-8 by chance
  if (utf8 === undefined || utf8.length === text.length) return text;
  findings.add('charset_contradicted', decoder.encoding);
  return utf8;
}

/** Sound UTF-8; its last character may be cut off. */
function asUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}

/** Leading bytes by which compressed data is recognised, and the fewest that suffice. */
const SAMPLE = 512;
const LEAST_SAMPLE = 64;
/** Share of control characters from which on bytes are no text: compressed ones have 0.09. */
const MOST_CONTROLS = 0.05;

/** gzip and Zstandard by their first bytes; other compressed data by control characters, which no text has. */
function isCompressed(bytes: Uint8Array): boolean {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return true;
  if (bytes[0] === 0x28 && bytes[1] === 0xb5 && bytes[2] === 0x2f && bytes[3] === 0xfd) return true;
  const sample = bytes.subarray(0, SAMPLE);
  return sample.length >= LEAST_SAMPLE && sample.filter(isControl).length > sample.length * MOST_CONTROLS;
}

/** Without white space, and without what switches tables in ISO-2022; NUL is what UTF-16 is recognised by. */
function isControl(byte: number): boolean {
  return byte < 0x20 && byte !== 0 && !(byte >= 0x09 && byte <= 0x0f) && byte !== 0x1b;
}

/** UTF-16 without mark or declaration: markup, half of which is zeros. */
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
    // a page that could be read as ASCII so far is not UTF-16, whatever it says
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
