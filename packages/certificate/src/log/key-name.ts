/** Spaces of Unicode, and plus. */
const NO_NAME = /[\p{White_Space}+]/u;

/** Halves of characters, which have no UTF-8. */
const SURROGATE = /\p{Surrogate}/u;

/** Whether a note may contain a text: no control characters of ASCII but newline (signed-note, "Format"). */
export function isNoteText(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 && code !== 0x0a) return false;
  }
  return !SURROGATE.test(text);
}

/** Whether a text may be the name of a key. */
export function isKeyName(name: string): boolean {
  return name !== '' && !NO_NAME.test(name) && isNoteText(name);
}
