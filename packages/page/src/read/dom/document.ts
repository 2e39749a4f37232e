import { decodeHTML, decodeHTMLAttribute } from 'entities/decode';
import { Work } from '../work.ts';
import { HIDDEN_TEXT } from './tables.ts';

/**
 * One element of the compact tree. `HtmlDocument.elements` is in document order; the descendants of `e` are
 * `elements[e.index + 1 … e.end)`, its text is the runs `[e.textFrom, e.textTo)`.
 */
export interface El {
  readonly name: string;
  readonly parent: El | null;
  readonly depth: number;
  readonly index: number;
  end: number;
  readonly textFrom: number;
  textTo: number;
  /** Range in the document's attribute table. */
  readonly attrFrom: number;
  attrTo: number;
  /** Source positions of the end of its start tag and the start of its end tag. */
  innerFrom: number;
  innerTo: number;
}

/** A page as a flat tree over its source. Text and attribute values are decoded on demand. */
export class HtmlDocument {
  readonly source: string;
  /** Counts the steps of everything that reads this document. */
  readonly work = new Work();
  readonly elements: El[] = [];
  readonly attrNames: string[] = [];
  readonly attrStart: number[] = [];
  readonly attrEnd: number[] = [];
  readonly textStart: number[] = [];
  readonly textEnd: number[] = [];
  readonly textOwner: El[] = [];
  /** Whether white space or a block boundary precedes the run. */
  readonly textBreak: boolean[] = [];

  constructor(source: string) {
    this.source = source;
  }

  /** Decoded value of an attribute (lower-case name); `undefined` if absent. */
  attr(el: El, name: string): string | undefined {
    this.work.spend(1 + el.attrTo - el.attrFrom);
    for (let i = el.attrFrom; i < el.attrTo; i++) {
      if (this.attrNames[i] === name) return this.attrValue(i);
    }
    return undefined;
  }

  hasAttr(el: El, name: string): boolean {
    this.work.spend(1 + el.attrTo - el.attrFrom);
    for (let i = el.attrFrom; i < el.attrTo; i++) if (this.attrNames[i] === name) return true;
    return false;
  }

  attrValue(index: number): string {
    const raw = this.source.slice(this.attrStart[index], this.attrEnd[index]);
    this.work.spendOn(raw.length);
    return raw.includes('&') ? decodeHTMLAttribute(raw) : raw;
  }

  /** Source between the tags, for example of a script. */
  inner(el: El): string {
    this.work.spendOn(el.innerTo - el.innerFrom);
    return this.source.slice(el.innerFrom, el.innerTo);
  }

  /** Decoded text of one run, from at most `max` characters of source. */
  run(index: number, max = 1_000_000): string {
    const start = this.textStart[index] as number;
    const raw = this.source.slice(start, Math.min(this.textEnd[index] as number, start + max));
    this.work.spendOn(raw.length);
    return raw.includes('&') ? decodeHTML(raw) : raw;
  }

  /** Visible text of an element, with words separated as in the layout; stops after `max` characters. */
  text(el: El, max = 20_000): string {
    let out = '';
    for (let i = el.textFrom; i < el.textTo && out.length < max; i++) {
      this.work.spend();
      const owner = this.textOwner[i];
      if (owner !== undefined && owner !== el && HIDDEN_TEXT.has(owner.name)) continue;
      out += (this.textBreak[i] && out !== '' ? ' ' : '') + this.run(i, max * 2);
    }
    return out.replace(/\s+/g, ' ').trim();
  }

  /** Whether an element is in `<noscript>` or `<template>`, which visitors do not normally see. */
  inFallback(el: El): boolean {
    for (let at = el.parent; at !== null; at = at.parent) {
      this.work.spend();
      if (at.name === 'noscript' || at.name === 'template') return true;
    }
    return false;
  }

  contains(outer: El, inner: El): boolean {
    this.work.spend();
    return inner.index >= outer.index && inner.index < outer.end;
  }
}
