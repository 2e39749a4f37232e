import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readFacts } from '@touchstone/facts';
import { readPage } from '@touchstone/page/read';
import { type PageCase, readJson, type Truth } from './corpus.ts';
import { ATTRIBUTES } from './score.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Rendered pages of shop software, with ground truth from its database: `ground-truth.json` (in the format of the shared pages, `family` is
 * the theme) and `html/<id>.html`. `bench/pages/facts/woocommerce/render.ts` creates such a folder.
 */
export function readRendered(env: Environment): PageCase[] {
  const folder = env.TOUCHSTONE_WOOCOMMERCE;
  const truths = folder === undefined ? '' : join(folder, 'ground-truth.json');
  if (folder === undefined || !existsSync(truths)) return [];
  return Object.entries(readJson<Record<string, Truth & { family: string }>>(truths)).map(([id, truth]) => ({
    id,
    url: truth.url,
    family: truth.family,
    truth,
    html: () => readFileSync(join(folder, 'html', `${id}.html`)),
  }));
}

/**
 * Pages with markup, in a folder per site, `<name>.html` with the page's address in `<name>.url`: they are read again without their markup,
 * which is the ground truth. Values missing in the markup are unknown, so nothing counts as invented.
 */
export function readMarked(env: Environment): PageCase[] {
  const folder = env.TOUCHSTONE_MARKED_PAGES;
  if (folder === undefined || !existsSync(folder)) return [];
  return readdirSync(folder)
    .toSorted()
    .flatMap((site) =>
      readdirSync(join(folder, site))
        .filter((name) => name.endsWith('.html'))
        .toSorted()
        .flatMap((name) => markedCase(folder, site, name) ?? []),
    );
}

function markedCase(folder: string, site: string, name: string): PageCase | undefined {
  const path = join(folder, site, name);
  const url = readFileSync(path.replace(/\.html$/, '.url'), 'utf8').trim();
  const truth = statedByMarkup(readFileSync(path), url);
  if (Object.keys(truth).length === 1) return undefined;
  const html = (): Uint8Array => readFileSync(path);
  return { id: `${site}/${name}`, url, family: site, truth, html };
}

function statedByMarkup(html: Uint8Array, url: string): Truth {
  const { facts } = readPage(html, { url }, readFacts);
  const stated = ATTRIBUTES.flatMap((name) => {
    const fact = facts[name];
    const marked = fact !== null && (fact.source !== 'html' || fact.field.startsWith('microdata:'));
    return marked ? [[name, [fact.value]]] : [];
  });
  return { url, ...Object.fromEntries(stated) };
}

/** The page without JSON-LD, microdata and product meta elements: its text and embedded data of scripts. */
export function withoutMarkup(page: PageCase): PageCase {
  const html = (): Uint8Array => {
    const bare = new TextDecoder()
      .decode(page.html())
      .replace(/application\/ld\+json/gi, 'text/x-none')
      .replace(/\bitem(?=prop|scope|type|ref)/gi, 'x')
      .replace(/<meta[^>]+(?:og:price|product:|og:brand|twitter:(?:data|label))[^>]*>/gi, '');
    return new TextEncoder().encode(bare);
  };
  return { ...page, html };
}
