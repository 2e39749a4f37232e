/** Elements whose content is text, not markup; what looks like a tag in there is none. */
const RAW_TEXT = /^(script|style|title|noscript|template|textarea)$/;
/** What may stand in a head; the first other tag ends it, as it does for a browser (HTML, "in head"). */
const IN_HEAD = /^(html|head|meta|link|base|script|style|title|noscript|template)$/;

const TAG = /<!--[\s\S]*?(?:-->|$)|<(\/?)([a-z][^\s/>]*)((?:"[^"]*"|'[^']*'|[^"'>])*)>|<[!?][^>]*>/gi;
const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g;

/** Bytes of a page in which a head is looked for. */
const HEAD_LIMIT = 200_000;

/**
 * The contents of every `<meta name="…">` in the head of a page. The head only, comments and scripts left out:
 * what visitors may write on a page (reviews, comments) proves nothing.
 */
export function metaContents(html: string, name: string): string[] {
  const head = html.slice(0, HEAD_LIMIT);
  const found: string[] = [];
  const tags = new RegExp(TAG);
  for (let match = tags.exec(head); match !== null; match = tags.exec(head)) {
    const [, slash, tagName, rest] = match;
    if (tagName === undefined) continue;
    const tag = tagName.toLowerCase();
    if (!IN_HEAD.test(tag) || (slash === '/' && tag === 'head')) break;
    if (slash === '/') continue;
    if (tag === 'meta') {
      const attributes = attributesOf(rest ?? '');
      if (attributes.get('name')?.toLowerCase() === name) found.push(attributes.get('content')?.trim() ?? '');
    } else if (RAW_TEXT.test(tag)) {
      const end = head.toLowerCase().indexOf(`</${tag}`, tags.lastIndex);
      if (end === -1) break;
      tags.lastIndex = end;
    }
  }
  return found;
}

/** The first of equal names counts, as it does for a browser. */
function attributesOf(text: string): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = '', double, single, bare] of text.matchAll(ATTRIBUTE)) {
    const key = name.toLowerCase();
    if (!attributes.has(key)) attributes.set(key, double ?? single ?? bare ?? '');
  }
  return attributes;
}
