import { z } from 'zod';

type JsonSchema = Record<string, unknown>;

/**
 * The JSON Schema shown to clients for a Zod schema. It is not used for validation: tools validate their arguments
 * themselves and report all faults with a code; results come from the use cases, and tests check them against the
 * schema.
 *
 * The root has `type: object`, also for alternatives (required by revisions before 2026-07-28), and is not a reference,
 * since many clients look for `properties` at the root.
 */
export function advertisedSchema(
  schema: z.ZodType,
  io: 'input' | 'output',
): JsonSchema & { readonly type: 'object' } {
  const made = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      delete jsonSchema.id;
      // clients must accept fields that are added later; a strict object stays strict
      const { def } = zodSchema._zod;
      if (def.type === 'object' && !('catchall' in def && def.catchall !== undefined)) {
        delete jsonSchema.additionalProperties;
      }
    },
  });
  const { $ref, $defs = {}, ...root } = portable(made);
  const { [$ref?.replace('#/$defs/', '') ?? '']: own, ...others } = $defs;
  const defs = Object.keys(others).length === 0 ? {} : { $defs: others };
  return { ...root, ...own, ...defs, type: 'object' };
}

interface RootSchema extends JsonSchema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
}

/**
 * Rewrites a schema for older validators and model providers: a tuple as an array of its length (draft 7 would read
 * `items: false` of 2020-12 as "no items"), several types as alternatives.
 */
function portable(schema: object): RootSchema {
  return JSON.parse(JSON.stringify(schema), (_, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value;
    const { prefixItems, type, ...rest } = value as JsonSchema;
    if (Array.isArray(prefixItems)) {
      delete rest.items;
      return { type, minItems: prefixItems.length, maxItems: prefixItems.length, ...rest };
    }
    return Array.isArray(type) ? { anyOf: type.map((one: unknown) => ({ type: one })), ...rest } : value;
  });
}
