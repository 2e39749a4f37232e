/** Why a row was not imported, taken apart. */
export interface RowReason {
  readonly code: string;
  /** Which field the registry refuses. */
  readonly field?: string;
  /** What was met; untrusted. */
  readonly value?: string;
}

/**
 * @param kind - a code, and behind a blank the field; of several, divided by commas, the first counts
 * @param reason - the English sentence of the code, with what was met in the place of `{value}` or behind it
 * @param known - the sentences of codes in English
 */
export function parseRowReason(
  kind: string,
  reason: string,
  known: Readonly<Record<string, string>>,
): RowReason {
  const [, code = '', field = ''] = /^(\S*) ?([^,]*)/.exec(kind) ?? [];
  const value = Object.hasOwn(known, code) ? valueIn(reason, known[code] ?? '', code) : undefined;
  return { code, ...(field === '' ? {} : { field }), ...(value === undefined ? {} : { value }) };
}

function valueIn(reason: string, sentence: string, code: string): string | undefined {
  // it covers many faults: only what the service says tells which
  if (code === 'value_error') return reason;
  const [before = '', after] = sentence.split('{value}');
  if (after === undefined)
    return reason.startsWith(`${sentence} `) ? reason.slice(sentence.length + 1) : undefined;
  const start = reason.indexOf(before);
  const end = reason.indexOf(after, start + before.length);
  return start < 0 || end < 0 ? undefined : reason.slice(start + before.length, end);
}
