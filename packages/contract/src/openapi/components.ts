import { z } from 'zod';

export type JsonObject = { [key: string]: unknown };

const LOCAL = '#/$defs/';
const SHARED = '#/components/schemas/';

/**
 * Converts Zod schemas to OpenAPI 3.1 schemas. A schema with a meta id becomes a shared component, referenced by
 * `$ref`. If its input form differs from its output form (defaults), it gets a second component, `…Input`.
 */
export class Components {
  readonly #schemas = new Map<string, JsonObject>();
  /** Cache of converted schemas: those of faults occur in every operation. */
  readonly #converted = { input: new Map<z.ZodType, JsonObject>(), output: new Map<z.ZodType, JsonObject>() };

  /** Converts a response. Convert all responses before the first request, so that the request schemas are named `…Input`. */
  output(schema: z.ZodType): JsonObject {
    return this.#convert(schema, 'output');
  }

  /** Converts a request. */
  input(schema: z.ZodType): JsonObject {
    return this.#convert(schema, 'input');
  }

  /** All components by name, sorted. */
  all(): JsonObject {
    return Object.fromEntries([...this.#schemas].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  #convert(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
    const known = this.#converted[io].get(schema) ?? this.#convertNew(schema, io);
    this.#converted[io].set(schema, known);
    return structuredClone(known);
  }

  #convertNew(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
    // wrapped in an object, so that a schema with an id becomes a reference
    const { properties, $defs } = z.toJSONSchema(z.object({ it: schema }), {
      io,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        delete jsonSchema.id;
        // clients must accept fields that are added later; a strict object stays strict
        const { def } = zodSchema as unknown as { def: { type: string; catchall?: unknown } };
        if (def.type === 'object' && def.catchall === undefined) delete jsonSchema.additionalProperties;
      },
    }) as unknown as { properties: { it: JsonObject }; $defs?: Record<string, JsonObject> };
    const defs: Record<string, JsonObject> = {};
    hoist({ it: properties.it, $defs }, defs);
    const names = this.#nameAll(defs);
    for (const [id, def] of Object.entries(defs)) this.#schemas.set(names.get(id) ?? id, relink(def, names));
    return relink(properties.it, names);
  }

  /** Component names of local definitions: the id, or `…Input` if a different component has that name. */
  #nameAll(defs: Record<string, JsonObject>): ReadonlyMap<string, string> {
    const names = new Map(Object.keys(defs).map((id) => [id, id]));
    // renaming a definition changes those that refer to it, so this repeats until nothing changes
    for (let changed = true; changed; ) {
      changed = false;
      for (const [id, def] of Object.entries(defs)) {
        const known = this.#schemas.get(names.get(id) ?? id);
        if (known !== undefined && names.get(id) === id && !isSame(known, relink(def, names))) {
          names.set(id, `${id}Input`);
          changed = true;
        }
      }
    }
    return names;
  }
}

/** Hoists nested definitions: a schema with another JSON Schema in its metadata also contains the definitions of that schema. */
function hoist(value: unknown, defs: Record<string, JsonObject>): void {
  if (typeof value !== 'object' || value === null) return;
  const node = value as JsonObject;
  const own = node.$defs as Record<string, JsonObject> | undefined;
  delete node.$defs;
  if ('$ref' in node) delete node.id;
  Object.assign(defs, own);
  for (const part of [...Object.values(node), ...Object.values(own ?? {})]) hoist(part, defs);
}

function relink(value: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  return JSON.parse(JSON.stringify(value), (key, item: unknown) => {
    if (key !== '$ref' || typeof item !== 'string' || !item.startsWith(LOCAL)) return item;
    const id = item.slice(LOCAL.length);
    return SHARED + (names.get(id) ?? id);
  });
}

function isSame(a: JsonObject, b: JsonObject): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
