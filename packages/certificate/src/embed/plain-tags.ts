import { ASCII, isLetter, isSpace } from './tag-reader.ts';

const QUOTE = 0x22;
const APOSTROPHE = 0x27;
/** No name that matters is as long. */
const LONGEST = 16;

/** Goes past text and the tags of elements that do not matter, which is most of a page, without a look at their names. */
export interface PlainTags {
  /**
   * @param from - between tags
   * @returns where anything else begins, also between tags: a tag that may matter, is unusual or not yet whole, a comment, the end
   */
  skip(bytes: Uint8Array, from: number): number;
}

/** @param names - of elements that matter, in lower case */
export function createPlainTags(names: Iterable<string>): PlainTags {
  /** By first letter and length. */
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

/** Behind the `>` of a tag whose values are all in quotes; -1 for any other. */
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
