/**
 * Bytes of a JSON value, serialized without spaces in UTF-8. Above `limit`, some number greater than it is returned. The
 * nesting of a value is limited only by the length of the body.
 *
 * @param text - the result of `writtenJson` for the value, if known
 */
export function jsonSize(value: unknown, limit: number, text = writtenJson(value)): number {
  return text === null ? sizeOfParts(value, limit) : Buffer.byteLength(text);
}

/** Serializes a value as JSON; `null` if it is nested deeper than the engine supports, some thousands of levels. */
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
