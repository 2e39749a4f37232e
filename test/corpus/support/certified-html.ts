/** Constructs that may contain the text `</head>` without ending the head: comments, and elements with text content. */
const HEAD_END = /<!--[\s\S]*?-->|<(script|style|noscript|title)\b[\s\S]*?<\/\1\s*>|(<\/head\s*>)/gi;

/**
 * The page with a certificate at the end of its head, where a shop's theme puts it. Every byte of the page is unchanged, and the block is
 * ASCII, which is the same in every charset of a page.
 */
export function withCertificate(html: Uint8Array, certificate: unknown): Uint8Array {
  const at = endOfHead(html);
  const json = JSON.stringify(certificate).replace(
    /[<\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const block = Buffer.from(`<script type="application/ld+json">${json}</script>\n`, 'ascii');
  return Buffer.concat([html.subarray(0, at), block, html.subarray(at)]);
}

function endOfHead(html: Uint8Array): number {
  // one character per byte, so that indices in the text are offsets in the bytes
  const text = Buffer.from(html).toString('latin1');
  for (const match of text.matchAll(HEAD_END)) if (match[2] !== undefined) return match.index;
  throw new Error('the page has no </head>');
}

/** The page's title. */
export function titleOf(html: Uint8Array): string {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(html);
  const title = /<title\b[^>]*>([^<]*)<\/title/i.exec(text)?.[1] ?? '';
  return decoded(title).replace(/\s+/g, ' ').trim();
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00a0' };

function decoded(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|([a-z]+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED[String(name).toLowerCase()] ?? whole;
    return String.fromCodePoint(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal));
  });
}
