import { ASCII, isSpace } from './tag-reader.ts';

/** Finds the end of a script that comes in pieces, past comments that hold scripts (HTML Living Standard, 13.2.5.15 to .31). */
export interface ScriptReader {
  /** Begins another script. */
  begin(): void;
  /** Where the script's end tag begins; else how far it is known not to. */
  endIn(bytes: Uint8Array, from: number, isLast: boolean): { readonly at: number; readonly isEnd: boolean };
}

const OPENING = [...'<script'].map((letter) => letter.charCodeAt(0));
const CLOSING = [...'</script'].map((letter) => letter.charCodeAt(0));
/** The longest that must be there to be told from others: `</script>`. */
const AHEAD = CLOSING.length + 1;

export function createScriptReader(): ScriptReader {
  /** 1: in a comment; 2: in a script in a comment, where an end tag ends only that. */
  let depth = 0;

  /** Whether the script ends at this `<`. */
  const isEndAt = (bytes: Uint8Array, at: number): boolean => {
    if (bytes[at + 1] === ASCII.bang) {
      if (depth === 0 && bytes[at + 2] === ASCII.dash && bytes[at + 3] === ASCII.dash) depth = 1;
    } else if (isTag(bytes, at, CLOSING)) {
      if (depth < 2) return true;
      depth = 1;
    } else if (depth === 1 && isTag(bytes, at, OPENING)) depth = 2;
    return false;
  };

  return {
    begin() {
      depth = 0;
    },
    endIn(bytes, from, isLast) {
      for (let at = from; at < bytes.length; at++) {
        if (depth === 0) {
          at = bytes.indexOf(ASCII.less, at);
          if (at === -1) return { at: bytes.length, isEnd: false };
        } else if (
          bytes[at] === ASCII.greater &&
          bytes[at - 1] === ASCII.dash &&
          bytes[at - 2] === ASCII.dash
        ) {
          depth = 0;
          continue;
        }
        if (bytes[at] !== ASCII.less) continue;
        if (bytes.length - at < AHEAD && !isLast) return { at, isEnd: false };
        if (isEndAt(bytes, at)) return { at, isEnd: true };
      }
      // the dashes may come before the rest of the comment's end
      const known = depth === 0 ? bytes.length : Math.max(from, bytes.length - 2);
      return { at: known, isEnd: false };
    },
  };
}

/** Whether a tag of this name begins here, in any case, and its name ends there. */
function isTag(bytes: Uint8Array, at: number, tag: readonly number[]): boolean {
  for (const [index, letter] of tag.entries()) {
    const byte = bytes[at + index] ?? 0;
    if ((letter < 0x61 ? byte : byte | 0x20) !== letter) return false;
  }
  const behind = bytes[at + tag.length];
  return behind === ASCII.greater || behind === ASCII.slash || isSpace(behind);
}
