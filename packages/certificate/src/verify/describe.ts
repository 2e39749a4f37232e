/**
 * Describes a value of a document in a message: a primitive by its text, a list or object by its kind. Never throws:
 * `String()` of a hostile object may overflow the stack (100,000 nested lists), or find a number in place of
 * `toString`.
 */
export function describeValue(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return String(value);
}

/**
 * Truncates a compared value for a response: 200 characters, since it may come from a hostile page, and no lone
 * surrogate, for which strict JSON parsers reject the whole response.
 */
export function truncate(text: string): string {
  return text.slice(0, 200).toWellFormed();
}

/** Seconds since 1970 as RFC 3339; the number as text if it is outside the range of Date. */
export function utc(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? String(seconds) : date.toISOString();
}
