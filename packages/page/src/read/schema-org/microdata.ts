import type { El, HtmlDocument } from '../dom/document.ts';
import type { PageIndex } from '../dom/page-index.ts';
import { localName } from './node.ts';
import { add, collectScopes, elementValue, type MarkupNode, type Statement } from './scopes.ts';

const MAX_REFS = 20;

/** Items of HTML microdata (HTML Living Standard, section 5). */
export function readMicrodata(doc: HtmlDocument, index: PageIndex): MarkupNode[] {
  const nodes = collectScopes(doc, index.microdata, (el) => statementOf(doc, el));
  let refs = 0;
  for (const { node, el } of nodes) {
    const itemref = doc.attr(el, 'itemref');
    if (itemref === undefined) continue;
    for (const id of words(itemref)) {
      const target = index.byId.get(id);
      if (target === undefined || ++refs > MAX_REFS) continue;
      takeProperties(doc, index, target, node);
    }
  }
  return nodes;
}

/** Properties in an element that `itemref` names, nested items aside. */
function takeProperties(
  doc: HtmlDocument,
  index: PageIndex,
  target: El,
  node: Record<string, unknown>,
): void {
  let skipUntil = 0;
  for (const el of index.microdata) {
    if (el.index < skipUntil || !doc.contains(target, el)) continue;
    if (doc.hasAttr(el, 'itemscope')) skipUntil = el.end;
    else for (const name of propertiesOf(doc, el)) add(node, name, elementValue(doc, el, name));
  }
}

function statementOf(doc: HtmlDocument, el: El): Statement {
  const properties = propertiesOf(doc, el);
  if (!doc.hasAttr(el, 'itemscope')) return { properties };
  const types = words(doc.attr(el, 'itemtype') ?? '').map(localName);
  const id = doc.attr(el, 'itemid');
  return id === undefined ? { types, properties } : { types, properties, id };
}

function propertiesOf(doc: HtmlDocument, el: El): string[] {
  return words(doc.attr(el, 'itemprop') ?? '').map(localName);
}

function words(text: string): string[] {
  return text.length > 1_000 ? [] : text.split(/\s+/).filter((word) => word !== '');
}
