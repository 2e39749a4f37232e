import { looksLikeJson } from '../detect.ts';
import { JsonSplitter } from '../json-splitter.ts';
import { LimitExceeded } from '../limits.ts';
import { BrokenGzipError, NotUtf8Error, textPieces } from '../source.ts';
import type { LiveCursor, SourceKind } from './cursor.ts';
import { type Paged, pageAddress } from './read-paged.ts';
import { listPages } from './sitemap.ts';
import { discard, type LiveAnswer, type PoliteWeb, SourceError } from './web.ts';

/** Characters at the beginning of an answer by which its kind is detected. */
const SNIFFED = 2_048;
/** The beginning of a sitemap. A comment ends at the first `-->`, which avoids exponential backtracking. */
const SITEMAP = /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->).)*-->\s*)*<(?:urlset|sitemapindex)\b/s;

/**
 * Detects the kind of a source: by the content at the address itself, then by the APIs of platforms below it.
 *
 * @param keyed - sends the key of WooCommerce's REST API, to this origin only; absent without one
 * @param kind - the only kind to look for
 */
export async function findSource(
  url: string,
  web: PoliteWeb,
  keyed: { readonly origin: string; readonly web: PoliteWeb } | undefined,
  kind: SourceKind | undefined,
): Promise<LiveCursor> {
  if (kind === 'document') return { kind, url, position: 0 };
  const answer = await web.get(url);
  const { finalUrl } = answer;
  const begin = answer.status === 200 ? await beginningOf(answer) : '';
  if (answer.status !== 200) await discard(answer);
  if (kind === undefined && SITEMAP.test(begin)) return { kind: 'sitemap', url: finalUrl, position: 0 };
  if (kind === undefined && begin !== '' && !/<(?:!doctype html|html|head|body)\b/i.test(begin))
    return { kind: 'document', url: finalUrl, position: 0 };
  const home = frontPage(finalUrl);
  const candidates: readonly (readonly [Paged, PoliteWeb])[] = [
    ...(keyed === undefined ? [] : [['woocommerce-rest', keyed.web] as const]),
    ['shopify', web],
    ['woocommerce', web],
  ];
  for (const [candidate, candidateWeb] of candidates) {
    if (kind !== undefined && kind !== candidate) continue;
    // not read without the key instead: hidden products would seem to be gone
    if (candidate === 'woocommerce-rest' && keyed !== undefined && new URL(home).origin !== keyed.origin)
      throw new SourceError('source_key_withheld', `${keyed.origin} leads to ${new URL(home).origin}.`);
    const firstPage = await candidateWeb.get(pageAddress(candidate, home, 1));
    if (await isCatalogue(firstPage)) return { kind: candidate, url: home, position: 0 };
  }
  if (kind === undefined || kind === 'sitemap') {
    const { pages } = await listPages(web, new URL(home));
    if (pages.length > 0) return { kind: 'sitemap', url: home, position: 0 };
  }
  if (answer.status === 401 || answer.status === 403)
    throw new SourceError('source_refused', `It answered ${answer.status}.`);
  const detail = answer.status === 200 ? '' : `The address answered ${answer.status}. `;
  throw new SourceError(
    'source_unknown',
    `${detail}Neither Shopify, WooCommerce nor a sitemap answers below ${home}; a feed or an export can be read by its own address or as a file.`,
  );
}

/** The address without a file name: the base of a platform's API, including a locale. */
function frontPage(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname.replace(/\/[^/]*\.[^/]*$/, '').replace(/\/+$/, '');
}

async function beginningOf(answer: LiveAnswer): Promise<string> {
  let text = '';
  try {
    for await (const piece of textPieces(answer.body)) {
      text += piece;
      if (text.length >= SNIFFED) break;
    }
  } catch {
    // not text: reading it as a document reports that
    if (text === '') return '?';
  }
  return text.slice(0, SNIFFED);
}

/**
 * Whether an answer is a list, by its first entry. Not parsed as a whole: nested brackets take a hundred times their size, outside
 * of the memory that a thread is limited to.
 */
async function isCatalogue(answer: LiveAnswer): Promise<boolean> {
  if (answer.status !== 200) {
    await discard(answer);
    return false;
  }
  const splitter = new JsonSplitter();
  let isBegun = false;
  try {
    for await (const piece of textPieces(answer.body)) {
      if (!isBegun && piece.trim() !== '') {
        if (!looksLikeJson(piece.trimStart())) return false;
        isBegun = true;
      }
      for (const element of splitter.push(piece))
        return splitter.hasList && ('over' in element || isJson(element.text));
    }
  } catch (error) {
    if (error instanceof NotUtf8Error || error instanceof BrokenGzipError || error instanceof LimitExceeded)
      return false;
    throw error;
  }
  return splitter.hasList && splitter.end().end.kind === 'complete';
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
