import { ASCII, isSpace } from './tag-reader.ts';

/**
 * Finds the end of a script that arrives in chunks, past comments that contain scripts (HTML Living Standard, 13.2.5.15
 * to .31).
 */
export interface ScriptReader {
  /** Resets the reader for the next script. */
  begin(): void;
  /** Position of the script's end tag; otherwise the position up to which there is none. */
  endIn(bytes: Uint8Array, from: number, isLast: boolean): { readonly at: number; readonly isEnd: boolean };
}

const OPENING = [...'<script'].map((letter) => letter.charCodeAt(0));
const CLOSING = [...'</script'].map((letter) => letter.charCodeAt(0));
/** Bytes needed to recognise the longest token, `</script>`. */
const AHEAD = CLOSING.length + 1;

export function createScriptReader(): ScriptReader {
  /** 1: in a comment; 2: in a script inside a comment, where an end tag ends only the inner script. */
  let depth = 0;

  /** Whether the `<` at this position begins the script's end tag. */
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
      // the dashes of the comment's end may be in this chunk and `>` in the next
      const known = depth === 0 ? bytes.length : Math.max(from, bytes.length - 2);
      return { at: known, isEnd: false };
    },
  };
}

/** Whether this tag name begins here, in any case, and is complete. */
function isTag(bytes: Uint8Array, at: number, tag: readonly number[]): boolean {
  for (const [index, letter] of tag.entries()) {
    const byte = bytes[at + index] ?? 0;
    if ((letter < 0x61 ? byte : byte | 0x20) !== letter) return false;
  }
  const behind = bytes[at + tag.length];
  return behind === ASCII.greater || behind === ASCII.slash || isSpace(behind);
}
