/**
 * Bytes of a value of JSON when it is written without spaces, in UTF-8; more than `limit`, though not how many, where it is
 * larger. A value may be nested as deep as a body is long.
 *
 * @param text - what `writtenJson` makes of it, where that is known
 */
export function jsonSize(value: unknown, limit: number, text = writtenJson(value)): number {
  return text === null ? sizeOfParts(value, limit) : Buffer.byteLength(text);
}

/** A value as JSON; `null` where it is nested deeper than the engine writes, which is some thousands of levels. */
export function writtenJson(value: unknown): string | null {
  try {
    return JSON.stringify(value);
  } catch {
    return null;
  }
}

/** Part by part, without recursion; stops counting past `limit`. */
function sizeOfParts(value: unknown, limit: number): number {
  const rest = [value];
  let size = 0;
  while (rest.length > 0 && size <= limit) {
    const next = rest.pop();
    if (Array.isArray(next)) {
      size += punctuation(next.length);
      for (const item of next) rest.push(item);
    } else if (typeof next === 'object' && next !== null) {
      const entries = Object.entries(next);
      // a colon for each
      size += punctuation(entries.length) + entries.length;
      for (const entry of entries) rest.push(...entry);
    } else size += Buffer.byteLength(JSON.stringify(next));
  }
  return size;
}

/** Brackets, and commas between. */
function punctuation(count: number): number {
  return 2 + Math.max(0, count - 1);
}
