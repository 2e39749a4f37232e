import { ASCII, isLetter, isSpace } from './tag-reader.ts';

const QUOTE = 0x22;
const APOSTROPHE = 0x27;
/** Longer than any relevant name. */
const LONGEST = 16;

/** Fast path: skips text and tags of irrelevant elements, which are most of a page, without decoding their names. */
export interface PlainTags {
  /**
   * @param from - a position between tags
   * @returns position of the first other item, also between tags: a tag that may be relevant, is unusual or incomplete,
   *   a comment, or the end
   */
  skip(bytes: Uint8Array, from: number): number;
}

/** @param names - of relevant elements, in lower case */
export function createPlainTags(names: Iterable<string>): PlainTags {
  /** Indexed by first letter and length. */
  const mayMatter = new Uint8Array(32 * LONGEST);
  for (const name of names) mayMatter[shapeOf(name.charCodeAt(0), name.length)] = 1;

  return {
    skip(bytes, from) {
      let behind = from;
      for (;;) {
        while (behind < bytes.length && bytes[behind] !== ASCII.less) behind++;
        const name = bytes[behind + 1] === ASCII.slash ? behind + 2 : behind + 1;
        if (name >= bytes.length || !isLetter(bytes[name] as number)) return behind;
        const end = endOfName(bytes, name);
        const length = end - name;
        if (length < LONGEST && mayMatter[shapeOf(bytes[name] as number, length)] === 1) return behind;
        const next = endOfPlainTag(bytes, end);
        if (next === -1) return behind;
        behind = next;
      }
    },
  };
}

function shapeOf(firstLetter: number, length: number): number {
  return (firstLetter & 31) * LONGEST + length;
}

function endOfName(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && !isEndOfName(bytes[at] as number)) at++;
  return at;
}

/** Position after the `>` of a tag in which every value is quoted; -1 for any other tag. */
function endOfPlainTag(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === ASCII.greater) return at + 1;
    if (byte !== ASCII.equals) continue;
    const quote = bytes[at + 1];
    if (at === from || isEndOfName(bytes[at - 1] as number)) return -1;
    if (quote !== QUOTE && quote !== APOSTROPHE) return -1;
    for (at += 2; at < bytes.length && bytes[at] !== quote; ) at++;
  }
  return -1;
}

function isEndOfName(byte: number): boolean {
  return byte === ASCII.greater || byte === ASCII.slash || byte === ASCII.equals || isSpace(byte);
}
