/** Elements whose content is text, not markup; what looks like a tag in there is none. */
const RAW_TEXT = /^(script|style|title|noscript|template|textarea)$/;
/** What may stand in a head; the first other tag ends it, as it does for a browser (HTML, "in head"). */
const IN_HEAD = /^(html|head|meta|link|base|script|style|title|noscript|template)$/;
/** One step inside a tag: space, an attribute with or without value, or a stray character. Never backtracks. */
const STEP = /[\s/]+|([^\s/>=]+)(?:\s*=\s*(?:"([^"]*)"?|'([^']*)'?|([^\s>]+))?)?|[^>]/.source;
const TAG_NAME = /<(\/?)([a-z][^\s/>]*)/.source;

/** Characters of a page in which a head is looked for. */
const HEAD_LIMIT = 200_000;

interface Tag {
  readonly name: string;
  readonly closing: boolean;
  readonly attributes: ReadonlyMap<string, string>;
  /** Behind its `>`. */
  readonly end: number;
}

/**
 * The contents of every `<meta name="…">` in the head of a page. The head only, comments and scripts left out:
 * what visitors may write on a page (reviews, comments) proves nothing.
 */
export function metaContents(html: string, name: string): string[] {
  const head = html.slice(0, HEAD_LIMIT);
  const found: string[] = [];
  let at = head.indexOf('<');
  while (at !== -1) {
    const tag = readTag(head, at);
    if (tag === undefined) {
      at = skipMarkup(head, at);
    } else {
      if (!IN_HEAD.test(tag.name) || (tag.closing && tag.name === 'head')) break;
      at = tag.end;
      if (!tag.closing && tag.name === 'meta' && tag.attributes.get('name')?.toLowerCase() === name) {
        found.push(tag.attributes.get('content')?.trim() ?? '');
      } else if (!tag.closing && RAW_TEXT.test(tag.name)) {
        at = endOfText(head, tag.name, at);
      }
    }
    if (at !== -1) at = head.indexOf('<', at);
  }
  return found;
}

/** Where to go on behind a comment, a declaration or a stray `<`; -1 when that never ends. */
function skipMarkup(head: string, at: number): number {
  if (head.startsWith('<!--', at)) return behind(head, '-->', at + 4);
  if (head[at + 1] === '!' || head[at + 1] === '?' || head[at + 1] === '/') return behind(head, '>', at + 1);
  return at + 1;
}

/** Where the text of an element ends. Not in a lower-case copy: that may be longer (İ), and its places are others. */
function endOfText(head: string, name: string, from: number): number {
  const closing = new RegExp(`</${name}`, 'ig');
  closing.lastIndex = from;
  return closing.exec(head)?.index ?? -1;
}

function behind(head: string, what: string, from: number): number {
  const found = head.indexOf(what, from);
  return found === -1 ? -1 : found + what.length;
}

/** The tag that begins here; one that never ends counts as the end of the page. */
function readTag(head: string, at: number): Tag | undefined {
  const tagName = new RegExp(TAG_NAME, 'iy');
  tagName.lastIndex = at;
  const opening = tagName.exec(head);
  if (opening === null) return undefined;
  const steps = new RegExp(STEP, 'y');
  const attributes = new Map<string, string>();
  let end = tagName.lastIndex;
  while (end < head.length && head[end] !== '>') {
    steps.lastIndex = end;
    const step = steps.exec(head);
    if (step === null) break;
    const [, name, double, single, bare] = step;
    // the first of equal names counts, as it does for a browser
    if (name !== undefined && !attributes.has(name.toLowerCase())) {
      attributes.set(name.toLowerCase(), double ?? single ?? bare ?? '');
    }
    end = steps.lastIndex;
  }
  if (head[end] !== '>') return { name: 'body', closing: false, attributes, end: head.length };
  return {
    name: (opening[2] ?? '').toLowerCase(),
    closing: opening[1] === '/',
    attributes,
    end: end + 1,
  };
}
