import { createHtmlScanner } from './html-scanner.ts';

/** Embeds a certificate in a page that arrives in chunks. All bytes outside script elements of ours are unchanged. */
export interface HtmlEmbedder {
  /** @returns bytes that can be sent on; others are still buffered */
  write(bytes: Uint8Array): readonly Uint8Array[];
  /** @returns the remaining bytes */
  end(): readonly Uint8Array[];
  /** Whether the page now contains the script. */
  isPut(): boolean;
  /** Whether the page ended inside a script element of ours: everything after its start tag was dropped. */
  isCutOff(): boolean;
}

const NOTHING = new Uint8Array();

/**
 * Inserts a script before the end of the head, or of the page if it has no head, and removes every other script element
 * of ours. Input that is not an HTML page is passed through unchanged.
 *
 * @param script - from `certificateScript`; `null` only removes existing ones
 * @example
 * ```ts
 * import { createHtmlEmbedder } from '@touchstone/certificate/embed';
 *
 * const embedder = createHtmlEmbedder('<script data-touchstone>{}</script>');
 * const page = new TextEncoder().encode('<html><head></head></html>');
 * const pieces = [...embedder.write(page), ...embedder.end()];
 * pieces.map((piece) => new TextDecoder().decode(piece)).join(''); // '<html><head><script data-touchstone>{}</script></head></html>'
 * ```
 */
export function createHtmlEmbedder(script: string | null): HtmlEmbedder {
  const scanner = createHtmlScanner();
  const block = script === null ? null : new TextEncoder().encode(script);
  let rest: Uint8Array = NOTHING;
  let isPut = false;
  let isDropping = false;

  const scan = (more: Uint8Array, isLast: boolean): readonly Uint8Array[] => {
    const bytes = joined(rest, more);
    const { marks, settled } = scanner.scan(bytes, isLast);
    const out: Uint8Array[] = [];
    let from = 0;
    const passTo = (to: number) => {
      if (!isDropping && to > from) out.push(bytes.subarray(from, to));
      from = to;
    };
    const put = () => {
      if (block !== null && !isPut) out.push(block);
      isPut = block !== null;
    };
    for (const { at, kind } of marks) {
      passTo(at);
      if (kind === 'end') isDropping = false;
      else if (!isDropping) put();
      if (kind === 'begin') isDropping = true;
    }
    passTo(settled);
    rest = bytes.subarray(settled);
    if (isLast && scanner.isPage() && scanner.isBetweenTags()) put();
    return out;
  };

  return {
    write: (bytes) => scan(bytes, false),
    end: () => scan(NOTHING, true),
    isPut: () => isPut,
    isCutOff: () => isDropping,
  };
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second;
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}

/** A whole page with the certificate inserted or removed. */
export interface EmbeddedPage {
  readonly html: Uint8Array;
  /** Whether the certificate was inserted; false if the input is not a page. */
  readonly isPut: boolean;
}

/**
 * The same for a complete page.
 *
 * @returns `null` if the page ends inside a script element of ours: it must be left unchanged
 * @example
 * ```ts
 * import { embedCertificate } from '@touchstone/certificate/embed';
 *
 * const page = new TextEncoder().encode('<!doctype html><p>Cup<script data-touchstone>{}</script>');
 * new TextDecoder().decode(embedCertificate(page, null)?.html); // '<!doctype html><p>Cup'
 * ```
 */
export function embedCertificate(page: Uint8Array, script: string | null): EmbeddedPage | null {
  const embedder = createHtmlEmbedder(script);
  const html = [...embedder.write(page), ...embedder.end()].reduce(joined, NOTHING);
  return embedder.isCutOff() ? null : { html, isPut: embedder.isPut() };
}
