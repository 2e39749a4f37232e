import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { BOUNDS } from '../bounds.ts';
import type { Findings } from '../findings.ts';
import { type El, HtmlDocument } from './document.ts';
import { OpenElements } from './open-elements.ts';
import { BLOCK_ELEMENTS, CLOSED_BY_START, VOID_ELEMENTS } from './tables.ts';

/**
 * Builds the compact tree in one pass over htmlparser2's tokens.
 *
 * The tokenizer is used directly: the library's Parser copies every name and value, and its unbounded stack with linear
 * searches takes quadratic time on hostile nesting.
 */
export function buildDocument(html: string, findings: Findings): HtmlDocument {
  const source = html.length > BOUNDS.htmlLength ? html.slice(0, BOUNDS.htmlLength) : html;
  if (source.length < html.length) findings.add('page_cut');
  const builder = new TreeBuilder(source, findings);
  const tokenizer = new Tokenizer({ decodeEntities: false }, builder);
  builder.stop = () => tokenizer.pause();
  tokenizer.write(source);
  if (!builder.stopped) tokenizer.end();
  builder.finish();
  return builder.doc;
}

/** Name of the root element; no tag can have it. */
const ROOT = '#document';

class TreeBuilder implements TokenizerCallbacks {
  readonly doc: HtmlDocument;
  stop: () => void = () => {};
  stopped = false;
  readonly #findings: Findings;
  readonly #open = new OpenElements();
  #foreign = 0;
  /** Number of open elements beyond the depth limit, which are only counted. */
  #overflow = 0;
  #current: El | null = null;
  #attrName = '';
  #attrStart = 0;
  #attrEnd = 0;
  #break = true;

  constructor(source: string, findings: Findings) {
    this.doc = new HtmlDocument(source);
    this.#findings = findings;
    // contains the text outside of all elements, so that fragments have text too
    const root = this.#newElement(ROOT, 0);
    this.doc.elements.push(root);
    this.#open.push(root);
  }

  isInForeignContext(): boolean {
    return this.#foreign > 0;
  }

  onopentagname(start: number, end: number): void {
    const name = this.doc.source.slice(start, end).toLowerCase();
    const closes = CLOSED_BY_START.get(name);
    if (closes !== undefined) this.#closeImplied(closes, start - 1);
    if (BLOCK_ELEMENTS.has(name)) this.#break = true;
    if (this.doc.elements.length >= BOUNDS.elements) {
      this.#halt();
      return;
    }
    const el = this.#newElement(name, end);
    this.doc.elements.push(el);
    this.#current = el;
  }

  #newElement(name: string, at: number): El {
    const { elements, attrNames, textStart } = this.doc;
    return {
      name,
      parent: this.#open.top() ?? null,
      depth: this.#open.depth,
      index: elements.length,
      end: elements.length + 1,
      textFrom: textStart.length,
      textTo: textStart.length,
      attrFrom: attrNames.length,
      attrTo: attrNames.length,
      innerFrom: at,
      innerTo: at,
    };
  }

  onattribname(start: number, end: number): void {
    this.#attrName = this.doc.source.slice(start, end).toLowerCase();
    this.#attrStart = end;
    this.#attrEnd = end;
  }

  onattribdata(start: number, end: number): void {
    this.#attrStart = start;
    this.#attrEnd = end;
  }

  onattribend(): void {
    const el = this.#current;
    if (el === null) return;
    const { attrNames, attrStart, attrEnd } = this.doc;
    if (this.#attrEnd - this.#attrStart > BOUNDS.attributeLength) {
      this.#findings.add('attribute_cut', this.#attrName.slice(0, 40));
      return;
    }
    if (el.attrTo - el.attrFrom >= BOUNDS.attributesPerElement || attrNames.length >= BOUNDS.attributes) {
      this.#findings.add('attributes_capped');
      return;
    }
    for (let i = el.attrFrom; i < el.attrTo; i++) if (attrNames[i] === this.#attrName) return;
    attrNames.push(this.#attrName);
    attrStart.push(this.#attrStart);
    attrEnd.push(this.#attrEnd);
    el.attrTo++;
  }

  onopentagend(end: number): void {
    this.#opened(end, false);
  }

  onselfclosingtag(end: number): void {
    // outside of svg and math, the slash is ignored (HTML 13.2.5.40)
    this.#opened(end, this.#foreign > 0);
  }

  #opened(end: number, closed: boolean): void {
    const el = this.#current;
    this.#current = null;
    if (el === null) return;
    el.innerFrom = end + 1;
    el.innerTo = end + 1;
    if (closed || VOID_ELEMENTS.has(el.name)) return;
    if (this.#open.depth >= BOUNDS.depth) {
      this.#overflow++;
      this.#findings.add('depth_capped');
      return;
    }
    this.#open.push(el);
    if (el.name === 'svg' || el.name === 'math') this.#foreign++;
  }

  onclosetag(start: number, end: number): void {
    const name = this.doc.source.slice(start, end).toLowerCase();
    if (BLOCK_ELEMENTS.has(name)) this.#break = true;
    if (this.#overflow > 0) {
      this.#overflow--;
      return;
    }
    const at = this.#open.matching(name);
    if (at < 0) return;
    while (this.#open.depth > at) this.#pop(start - 2);
  }

  #closeImplied(closes: ReadonlySet<string>, at: number): void {
    for (;;) {
      const top = this.#open.top();
      if (top === undefined || !closes.has(top.name)) return;
      this.#pop(at);
    }
  }

  #pop(innerTo: number): void {
    const el = this.#open.pop();
    if (el === undefined) return;
    el.end = this.doc.elements.length;
    el.textTo = this.doc.textStart.length;
    el.innerTo = Math.max(el.innerFrom, innerTo);
    if (el.name === 'svg' || el.name === 'math') this.#foreign--;
  }

  ontext(start: number, end: number): void {
    const { source, textStart, textEnd, textOwner, textBreak } = this.doc;
    let from = start;
    let to = end;
    while (from < to && source.charCodeAt(from) <= 32) from++;
    if (from === to) {
      this.#break = true;
      return;
    }
    while (source.charCodeAt(to - 1) <= 32) to--;
    const owner = this.#open.top();
    if (owner === undefined) return;
    if (textStart.length >= BOUNDS.texts) {
      this.#halt();
      return;
    }
    textStart.push(from);
    textEnd.push(to);
    textOwner.push(owner);
    textBreak.push(this.#break || from > start);
    this.#break = to < end;
  }

  oncdata(start: number, end: number): void {
    this.ontext(start, end);
  }

  #halt(): void {
    this.#findings.add('nodes_capped');
    this.stopped = true;
    this.stop();
  }

  finish(): void {
    while (this.#open.depth > 0) this.#pop(this.doc.source.length);
  }

  // entities are not reported with decodeEntities off; the rest is ignored
  onattribentity(): void {}
  ontextentity(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}
}
