import type { El, HtmlDocument } from './dom/document.ts';
import type { PageIndex } from './dom/page-index.ts';

/** URLs that identify a page, and the base for its relative ones. */
export interface PageLinks {
  /** URL that the page was read from. */
  readonly url: string;
  /** Base for relative URLs: `<base href>`, else the page's URL. */
  readonly base: string;
  /** The page's canonical link, absolute. */
  readonly canonical: string | null;
}

export function readLinks(doc: HtmlDocument, index: PageIndex, pageUrl: string): PageLinks {
  const url = absolute(pageUrl, undefined) ?? 'about:blank';
  const href = index.base === null ? undefined : doc.attr(index.base, 'href');
  const base = (href === undefined ? undefined : absolute(href, url)) ?? url;
  const link = index.links.find((el) => relOf(doc, el).includes('canonical') && doc.hasAttr(el, 'href'));
  const canonical = link === undefined ? undefined : absolute(doc.attr(link, 'href') ?? '', base);
  return { url, base, canonical: canonical ?? null };
}

function relOf(doc: HtmlDocument, el: El): string[] {
  return (doc.attr(el, 'rel') ?? '').toLowerCase().split(/\s+/);
}

/** Resolves an http or https URL; undefined for other schemes, and above 4,000 characters. */
export function absolute(href: string, base: string | undefined): string | undefined {
  const text = href.trim();
  return text === '' || text.length > 4_000 ? undefined : webAddress(text, base);
}

/** Resolves a reference against a base; undefined unless the result is an http or https URL. */
export function webAddress(text: string, base: string | undefined): string | undefined {
  const url = URL.parse(text, base);
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.href : undefined;
}
