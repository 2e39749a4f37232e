/** The members of a Zod definition that can contain other schemas (zod 4, `schema.def`). */
export interface AnySchema {
  readonly def: Definition;
  /** Set for numbers only. */
  readonly isInt?: boolean;
}
export interface Definition {
  readonly type: string;
  readonly innerType?: AnySchema;
  readonly in?: AnySchema;
  readonly element?: AnySchema;
  readonly valueType?: AnySchema;
  readonly shape?: Readonly<Record<string, AnySchema>>;
  readonly options?: readonly AnySchema[];
  readonly left?: AnySchema;
  readonly right?: AnySchema;
  readonly getter?: () => AnySchema;
}

const NONE: readonly AnySchema[] = [];

/** Inner schemas that validate the same value as `def`. */
export function innerSchemas(def: Definition): readonly AnySchema[] {
  switch (def.type) {
    case 'object':
    case 'string':
    case 'unknown':
      return NONE;
    case 'lazy':
      return def.getter === undefined ? NONE : [def.getter()];
    default:
      return [def.innerType, def.in, def.left, def.right, ...(def.options ?? [])].filter(
        (schema) => schema !== undefined,
      );
  }
}

/** Zod reports "number" for both; the validation body distinguishes integer fields from number fields. */
export function expectsInteger(schema: AnySchema, path: readonly PropertyKey[]): boolean {
  const { def } = schema;
  if (path.length === 0 && def.type === 'number') return schema.isInt === true;
  const [key, ...rest] = path;
  const child =
    typeof key === 'number'
      ? def.element
      : (def.shape?.[String(key)] ?? (key === undefined ? undefined : def.valueType));
  if (child !== undefined && key !== undefined) return expectsInteger(child, rest);
  return innerSchemas(def).some((inner) => expectsInteger(inner, path));
}
