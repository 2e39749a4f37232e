import { CERTIFICATE_ATTRIBUTE } from './certificate-script.ts';
import { createPlainTags } from './plain-tags.ts';
import { createScriptReader } from './script-reader.ts';
import { ASCII, createTagReader, isLetter, isSpace } from './tag-reader.ts';

/** A position in the scanned bytes. */
export interface Mark {
  readonly at: number;
  /** `place`: a script may be inserted here. `begin` and `end`: of a script element of ours. */
  readonly kind: 'place' | 'begin' | 'end';
}

/** Finds insertion points and script elements of ours in a page that arrives in chunks. Never throws; linear time. */
export interface HtmlScanner {
  /**
   * @param bytes - the unsettled rest of the previous call, followed by new bytes
   * @param isLast - there are no more bytes
   * @returns marks, and the position up to which the scan is complete
   */
  scan(bytes: Uint8Array, isLast: boolean): { readonly marks: readonly Mark[]; readonly settled: number };
  /** Whether it is a full page, not a fragment or another format. */
  isPage(): boolean;
  /** Whether the tokenizer is in the data state, so that following markup would be parsed as markup. */
  isBetweenTags(): boolean;
}

/** Elements with raw text content; with scripting enabled, `noscript` is one too. */
const TEXT_ELEMENTS: ReadonlySet<string> = new Set([
  'script',
  'style',
  'textarea',
  'title',
  'xmp',
  'iframe',
  'noembed',
  'noframes',
  'noscript',
  'plaintext',
]);
/** Tags that mark the end of the head or of the page. */
const PLACES: ReadonlySet<string> = new Set(['/head', 'body', 'frameset', '/body', '/html']);
const OF_PAGES: ReadonlySet<string> = new Set(['html', 'head', 'body', '/head', '/body', '/html']);
/** Elements inside which `<title/>` is self-closing. */
const FOREIGN: ReadonlySet<string> = new Set(['svg', 'math']);
const PLAIN_TAGS = createPlainTags(
  [...TEXT_ELEMENTS, ...PLACES, ...OF_PAGES, ...FOREIGN].map((name) => name.replace('/', '')),
);
/** Length of the longest relevant name. */
const LONGEST_NAME = 12;
/** Maximum bytes of a start tag that are buffered to check whether it is ours. */
const LONGEST_OWN_TAG = 4_096;

