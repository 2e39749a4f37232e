import type { El, HtmlDocument } from './dom/document.ts';
import type { PageIndex } from './dom/page-index.ts';

/** Addresses by which a page names itself and resolves others. */
export interface PageLinks {
  /** Address that the page was read from. */
  readonly url: string;
  /** What relative addresses are resolved against: `<base href>` or the page's address. */
  readonly base: string;
  /** The page's own canonical link, absolute. */
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

/** Absolute http or https address, or undefined. */
export function absolute(href: string, base: string | undefined): string | undefined {
  const text = href.trim();
  return text === '' || text.length > 4_000 ? undefined : webAddress(text, base);
}

/** A reference resolved against a base, where that is an address of http or https. */
export function webAddress(text: string, base: string | undefined): string | undefined {
  const url = URL.parse(text, base);
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.href : undefined;
}

/** What two addresses of one page share: no scheme, `www.`, query, fragment or closing slash. */
export function pageKey(href: string): string | undefined {
  let url: URL;
  try {
    url = new URL(href);
  } catch {
    return undefined;
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  return `${url.hostname.replace(/^www\./, '')}${withoutClosingSlashes(url.pathname).toLowerCase()}`;
}

/** By hand: a pattern for them looks at each run of slashes, wherever it stands, once per slash in it. */
export function withoutClosingSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end--;
  return path.slice(0, end);
}
