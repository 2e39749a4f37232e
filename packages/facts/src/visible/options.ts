import type { El, HtmlDocument } from '@touchstone/page/document';
import type { Region, Run } from './region.ts';

/** Maximum levels above a text, and maximum runs, of a box that a radio button makes an option. */
const OPTION_LEVELS = 6;
const OPTION_RUNS = 8;
/** Elements of a box that are searched for its radio button. */
const OPTION_ELEMENTS = 40;

/** Whether a run is in an option that is not initially selected: its radio button is unchecked, another of the group is checked. */
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

/** Elements before and after a radio button that are searched for the others of its group. */
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
