/** Part of a text: the number of characters before it, and up to its end. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** The text with another in place of a part of it. */
export function spliced(text: string, { from, to }: TextRange, by: string): string {
  return text.slice(0, from) + by + text.slice(to);
}
