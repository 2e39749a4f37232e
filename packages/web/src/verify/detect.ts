import { PROOF_TYP, type ProofKind } from '@touchstone/certificate';
import { type ImageMediaType, readHeader } from '@touchstone/image';
import { isMhtml, readMhtml } from './mhtml.ts';

/** The kind of a pasted or dropped input, judged by its syntax; nothing in it is trusted yet. */
export type Found =
  | { readonly kind: 'document'; readonly document: unknown; readonly certificate: ProofKind }
  | { readonly kind: 'proof'; readonly jwt: string; readonly certificate: ProofKind }
  | FoundPage
  | { readonly kind: 'image'; readonly bytes: Uint8Array; readonly mediaType: ImageMediaType }
  | { readonly kind: 'keys'; readonly jwks: unknown }
  | { readonly kind: 'address'; readonly url: string }
  | { readonly kind: 'nothing'; readonly why: NothingFound };

/** A page, as text or as the bytes of a file. */
interface FoundPage {
  readonly kind: 'page';
  readonly html: string | Uint8Array;
  readonly contentType?: string;
  /** The address in the file from which it was saved; untrusted. */
  readonly savedFrom?: string | undefined;
}

/** Why there is nothing to verify. */
export type NothingFound = 'empty' | 'json_broken' | 'data_url_broken' | 'too_large' | 'unknown';

/** Maximum bytes of a file, the limit of images (`MAX_BYTES` of `@touchstone/image`). */
export const MAX_FILE = 20_000_000;
/** Maximum characters of a text, the same as the page reader's. */
const MAX_TEXT = 8_000_000;

/**
 * Detects the kind of a text: a document, a compact proof, a page, a data URL, keys or an address.
 *
 * @param isUnpacked - whether it was taken out of a data URL or a JSON string, which contain no further one
 */
export function detectText(text: string, isUnpacked = false): Found {
  if (text.length > MAX_TEXT * 4) return { kind: 'nothing', why: 'too_large' };
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  if (trimmed === '') return { kind: 'nothing', why: 'empty' };
  if (/^data:/i.test(trimmed)) {
    return isUnpacked ? { kind: 'nothing', why: 'data_url_broken' } : detectDataUrl(trimmed);
  }
  if (trimmed.length > MAX_TEXT) return { kind: 'nothing', why: 'too_large' };
  if (isCompact(trimmed)) return { kind: 'proof', jwt: trimmed, certificate: kindOfProof(trimmed) };
  if (/^["[{]/.test(trimmed)) return detectJson(trimmed, isUnpacked);
  if (isMhtml(trimmed)) return pageOfMhtml(trimmed);
  if (/^https?:\/\/\S+$/i.test(trimmed) && URL.canParse(trimmed)) return { kind: 'address', url: trimmed };
  if (trimmed.startsWith('<') || /<(?:script|html|head|body|!doctype)\b/i.test(trimmed))
    return pageOf(trimmed);
  return { kind: 'nothing', why: 'unknown' };
}

/** Detects the kind of a file by its bytes; its name is ignored. */
export function detectFile(bytes: Uint8Array, isUnpacked = false): Found {
  if (bytes.length > MAX_FILE) return { kind: 'nothing', why: 'too_large' };
  const header = readHeader(bytes);
  if (header !== null) return { kind: 'image', bytes, mediaType: header.mediaType };
  const found = detectText(decoded(bytes), isUnpacked);
  // as bytes, so that the page's own declaration of its encoding applies
  return found.kind === 'page' && found.contentType === undefined && !isSvg(bytes)
    ? { ...found, html: bytes }
    : found;
}

/** Decodes enough to detect the kind; the page reader applies the rules for pages. */
function decoded(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return new TextDecoder().decode(bytes);
}

function isSvg(bytes: Uint8Array): boolean {
  return /^\s*(?:<\?xml[^>]*>\s*)?<svg\b/i.test(decoded(bytes.subarray(0, 1000)));
}

/** Whether it looks like a compact JWS (RFC 7515, 3.1), valid or not: verification reports what is wrong. */
function isCompact(text: string): boolean {
  return /^[\w-]{4,}={0,2}\.[\w-]*={0,2}\.[\w-]*={0,2}$/.test(text) && headerOf(text) !== undefined;
}

/** The kind by its header; with an unknown `typ`, a product's proof. */
function kindOfProof(jwt: string): ProofKind {
  const typ = headerOf(jwt)?.typ;
  const kinds = Object.keys(PROOF_TYP) as ProofKind[];
  return kinds.find((kind) => PROOF_TYP[kind] === typ) ?? 'product';
}

function headerOf(jwt: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const [part = ''] = jwt.split('.');
    const header: unknown = JSON.parse(atob(part.replaceAll('-', '+').replaceAll('_', '/')));
    return isObject(header) ? header : undefined;
  } catch {
    return undefined;
  }
}

function detectJson(text: string, isUnpacked: boolean): Found {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // a page's text may begin with a bracket, and a document may be truncated
    return /<\/?(?:script|html|body)\b/i.test(text) ? pageOf(text) : { kind: 'nothing', why: 'json_broken' };
  }
  // a document or proof copied out of JSON, with its quotes
  if (typeof value === 'string') {
    return isUnpacked ? { kind: 'nothing', why: 'json_broken' } : detectText(value, true);
  }
  if (isObject(value) && Array.isArray(value.keys) && value.proof === undefined)
    return { kind: 'keys', jwks: value };
  // the contents of a page's JSON-LD block, with a certificate among others
  if (Array.isArray(value) || (isObject(value) && '@graph' in value)) return pageOf(scriptOf(text));
  return { kind: 'document', document: value, certificate: kindOfDocument(value) };
}

function scriptOf(json: string): string {
  return `<script type="application/ld+json">${json.replaceAll('<', '\\u003c')}</script>`;
}

function kindOfDocument(document: unknown): ProofKind {
  if (!isObject(document)) return 'product';
  const types = [document['@type']].flat();
  if (types.includes('ImageObject')) return 'asset';
  if (types.includes('MediaObject') || types.includes('DigitalDocument')) return 'image';
  return 'product';
}

function detectDataUrl(text: string): Found {
  const comma = text.indexOf(',');
  const head = text.slice(5, comma);
  const body = text.slice(comma + 1);
  try {
    if (comma < 0) throw new Error('a data URL has a comma');
    const plain = decodeURIComponent(body);
    const bytes = /;\s*base64\s*$/i.test(head) ? bytesOf(plain) : new TextEncoder().encode(plain);
    return detectFile(bytes, true);
  } catch {
    return { kind: 'nothing', why: 'data_url_broken' };
  }
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

function pageOf(html: string): FoundPage {
  const savedFrom = savedFromComment(html);
  return { kind: 'page', html, savedFrom };
}

function pageOfMhtml(text: string): Found {
  const page = readMhtml(text);
  return page === null ? { kind: 'nothing', why: 'unknown' } : { kind: 'page', ...page };
}

/** The comment that browsers write into saved pages: `<!-- saved from url=(0024)https://… -->`. */
function savedFromComment(html: string): string | undefined {
  const url = /<!--\s*saved from url=\(\d{4}\)(\S{1,2000})\s*-->/i.exec(html.slice(0, 10_000))?.[1];
  return url !== undefined && /^https?:\/\//i.test(url) && URL.canParse(url) ? url : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
