import type { HtmlDocument } from './dom/document.ts';
import type { PageIndex } from './dom/page-index.ts';

const MAX_METAS = 2_000;

/** The page's `<meta>` statements by lower-case name or property, in document order. */
export type MetaMap = ReadonlyMap<string, readonly string[]>;

export function readMeta(doc: HtmlDocument, index: PageIndex): MetaMap {
  const metas = new Map<string, string[]>();
  for (const el of index.metas.slice(0, MAX_METAS)) {
    const content = doc.attr(el, 'content') ?? doc.attr(el, 'value');
    if (content === undefined || content.trim() === '') continue;
    for (const attribute of ['property', 'name']) {
      const name = doc.attr(el, attribute)?.trim().toLowerCase();
      if (name === undefined || name === '' || name.length > 100) continue;
      const known = metas.get(name);
      if (known === undefined) metas.set(name, [content]);
      else known.push(content);
    }
  }
  return metas;
}

export function firstMeta(
  metas: MetaMap,
  names: readonly string[],
): { value: string; field: string } | undefined {
  for (const name of names) {
    const value = metas.get(name)?.[0];
    if (value !== undefined) return { value, field: name };
  }
  return undefined;
}

/** `twitter:label1` / `twitter:data1` pairs, by folded label. */
export function twitterLabels(metas: MetaMap): Map<string, { value: string; field: string }> {
  const pairs = new Map<string, { value: string; field: string }>();
  for (let i = 1; i <= 4; i++) {
    const label = metas.get(`twitter:label${i}`)?.[0]?.trim().toLowerCase();
    const value = metas.get(`twitter:data${i}`)?.[0];
    if (label !== undefined && value !== undefined) pairs.set(label, { value, field: `twitter:data${i}` });
  }
  return pairs;
}
