import { BOUNDS } from '../bounds.ts';
import type { Candidates } from '../candidates.ts';
import type { HtmlDocument } from '../dom/document.ts';
import type { PageIndex } from '../dom/page-index.ts';
import { cleanText } from '../values/text.ts';
import { SHOWN_NAME } from '../weights.ts';

/** The name as the page prints it: its first main heading, else its title. */
export function addVisibleTexts(doc: HtmlDocument, index: PageIndex, out: Candidates): void {
  for (const el of index.headings.filter(({ name }) => name === 'h1').slice(0, 3)) {
    const value = cleanText(doc.text(el, 2_000), BOUNDS.nameLength);
    if (value === '') continue;
    out.name.push({ value, source: 'html', field: 'h1', weight: SHOWN_NAME.firstH1 });
    break;
  }
  if (index.title === null) return;
  const title = cleanText(doc.text(index.title, 2_000), BOUNDS.nameLength);
  if (title !== '') out.name.push({ value: title, source: 'html', field: 'title', weight: SHOWN_NAME.title });
}
