import { LimitExceeded } from '../limits.ts';
import { textPieces } from '../source.ts';
import { XmlReader } from '../xml-reader.ts';
import { bytesOf, discard, type PoliteWeb } from './web.ts';

/** Pages of one shop; larger ones must be read by a feed or the platform's API. */
const MAX_PAGES = 200_000;
const MAX_SITEMAPS = 1_000;
/** Nesting of sitemap indexes (sitemaps.org allows one level; some shops nest more). */
const MAX_DEPTH = 3;
/** Characters of one sitemap, decompressed: four times the 50 MB that sitemaps.org allows. */
const MAX_CHARACTERS = 200_000_000;
const ROBOTS_BYTES = 500_000;
/** Seconds of a `Crawl-delay` that are respected at most. */
const MAX_DELAY = 10;

const PRODUCT_SITEMAP = /product(?![_-]?(?:cat|tag|categor|brand|collection))/i;
const PRODUCT_PATH = /\/(?:products?|p|items?|dp|produkte?|produits?|prodott[io]|productos?|artikel)\//i;

export interface PageList {
  readonly pages: readonly string[];
  /** Whether the names of the sitemaps state that these are products. */
  readonly areProducts: boolean;
  /** Some pages were left out because of a limit. */
  readonly isCut: boolean;
}

/** The product pages in a shop's sitemaps (sitemaps.org), which its robots.txt names or which have a usual address. */
export async function listPages(web: PoliteWeb, home: URL, known?: string): Promise<PageList> {
  const found = new Map<string, string>();
  const starts = known === undefined ? await sitemapsOf(web, home) : [known];
  const done = new Set<string>();
  let isCut = false;
  const read = async (address: string, depth: number): Promise<boolean> => {
    if (done.has(address)) return true;
    if (done.size >= MAX_SITEMAPS || depth > MAX_DEPTH) {
      isCut = true;
      return true;
    }
    done.add(address);
    const sitemap = await readSitemap(web, address);
    if (sitemap === null) return false;
    if (sitemap.isCut) isCut = true;
    for (const page of sitemap.pages) {
      const url = URL.parse(page, address);
      if (url?.host !== home.host) continue;
      if (found.size >= MAX_PAGES) isCut = true;
      else found.set(url.href, found.get(url.href) ?? address);
    }
    const named = sitemap.sitemaps.filter((inner) => PRODUCT_SITEMAP.test(inner));
    for (const inner of named.length > 0 ? named : sitemap.sitemaps) {
      const url = URL.parse(inner, address);
      if (url !== null) await read(url.href, depth + 1);
    }
    return true;
  };
  for (const start of starts) {
    const isThere = await read(start, 0);
    // of the usual addresses only the first that exists is read
    if (isThere && found.size > 0 && known === undefined && starts.length === GUESSES.length) break;
  }
  return { ...productPages(found), isCut };
}

function productPages(found: ReadonlyMap<string, string>): Omit<PageList, 'isCut'> {
  const all = [...found.entries()].filter(([page]) => new URL(page).pathname !== '/');
  const listed = all.filter(([, sitemap]) => PRODUCT_SITEMAP.test(new URL(sitemap).pathname));
  const pagesOf = (entries: typeof all) => entries.map(([page]) => page);
  if (listed.length > 0) return { pages: pagesOf(listed), areProducts: true };
  const likely = all.filter(([page]) => PRODUCT_PATH.test(new URL(page).pathname));
  return { pages: pagesOf(likely.length > 0 ? likely : all), areProducts: false };
}

const GUESSES = ['/sitemap.xml', '/sitemap_index.xml', '/wp-sitemap.xml', '/sitemap.xml.gz'];

async function sitemapsOf(web: PoliteWeb, home: URL): Promise<string[]> {
  const answer = await web.get(new URL('/robots.txt', home).href);
  const bytes = answer.status === 200 ? await bytesOf(answer, ROBOTS_BYTES) : null;
  if (answer.status !== 200) await discard(answer);
  const robots = bytes === null ? '' : new TextDecoder().decode(bytes);
  const delay = /^[\t ]*crawl-delay[\t ]*:[\t ]*(\d{1,3})/im.exec(robots)?.[1];
  if (delay !== undefined) web.interval = Math.max(web.interval, Math.min(Number(delay), MAX_DELAY) * 1000);
  const named = [...robots.matchAll(/^[\t ]*sitemap[\t ]*:[\t ]*(\S+)/gim)].flatMap(([, address]) => {
    const url = URL.parse(address ?? '', home);
    return url === null ? [] : [url.href];
  });
  return named.length > 0 ? named : GUESSES.map((path) => new URL(path, home).href);
}

interface Sitemap {
  readonly pages: string[];
  readonly sitemaps: string[];
  /** Its end was not read because of a limit. */
  isCut: boolean;
}

async function readSitemap(web: PoliteWeb, address: string): Promise<Sitemap | null> {
  const answer = await web.get(address);
  if (answer.status !== 200) {
    await discard(answer);
    return null;
  }
  return parseSitemap(textPieces(answer.body));
}

/** @returns `null`: it is not a sitemap */
export async function parseSitemap(pieces: AsyncIterable<string>): Promise<Sitemap | null> {
  const sitemap: Sitemap = { pages: [], sitemaps: [], isCut: false };
  let characters = 0;
  let root: string | undefined;
  let inside: 'url' | 'sitemap' | undefined;
  let text: string | undefined;
  const reader = new XmlReader({
    onOpen: (name) => {
      root ??= name.toLowerCase();
      if (name === 'url' || name === 'sitemap') inside = name;
      else if (name === 'loc' && inside !== undefined) text = '';
    },
    onText: (more) => {
      if (text !== undefined && text.length < 4_096) text += more;
    },
    onClose: (name) => {
      if (name === 'loc' && text !== undefined) {
        (inside === 'url' ? sitemap.pages : sitemap.sitemaps).push(text.trim());
        text = undefined;
      } else if (name === inside) inside = undefined;
    },
  });
  try {
    for await (const piece of pieces) {
      // counted after decompression, which may expand the bytes a thousandfold
      characters += piece.length;
      sitemap.isCut =
        characters > MAX_CHARACTERS ||
        sitemap.pages.length > MAX_PAGES ||
        sitemap.sitemaps.length > MAX_SITEMAPS;
      if (sitemap.isCut) break;
      reader.write(piece);
    }
    reader.end();
  } catch (error) {
    if (!(error instanceof LimitExceeded)) throw error;
    sitemap.isCut = true;
  }
  return root === 'urlset' || root === 'sitemapindex' ? sitemap : null;
}
