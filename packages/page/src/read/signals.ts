import type { HtmlDocument } from './dom/document.ts';
import type { PageIndex } from './dom/page-index.ts';

const MAX_SIGNALS = 60_000;
const SCRIPT_HEAD = 1_500;

/**
 * The parts of a page that tell what serves it, in one string: addresses of scripts and styles, heads of
 * inline scripts. Platform and gate are searched in it, so that a page's whole megabyte is not.
 */
export function signalText(doc: HtmlDocument, index: PageIndex): string {
  const parts: string[] = [];
  let length = 0;
  const push = (text: string | undefined): void => {
    if (text === undefined || length > MAX_SIGNALS) return;
    parts.push(text);
    length += text.length;
  };
  for (const link of index.links) push(doc.attr(link, 'href')?.slice(0, 300));
  for (const script of index.scripts) {
    const src = doc.attr(script, 'src');
    push(
      src === undefined
        ? doc.source.slice(script.innerFrom, Math.min(script.innerTo, script.innerFrom + SCRIPT_HEAD))
        : src.slice(0, 300),
    );
    push(doc.attr(script, 'id')?.slice(0, 100));
  }
  return parts.join('\n');
}
