/** The page in a file that a browser saved with all its resources. */
export interface SavedPage {
  readonly html: Uint8Array;
  /** Content-Type of the part, with its charset. */
  readonly contentType: string;
  /** The address in the file from which it was saved; untrusted. */
  readonly savedFrom?: string;
}

/** Whether a text is MHTML (RFC 2557): a page with its resources in one file, as browsers save it. */
export function isMhtml(text: string): boolean {
  return /^content-type:\s*multipart\/related\b/im.test(headOf(text));
}

/**
 * The first HTML part of such a file.
 *
 * @returns `null` if there is none
 */
export function readMhtml(text: string): SavedPage | null {
  const head = headOf(text);
  const boundary = /boundary="?([^"\r\n;]{1,200})"?/i.exec(head)?.[1];
  if (boundary === undefined) return null;
  for (const part of text.split(`--${boundary}`).slice(1)) {
    const end = /\r?\n\r?\n/.exec(part);
    if (end === null) continue;
    const partHead = part.slice(0, end.index);
    const contentType = /^content-type:\s*(text\/html[^\r\n]*)/im.exec(partHead)?.[1];
    if (contentType === undefined) continue;
    const encoding = /^content-transfer-encoding:\s*(\S+)/im.exec(partHead)?.[1]?.toLowerCase();
    const html = decoded(part.slice(end.index + end[0].length), encoding);
    const savedFrom = /^(?:snapshot-content-location|content-location):\s*(https?:\/\/\S{1,2000})/im.exec(
      `${head}\n${partHead}`,
    )?.[1];
    return {
      html,
      contentType: /charset/i.test(contentType) ? contentType : `${contentType}; charset=utf-8`,
      ...(savedFrom !== undefined && URL.canParse(savedFrom) ? { savedFrom } : {}),
    };
  }
  return null;
}

/** The header fields, with continuation lines joined. */
function headOf(text: string): string {
  const [head = ''] = text.slice(0, 10_000).split(/\r?\n\r?\n/, 1);
  return head.replace(/\r?\n[ \t]+/g, ' ');
}

/** Decodes RFC 2045, section 6. Malformed parts stay unchanged. */
function decoded(body: string, encoding: string | undefined): Uint8Array {
  if (encoding === 'base64') {
    try {
      return Uint8Array.from(atob(body.replace(/\s+/g, '')), (character) => character.charCodeAt(0));
    } catch {
      return new TextEncoder().encode(body);
    }
  }
  const bytes = new TextEncoder().encode(encoding === 'quoted-printable' ? softBreaksJoined(body) : body);
  return encoding === 'quoted-printable' ? unquoted(bytes) : bytes;
}

function softBreaksJoined(body: string): string {
  return body.replace(/=[ \t]*\r?\n/g, '');
}

function unquoted(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(bytes.length);
  let length = 0;
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i] ?? 0;
    const pair = byte === 0x3d ? hexPair(bytes[i + 1], bytes[i + 2]) : -1;
    out[length++] = pair < 0 ? byte : pair;
    if (pair >= 0) i += 2;
  }
  return out.subarray(0, length);
}

function hexPair(high: number | undefined, low: number | undefined): number {
  if (high === undefined || low === undefined) return -1;
  const text = String.fromCharCode(high, low);
  return /^[\da-f]{2}$/i.test(text) ? Number.parseInt(text, 16) : -1;
}
