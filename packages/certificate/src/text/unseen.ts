/**
 * Characters that are invisible or change the displayed order but may affect a terminal or a model: control and format
 * characters, line and paragraph separators, and all default-ignorable code points (UAX 44,
 * Default_Ignorable_Code_Point: bidirectional controls, zero-width characters, variation selectors, tags).
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]+/gu;

/** Fast path for text without any of them, which is the usual case; UNSEEN takes ten times as long. */
const PLAIN = /^[\x20-\x7e]*$/;
const PLAIN_LINES = /^[\n\x20-\x7e]*$/;

/**
 * Escapes every such character in third-party text as JSON does (`\u202e`). JSON stays equivalent JSON, except that
 * line breaks between its values need `keep`.
 *
 * @param keep - a character that is not escaped
 * @example
 * ```ts
 * import { writeOutUnseen } from '@touchstone/certificate/text';
 *
 * writeOutUnseen('cup\u202e'); // 'cup\\u202e'
 * ```
 */
export function writeOutUnseen(text: string, keep?: '\n'): string {
  if ((keep === undefined ? PLAIN : PLAIN_LINES).test(text)) return text;
  return text.toWellFormed().replace(UNSEEN, (run) => {
    let out = '';
    for (let at = 0; at < run.length; at += 1) {
      const unit = run.charAt(at);
      out += unit === keep ? unit : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
    }
    return out;
  });
}

/**
 * Replaces every run of such characters with a space, for text quoted on one line.
 *
 * @example
 * ```ts
 * import { withoutUnseen } from '@touchstone/certificate/text';
 *
 * withoutUnseen('cup\n\u200bone'); // 'cup one'
 * ```
 */
export function withoutUnseen(text: string): string {
  return text.toWellFormed().replace(UNSEEN, ' ');
}
