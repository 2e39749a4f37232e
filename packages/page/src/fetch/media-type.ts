/** Types that a product page comes in. */
const HTML_TYPES: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml']);

/** How many bytes decide what an unnamed answer is (WHATWG MIME Sniffing section 5). */
const SNIFFED_BYTES = 1_445;

const HTML_START =
  /^(?:<!DOCTYPE HTML|<(?:html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p)[\s>]|<!--)/i;

/** What a `Content-Type` says: an HTML page, something else, or nothing that can be relied on. */
export function kindOfContent(contentType: string | undefined): 'html' | 'other' | 'unnamed' {
  const essence = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (HTML_TYPES.has(essence)) return 'html';
  return essence.includes('/') ? 'other' : 'unnamed';
}

/** Whether bytes of no declared type begin as HTML does (WHATWG MIME Sniffing section 7.1). */
export function looksLikeHtml(body: Uint8Array): boolean {
  const start = new TextDecoder('latin1').decode(body.subarray(0, SNIFFED_BYTES));
  return HTML_START.test(start.replace(/^(?:\u00ef\u00bb\u00bf)?[\t\n\f\r ]+|^\u00ef\u00bb\u00bf/, ''));
}
