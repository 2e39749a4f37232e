import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readFacts } from '@touchstone/facts';
import { readPage } from '@touchstone/page/read';
import { type Stated, statedByJsonLd, statedByMicrodata, statedByRdfa } from './markup-stated.ts';

/** An attribute whose result differs from the markup. */
export interface Difference {
  readonly file: string;
  readonly attribute: keyof Stated;
  readonly stated: string | undefined;
  readonly read: string | undefined;
}

export interface MarkupFigures {
  readonly corpus: string;
  /** Number of documents, of those with a product, and of attributes in these. */
  readonly documents: number;
  readonly products: number;
  readonly attributes: number;
  readonly differences: readonly Difference[];
}

const URL_OF_EXAMPLES = 'https://site.example/p/1';

/** Collections of marked-up examples. */
export const MARKUP_CORPORA = [
  'product-markup',
  'rich-results',
  'schemaorg-examples',
  'extruct-samples',
  'microdata',
] as const;

/** Compares the reader's results for every example with those of a plain search of its markup. */
export function compareMarkup(corpora: string, corpus: string): MarkupFigures {
  const folder = join(corpora, corpus);
  const documents = existsSync(folder) ? documentsUnder(folder) : [];
  const differences: Difference[] = [];
  let products = 0;
  let attributes = 0;
  for (const { file, html } of documents) {
    const stated = statedByJsonLd(html) ?? statedByMicrodata(html) ?? statedByRdfa(html);
    const { facts } = readPage(html, { url: URL_OF_EXAMPLES }, readFacts);
    if (stated === undefined) continue;
    products++;
    for (const attribute of ATTRIBUTES) {
      const fact = facts[attribute];
      const isText =
        fact !== null && /^(?:h\d|title$|og:|twitter:|text:|description$|link:)/.test(fact.field);
      const read = fact === null || isText ? undefined : fact.value;
      const want = stated[attribute];
      if (want !== undefined) attributes++;
      if (!isSame(attribute, want, read)) differences.push({ file, attribute, stated: want, read });
    }
  }
  return { corpus, documents: documents.length, products, attributes, differences };
}

const ATTRIBUTES = ['name', 'price', 'currency', 'availability', 'sku', 'brand'] as const;

function isSame(attribute: keyof Stated, stated: string | undefined, read: string | undefined): boolean {
  if (stated === undefined || read === undefined) return stated === read;
  return attribute === 'price' ? Number(stated) === Number(read) : stated === read;
}

interface Example {
  readonly file: string;
  readonly html: string;
}

function documentsUnder(folder: string): Example[] {
  return filesUnder(folder).flatMap((path) => {
    const file = path.slice(folder.length + 1);
    const text = readFileSync(path, 'utf8');
    if (/\.html?$/.test(path)) return [{ file, html: text }];
    if (basename(folder) === 'rich-results') return [{ file, html: script(text) }];
    return basename(folder) === 'schemaorg-examples' && path.endsWith('-examples.txt')
      ? sectionsOf(file, text)
      : [];
  });
}

/** schema.org's text files: examples in up to three syntaxes each. */
function sectionsOf(file: string, text: string): Example[] {
  return text
    .split(/^TYPES:/m)
    .slice(1)
    .flatMap((example) => {
      const id = /#eg-\d+/.exec(example)?.[0] ?? '';
      const parts = example.split(/^(MICRODATA|RDFA|JSON|PRE-MARKUP):\s*$/m);
      return parts.flatMap((part, i) => {
        const html = parts[i + 1] ?? '';
        const isExample = (part === 'MICRODATA' || part === 'RDFA' || part === 'JSON') && html.length > 40;
        return isExample ? [{ file: `${file}${id} ${part}`, html }] : [];
      });
    });
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder)
    .toSorted()
    .flatMap((name) => {
      const path = join(folder, name);
      return statSync(path).isDirectory() ? filesUnder(path) : [path];
    });
}

function script(json: string): string {
  return `<script type="application/ld+json">${json}</script>`;
}
