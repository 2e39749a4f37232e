/**
 * Describes a value of a document in a message: a plain value by its text, anything deeper by its kind. Never
 * throws, whatever the value: text made of a hostile object may overflow the stack (100,000 nested lists) or find a
 * number where `toString` should be.
 */
export function describeValue(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return String(value);
}

/**
 * What a check compared, as far as an answer repeats it: 200 characters, since it may come from a hostile page, and no
 * half of a surrogate pair, on which strict readers of JSON give up the whole answer.
 */
export function truncate(text: string): string {
  return text.slice(0, 200).toWellFormed();
}

/** Seconds since 1970 as RFC 3339; as they are where no date is so far away. */
export function utc(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? String(seconds) : date.toISOString();
}
