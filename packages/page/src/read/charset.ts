import type { Findings } from './findings.ts';

/** Bytes in which a page must declare its encoding; browsers honour a late declaration too, so twice that. */
const PRESCAN_BYTES = 8_192;

/**
 * Decodes a page by the WHATWG rules: byte order mark, then the response's charset, then the page's own
 * `<meta>` declaration; with none of them UTF-8 where the bytes are sound UTF-8, else windows-1252.
 */
export function decodePage(bytes: Uint8Array, contentType: string | undefined, findings: Findings): string {
  const mark = byteOrderMark(bytes);
  if (mark !== undefined) return new TextDecoder(mark).decode(bytes);
  const declared = [charsetOfContentType(contentType), prescan(bytes)];
  for (const label of declared) {
    if (label === undefined) continue;
    const decoder = decoderOf(label);
    if (decoder !== undefined) return decoder.decode(bytes);
    findings.add('charset_unknown', label.slice(0, 40));
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
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
