import type { z } from 'zod';
import { type AnySchema, type Definition, innerSchemas } from './schema-shape.ts';

export interface TextFault {
  readonly path: readonly (string | number)[];
  readonly type: 'value_error' | 'string_unicode';
  readonly message: string;
}

/**
 * Finds NUL and lone surrogates in fields that the schema declares as strings. Values of open schemas (`z.unknown()`,
 * such as `document`) are not searched.
 *
 * PostgreSQL stores neither, and a lone surrogate cannot be sent back as UTF-8.
 */
export function findBadText(schema: z.ZodType, value: unknown): readonly TextFault[] {
  const found: Found = { path: [], faults: [] };
  walk(schema as unknown as AnySchema, value, found);
  return found.faults;
}

interface Found {
  /** The way to the value that is searched. */
  readonly path: (string | number)[];
  readonly faults: TextFault[];
}

function walk(schema: AnySchema, value: unknown, found: Found): void {
  const { def } = schema;
  if (typeof value === 'string') {
    if (def.type === 'string') checkText(value, found);
  } else if (Array.isArray(value)) {
    if (def.element !== undefined) for (const i of value.keys()) step(def.element, value[i], i, found);
  } else if (value !== null && typeof value === 'object') {
    walkObject(def, value as Record<string, unknown>, found);
  }
  for (const inner of innerSchemas(def)) walk(inner, value, found);
}

function step(schema: AnySchema, value: unknown, key: string | number, found: Found): void {
  found.path.push(key);
  walk(schema, value, found);
  found.path.pop();
}

function walkObject({ type, shape, valueType }: Definition, value: Record<string, unknown>, found: Found) {
  if (shape !== undefined) {
    for (const key in shape)
      if (Object.hasOwn(value, key)) step(shape[key] as AnySchema, value[key], key, found);
  } else if (type === 'record' && valueType !== undefined) {
    for (const key of Object.keys(value)) {
      found.path.push(key);
      checkText(key, found);
      found.path.pop();
      step(valueType, value[key], key, found);
    }
  }
}

function checkText(text: string, { path, faults }: Found): void {
  if (text.includes('\0')) {
    faults.push({ path: [...path], type: 'value_error', message: 'Text may not hold a NUL character' });
  } else if (!text.isWellFormed()) {
    faults.push({
      path: [...path],
      type: 'string_unicode',
      message: 'Text may not hold half a surrogate pair',
    });
  }
}
