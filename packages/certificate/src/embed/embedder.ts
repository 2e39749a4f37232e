import { createHtmlScanner } from './html-scanner.ts';

/** Puts a certificate into a page that comes in pieces. Every byte that is not of a block of ours stays as it is. */
export interface HtmlEmbedder {
  /** @returns what may be sent on; the rest follows */
  write(bytes: Uint8Array): readonly Uint8Array[];
  /** @returns what is left */
  end(): readonly Uint8Array[];
  /** Whether the page holds the block now. */
  isPut(): boolean;
  /** Whether the page ended within a block of ours: all that followed its beginning is gone. */
  isCutOff(): boolean;
}

const NOTHING = new Uint8Array();

/**
 * Puts a block before the end of the head, or of the page where it has none, and takes out every other block of ours. What
 * is no HTML page comes out as it went in.
 *
 * @param script - as `certificateScript` makes it; `null`: blocks of ours are only taken out
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

/** A whole page with its certificate, or without. */
export interface EmbeddedPage {
  readonly html: Uint8Array;
  /** Whether the certificate that was given is in it: not in what is no page. */
  readonly isPut: boolean;
}

/**
 * The same for a page at hand.
 *
 * @returns `null` for a page that ends within a block of ours, which is left alone
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