/** Follows the tokenization of the HTML Living Standard (13.2.5) as far as needed to find markup. */
export function createHtmlScanner(): HtmlScanner {
  const tag = createTagReader();
  const script = createScriptReader();
  let mode: 'data' | 'comment' | 'declaration' | 'tag' | 'text' = 'data';
  /** Name of the tag, with its slash, or of the element whose text is being read. */
  let name = '';
  let foreign = 0;
  let isPage = false;
  let isOurs = false;
  /** Bytes at the start that were already scanned: a buffered script start tag. */
  let seen = 0;

  interface Scan {
    readonly bytes: Uint8Array;
    readonly isLast: boolean;
    readonly marks: Mark[];
    at: number;
  }
  /** Returns whether the scan continues; otherwise `at` is the position up to which it is complete. */
  type Step = (scan: Scan) => boolean;

  const startTag = (scan: Scan, found: string, begin: number, behind: number): void => {
    name = found;
    if (OF_PAGES.has(found)) isPage = true;
    if (PLACES.has(found)) scan.marks.push({ at: begin, kind: 'place' });
    mode = 'tag';
    tag.begin();
    // a script's start tag is buffered: its beginning is marked once its end is found
    const isHeld = found === 'script';
    seen = isHeld ? behind - begin : 0;
    scan.at = isHeld ? begin : behind;
  };

  const data: Step = (scan) => {
    const { bytes, isLast } = scan;
    const begin = bytes.indexOf(ASCII.less, PLAIN_TAGS.skip(bytes, scan.at));
    scan.at = begin === -1 ? bytes.length : begin;
    if (begin === -1) return false;
    const isEnd = bytes[begin + 1] === ASCII.slash;
    const first = bytes[begin + (isEnd ? 2 : 1)];
    if (first === undefined) return false;
    if (isLetter(first)) {
      const found = nameAt(bytes, begin + 1, isLast);
      if (found === null) return false;
      startTag(scan, found, begin, begin + 1 + found.length);
      return true;
    }
    if (!isEnd && first === ASCII.bang) {
      if (bytes.length < begin + 4 && !isLast) return false;
      const isComment = bytes[begin + 2] === ASCII.dash && bytes[begin + 3] === ASCII.dash;
      mode = isComment ? 'comment' : 'declaration';
      if (!isComment && isLetter(bytes[begin + 2] ?? 0)) isPage = true;
      // `<!-->` is a complete comment
      scan.at = begin + 2;
      return true;
    }
    if (isEnd || first === ASCII.question) mode = 'declaration';
    scan.at = begin + (isEnd ? 2 : 1);
    return true;
  };

  const comment: Step = (scan) => {
    const { bytes } = scan;
    for (let end = bytes.indexOf(ASCII.greater, scan.at); end !== -1; ) {
      const last = bytes[end - 1] === ASCII.bang ? end - 2 : end - 1;
      if (last - 1 >= scan.at && bytes[last] === ASCII.dash && bytes[last - 1] === ASCII.dash) {
        scan.at = end + 1;
        mode = 'data';
        return true;
      }
      end = bytes.indexOf(ASCII.greater, end + 1);
    }
    // the dashes of the end may be in this chunk and `>` in the next
    scan.at = Math.max(scan.at, bytes.length - 3);
    return false;
  };

  const declaration: Step = (scan) => {
    const end = scan.bytes.indexOf(ASCII.greater, scan.at);
    scan.at = end === -1 ? scan.bytes.length : end + 1;
    if (end !== -1) mode = 'data';
    return end !== -1;
  };

  /** Whether the last tag was self-closing in foreign content. */
  const isWhole = () => foreign > 0 && tag.isSelfClosing();

  const inTag: Step = (scan) => {
    const { bytes } = scan;
    const begin = scan.at;
    const end = tag.endIn(bytes, begin + seen);
    if (end === -1) {
      const isHeld = seen > 0 && bytes.length - begin <= LONGEST_OWN_TAG;
      seen = isHeld ? bytes.length - begin : 0;
      if (!isHeld) scan.at = bytes.length;
      return false;
    }
    const isShort = seen > 0 && end - begin <= LONGEST_OWN_TAG;
    if (isShort && !isWhole() && isOwnTag(bytes.subarray(begin, end))) {
      isOurs = true;
      scan.marks.push({ at: begin, kind: 'begin' });
    }
    seen = 0;
    scan.at = end;
    enter(scan);
    return true;
  };

  /** Enters the state that follows the tag ending here. */
  const enter = ({ marks, at }: Scan): void => {
    mode = 'data';
    if (name === '/script' && isOurs) {
      isOurs = false;
      marks.push({ at, kind: 'end' });
    }
    if (FOREIGN.has(name)) foreign += tag.isSelfClosing() ? 0 : 1;
    else if (FOREIGN.has(name.slice(1))) foreign = Math.max(0, foreign - 1);
    else if (TEXT_ELEMENTS.has(name) && !isWhole()) {
      mode = 'text';
      script.begin();
    }
  };

  const text: Step = (scan) => {
    const { bytes, isLast } = scan;
    const ends =
      name === 'script' ? script.endIn(bytes, scan.at, isLast) : endOfText(bytes, scan.at, name, isLast);
    scan.at = ends.at;
    if (!ends.isEnd) return false;
    startTag(scan, `/${name}`, ends.at, ends.at + 2 + name.length);
    return true;
  };

  const STEPS = { data, comment, declaration, tag: inTag, text };
  return {
    scan(bytes, isLast) {
      const scan: Scan = { bytes, isLast, marks: [], at: 0 };
      while (STEPS[mode](scan));
      return { marks: scan.marks, settled: isLast ? bytes.length : scan.at };
    },
    isPage: () => isPage,
    isBetweenTags: () => mode === 'data',
  };
}

/** A tag's name in lower case, with its slash, cut at the longest relevant length; `null` if it is incomplete. */
function nameAt(bytes: Uint8Array, from: number, isLast: boolean): string | null {
  let found = '';
  for (let at = from; found.length < LONGEST_NAME; at++) {
    const byte = bytes[at];
    if (byte === undefined) return isLast ? found : null;
    if (isSpace(byte) || byte === ASCII.greater || (byte === ASCII.slash && at > from)) return found;
    found += String.fromCharCode(byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte);
  }
  return found;
}

/** Position of the end tag of a text element; otherwise the position up to which there is none. */
function endOfText(
  bytes: Uint8Array,
  from: number,
  name: string,
  isLast: boolean,
): { readonly at: number; readonly isEnd: boolean } {
  for (let at = bytes.indexOf(ASCII.less, from); at !== -1; at = bytes.indexOf(ASCII.less, at + 1)) {
    const found = bytes[at + 1] === ASCII.slash ? nameAt(bytes, at + 1, isLast) : '';
    if (found === null || (at + 1 === bytes.length && !isLast)) return { at, isEnd: false };
    if (found === `/${name}` && name !== 'plaintext') return { at, isEnd: true };
  }
  return { at: bytes.length, isEnd: false };
}

/** Whether a start tag has our attribute. */
function isOwnTag(tag: Uint8Array): boolean {
  const attributes = String.fromCharCode(...tag).replace(/=\s*(?:"[^"]*"|'[^']*')/g, '= ');
  return attributes.split(/[\s/>=]+/).some((attribute) => attribute.toLowerCase() === CERTIFICATE_ATTRIBUTE);
}
