import type { El, HtmlDocument } from './document.ts';

/** Elements grouped by the facts that they can state, collected in one pass over the tree. */
export interface PageIndex {
  readonly scripts: El[];
  readonly metas: El[];
  readonly links: El[];
  readonly headings: El[];
  readonly inputs: El[];
  readonly title: El | null;
  readonly base: El | null;
  readonly html: El | null;
  readonly body: El | null;
  /** Elements with `itemscope` or `itemprop`. */
  readonly microdata: El[];
  /** Elements with `typeof`, `property` or `vocab`. */
  readonly rdfa: El[];
  /** First element with each id. */
  readonly byId: Map<string, El>;
}

export function indexPage(doc: HtmlDocument): PageIndex {
  const index: Mutable<PageIndex> = {
    scripts: [],
    metas: [],
    links: [],
    headings: [],
    inputs: [],
    title: null,
    base: null,
    html: null,
    body: null,
    microdata: [],
    rdfa: [],
    byId: new Map(),
  };
  let svgEnd = 0;
  for (const el of doc.elements) {
    if (el.name === 'svg') svgEnd = Math.max(svgEnd, el.end);
    // pictures have titles too
    if (el.name !== 'title' || el.index >= svgEnd) byName(el, index);
    byAttributes(doc, el, index);
  }
  return index;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function byName(el: El, index: Mutable<PageIndex>): void {
  switch (el.name) {
    case 'script':
      index.scripts.push(el);
      break;
    case 'meta':
      index.metas.push(el);
      break;
    case 'link':
      index.links.push(el);
      break;
    case 'h1':
    case 'h2':
      index.headings.push(el);
      break;
    case 'input':
      index.inputs.push(el);
      break;
    case 'title':
      index.title ??= el;
      break;
    case 'base':
      index.base ??= el;
      break;
    case 'html':
      index.html ??= el;
      break;
    case 'body':
      index.body ??= el;
      break;
  }
}

function byAttributes(doc: HtmlDocument, el: El, index: Mutable<PageIndex>): void {
  let item = false;
  let rdfa = false;
  for (let i = el.attrFrom; i < el.attrTo; i++) {
    switch (doc.attrNames[i]) {
      case 'itemprop':
      case 'itemscope':
        item = true;
        break;
      case 'typeof':
      case 'property':
      case 'vocab':
        rdfa = true;
        break;
      case 'id':
        if (index.byId.size < 20_000) setOnce(index.byId, doc.attrValue(i), el);
        break;
    }
  }
  if (item) index.microdata.push(el);
  if (rdfa) index.rdfa.push(el);
}

function setOnce(map: Map<string, El>, key: string, el: El): void {
  if (!map.has(key)) map.set(key, el);
}
