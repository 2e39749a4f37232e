/**
 * What a person does not see, or sees elsewhere than it stands, and a terminal or a model may obey: control and format
 * characters, line and paragraph separators, and all that Unicode lets a display ignore (UAX 44,
 * Default_Ignorable_Code_Point: bidirectional controls, zero-width characters, variation selectors, tags).
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]+/gu;

/** Text without any of them, nearly always; the class of the others takes ten times as long. */
const PLAIN = /^[\x20-\x7e]*$/;
const PLAIN_LINES = /^[\n\x20-\x7e]*$/;

/**
 * Text of others with every character written out that is not seen as it stands, as JSON escapes it (`\u202e`). JSON
 * stays the same JSON; only line breaks between its values may stay (`keep`).
 *
 * @param keep - a character that is left as it is
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
 * The same text with a space in the place of every run of such characters: for what is quoted as one line.
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
