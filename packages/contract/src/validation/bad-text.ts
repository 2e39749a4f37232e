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
export function findBadText(schema: z.ZodType, value: unknown): TextFault[] {
  const faults: TextFault[] = [];
  walk(schema as unknown as AnySchema, value, [], faults);
  return faults;
}

type Path = readonly (string | number)[];

function walk(schema: AnySchema, value: unknown, path: Path, faults: TextFault[]): void {
  const { def } = schema;
  if (typeof value === 'string') {
    if (def.type === 'string') checkText(value, path, faults);
  } else if (Array.isArray(value)) {
    if (def.element !== undefined) {
      for (const [i, item] of value.entries()) walk(def.element, item, [...path, i], faults);
    }
  } else if (value !== null && typeof value === 'object') {
    walkObject(def, value as Record<string, unknown>, path, faults);
  }
  for (const inner of innerSchemas(def)) walk(inner, value, path, faults);
}

function walkObject(def: Definition, value: Record<string, unknown>, path: Path, faults: TextFault[]): void {
  if (def.shape !== undefined) {
    for (const [key, inner] of Object.entries(def.shape)) {
      if (Object.hasOwn(value, key)) walk(inner, value[key], [...path, key], faults);
    }
  } else if (def.type === 'record' && def.valueType !== undefined) {
    for (const [key, item] of Object.entries(value)) {
      checkText(key, [...path, key], faults);
      walk(def.valueType, item, [...path, key], faults);
    }
  }
}

function checkText(text: string, path: Path, faults: TextFault[]): void {
  if (text.includes('\0')) {
    faults.push({ path, type: 'value_error', message: 'Text may not hold a NUL character' });
  } else if (!text.isWellFormed()) {
    faults.push({ path, type: 'string_unicode', message: 'Text may not hold half a surrogate pair' });
  }
}
