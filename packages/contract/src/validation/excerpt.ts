const LIMIT = 200;
const DEPTH = 8;
const SECRET_NAME = /secret|password|token|authorization|api_?key|private_?key/i;

/**
 * The part of an input value that an error body may repeat: at most 200 characters, well-formed, with bounded work
 * whatever the size of the value. A long container becomes the beginning of its JSON text.
 */
export function excerpt(value: unknown): unknown {
  if (typeof value === 'string') return cut(value);
  if (value === null || typeof value !== 'object') return value;
  const text = write(value, LIMIT + 1, DEPTH);
  return text.length <= LIMIT && !text.includes('…') ? value : cut(text);
}

/** At most 200 characters, without a lone surrogate at the end. */
export function cut(text: string): string {
  return text.slice(0, LIMIT).toWellFormed();
}

/** Whether the path contains a name of secret data, which must not be repeated. */
export function isSecret(path: readonly PropertyKey[]): boolean {
  return path.some((part) => typeof part === 'string' && SECRET_NAME.test(part));
}

function write(value: unknown, budget: number, depth: number): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, budget).toWellFormed());
  if (value === null || typeof value !== 'object') return String(value);
  if (depth === 0) return '…';
  const isList = Array.isArray(value);
  let text = isList ? '[' : '{';
  let first = true;
  for (const key in value) {
    if (text.length > budget) return text;
    if (!first) text += ',';
    first = false;
    if (!isList) text += `${JSON.stringify(key.slice(0, budget).toWellFormed())}:`;
    const item = (value as Record<string, unknown>)[key];
    text += SECRET_NAME.test(key) ? '"…"' : write(item, budget - text.length, depth - 1);
  }
  return text + (isList ? ']' : '}');
}
