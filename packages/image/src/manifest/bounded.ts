const MAX_TEXT = 500;
const MAX_MEMBERS = 50;
const MAX_DEPTH = 6;
const MAX_VALUES = 500;

/** Text of a stranger: one printable line of at most 500 characters. */
export function boundedText(text: string): string {
  const line = text
    .slice(0, 2 * MAX_TEXT)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT - 1).toWellFormed()}…` : line;
}

/** Data of a stranger as plain JSON of a size that can be shown: what is beyond the bounds is left out. */
export function bounded(value: unknown): unknown {
  let left = MAX_VALUES;
  const cut = (part: unknown, depth: number): unknown => {
    left -= 1;
    if (typeof part === 'string') return boundedText(part);
    if (typeof part === 'number' || typeof part === 'boolean' || part === null) return part;
    if (typeof part !== 'object' || depth === 0 || left < 0) return '…';
    if (Array.isArray(part)) return part.slice(0, MAX_MEMBERS).map((member) => cut(member, depth - 1));
    const members = Object.entries(part).slice(0, MAX_MEMBERS);
    return Object.fromEntries(members.map(([name, member]) => [boundedText(name), cut(member, depth - 1)]));
  };
  return cut(value, MAX_DEPTH);
}
