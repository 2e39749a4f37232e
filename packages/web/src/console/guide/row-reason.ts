/** The parsed reason why a row was not imported. */
interface RowReason {
  readonly code: string;
  /** The field that the registry rejected. */
  readonly field?: string | undefined;
  /** The rejected value; untrusted. */
  readonly value?: string | undefined;
}

/**
 * @param kind - a code, optionally followed by a space and a field; of several, separated by commas, the first counts
 * @param reason - the English sentence of the code, with the rejected value in the place of `{value}` or after it
 * @param known - the English sentences by code
 */
export function parseRowReason(
  kind: string,
  reason: string,
  known: Readonly<Record<string, string>>,
): RowReason {
  const [, code = '', field = ''] = /^(\S*) ?([^,]*)/.exec(kind) ?? [];
  const value = Object.hasOwn(known, code) ? valueIn(reason, known[code] ?? '', code) : undefined;
  return { code, field: field === '' ? undefined : field, value };
}

function valueIn(reason: string, sentence: string, code: string): string | undefined {
  // it covers many faults: only the service's sentence is specific
  if (code === 'value_error') return reason;
  const [before = '', after] = sentence.split('{value}');
  if (after === undefined)
    return reason.startsWith(`${sentence} `) ? reason.slice(sentence.length + 1) : undefined;
  const start = reason.indexOf(before);
  const end = reason.indexOf(after, start + before.length);
  return start < 0 || end < 0 ? undefined : reason.slice(start + before.length, end);
}
