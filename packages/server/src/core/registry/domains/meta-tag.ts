import { Parser } from 'htmlparser2';

/** Elements that may be in a head; any other tag ends it, as in a browser (HTML, "in head"). */
const IN_HEAD = new Set([
  'html',
  'head',
  'meta',
  'link',
  'base',
  'script',
  'style',
  'title',
  'noscript',
  'template',
]);
/** Elements whose content a browser does not parse as markup. */
const INERT = new Set(['noscript', 'template']);
/** Characters of a page that are searched for its head. */
const HEAD_LIMIT = 200_000;

/**
 * The contents of every `<meta name="…">` in the head of a page. The head only, comments and scripts left out:
 * what visitors may write on a page (reviews, comments) proves nothing.
 */
export function metaContents(html: string, name: string): string[] {
  const found: string[] = [];
  let inert = 0;
  let ended = false;
  const end = () => {
    ended = true;
    parser.pause();
  };
  const parser = new Parser({
    onopentag(tag, { name: named, content = '' }) {
      if (ended) return;
      if (INERT.has(tag)) inert += 1;
      else if (inert > 0) return;
      else if (!IN_HEAD.has(tag)) end();
      else if (tag === 'meta' && named?.toLowerCase() === name) found.push(content.trim());
    },
    onclosetag(tag) {
      if (INERT.has(tag)) inert -= 1;
      else if (tag === 'head' && inert === 0) end();
    },
  });
  parser.end(html.slice(0, HEAD_LIMIT));
  return found;
}
