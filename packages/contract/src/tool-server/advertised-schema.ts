import { z } from 'zod';

type JsonSchema = Record<string, unknown>;

/**
 * The JSON Schema that clients are shown for a Zod schema. Nothing is validated by it: arguments are checked by the
 * tool itself, which tells all faults with a code; what it answers is made by the use cases, and tests hold it against
 * the schema.
 *
 * With `type: object` at the root, also over alternatives (revisions before 2026-07-28 ask for it), and without a
 * reference there, since many clients look for `properties` at the root.
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
      // who reads our answers should not choke on a field that is added later; a strict object stays strict
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
 * Says the same in words that older validators and model providers understand too: a tuple by its length (draft 7
 * reads `items: false` of 2020-12 as "nothing at all"), several types as alternatives.
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
