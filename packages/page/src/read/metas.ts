import type { HtmlDocument } from './dom/document.ts';
import type { PageIndex } from './dom/page-index.ts';

const MAX_METAS = 2_000;

/** Contents of the `<meta>` elements by lower-case `name` or `property`, in document order. */
export type MetaMap = ReadonlyMap<string, readonly string[]>;

export function readMetas(doc: HtmlDocument, index: PageIndex): MetaMap {
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
