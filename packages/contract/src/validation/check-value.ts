import type { z } from 'zod';
import { findBadText } from './bad-text.ts';
import { describeIssues, type ErrorDetail } from './issues.ts';

export type CheckedValue<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly faults: readonly ErrorDetail[] };

/**
 * Validates a value that is not a whole request: a row, an item of a batch, the arguments of a tool. All faults are
 * described as in the validation body, with `loc` relative to the value.
 */
export function checkValue<S extends z.ZodType>(schema: S, value: unknown): CheckedValue<z.infer<S>> {
  const parsed = schema.safeParse(value);
  const part = { name: 'body', schema, root: value, textual: false } as const;
  const faults: ErrorDetail[] = parsed.success
    ? []
    : describeIssues(parsed.error.issues, part).map((fault) => ({ ...fault, loc: fault.loc.slice(1) }));
  for (const fault of findBadText(schema, value)) {
    faults.push({ loc: [...fault.path], msg: fault.message, type: fault.type });
  }
  return parsed.success && faults.length === 0 ? { ok: true, value: parsed.data } : { ok: false, faults };
}
