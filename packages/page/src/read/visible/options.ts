import type { El, HtmlDocument } from '../dom/document.ts';
import type { Region, Run } from './region.ts';

/** Levels above a text, and runs in it, within which a radio button makes the box an option. */
const OPTION_LEVELS = 6;
const OPTION_RUNS = 8;
/** Elements of a box among which its radio button is looked for. */
const OPTION_ELEMENTS = 40;

/** Whether a run stands in an option that the page does not open with: its radio button is unchecked, another of its group is checked. */
export function isUnselectedOption({ doc }: Region, { owner }: Run): boolean {
  let el: El | null = owner;
  for (let level = 0; level < OPTION_LEVELS && el !== null; level++, el = el.parent) {
    if (el.textTo - el.textFrom > OPTION_RUNS) return false;
    const radio = radioIn(doc, el);
    if (radio !== undefined) return !doc.hasAttr(radio, 'checked') && hasCheckedOther(doc, radio);
  }
  return false;
}

function radioIn(doc: HtmlDocument, box: El): El | undefined {
  const to = Math.min(box.end, box.index + OPTION_ELEMENTS);
  for (let i = box.index; i < to; i++) {
    doc.work.spend();
    const el = doc.elements[i];
    if (el !== undefined && isRadio(doc, el)) return el;
  }
  return undefined;
}

/** Elements before and behind a radio button among which the others of its group are looked for. */
const GROUP_ELEMENTS = 600;

function hasCheckedOther(doc: HtmlDocument, radio: El): boolean {
  const group = doc.attr(radio, 'name');
  const to = Math.min(doc.elements.length, radio.index + GROUP_ELEMENTS);
  for (let i = Math.max(0, radio.index - GROUP_ELEMENTS); i < to; i++) {
    doc.work.spend();
    const el = doc.elements[i] as El;
    if (isRadio(doc, el) && doc.hasAttr(el, 'checked') && doc.attr(el, 'name') === group) return true;
  }
  return false;
}

function isRadio(doc: HtmlDocument, el: El): boolean {
  return el.name === 'input' && doc.attr(el, 'type') === 'radio';
}
