import fc from 'fast-check';

/** JSON Schema as used in our OpenAPI document. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

export interface Schemas {
  readonly resolve: (schema: Schema) => Schema;
  /** Values with a meaning for the service, by field name; placeholders such as `{{store}}`. */
  readonly known: Readonly<Record<string, fc.Arbitrary<unknown>>>;
}

const text = (min: number, max: number) =>
  fc.oneof(
    { weight: 5, arbitrary: fc.string({ minLength: Math.max(min, 1), maxLength: Math.min(max, 40) }) },
    {
      weight: 2,
      arbitrary: fc.string({ unit: 'grapheme', minLength: Math.max(min, 1), maxLength: Math.min(max, 40) }),
    },
    { weight: 1, arbitrary: fc.constant('x'.repeat(max)) },
  );

/** Values that a schema allows. */
export function valid(schema: Schema, schemas: Schemas, name = ''): fc.Arbitrary<unknown> {
  const known = schemas.known[name];
  if (known !== undefined) return known;
  const found = schemas.resolve(schema);
  if (found.anyOf !== undefined) return fc.oneof(...found.anyOf.map((one) => valid(one, schemas)));
  if (found.enum !== undefined) return fc.constantFrom(...found.enum);
  switch (found.type) {
    case 'string':
      return found.format === 'uuid' ? fc.uuid() : text(found.minLength ?? 0, found.maxLength ?? 100);
    case 'integer':
    case 'number':
      return fc.integer({ min: found.minimum ?? -1000, max: Math.min(found.maximum ?? 1000, 1_000_000) });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(valid(found.items ?? {}, schemas), { minLength: found.minItems ?? 0, maxLength: 4 });
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(found.properties ?? {}).map(([key, one]) => [key, valid(one, schemas, key)]),
        ),
        { requiredKeys: [...(found.required ?? [])] },
      );
    default:
      return fc.jsonValue({ maxDepth: 3 });
  }
}

/** Values that no schema of ours allows, or edge cases. */
export const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    '\ud800',
    'x\udfff',
    '\u202e\u200b\ufeff',
    '%00',
    '../../etc/passwd',
    "'; drop table products; --",
    `\${jndi:ldap://127.0.0.1/x}`,
    '{{7*7}}',
    '<script>alert(1)</script>',
    'x'.repeat(3_000),
    '\u{1F600}'.repeat(300),
    'http://127.0.0.1:1/',
    'https://169.254.169.254/latest/meta-data/',
    'http://[::ffff:127.0.0.1]/',
    'http://user:pass@mine.example/',
    'http://mine.example:22/',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'http://mine.example\\@theirs.example/',
    'xn--a.example',
    'NaN',
    '1e400',
    '00000000-0000-0000-0000-000000000000',
    0,
    -0,
    -1,
    0.5,
    1e21,
    2 ** 53,
    2 ** 31,
    2 ** 63,
    true,
    [],
    {},
    [[]],
    [null],
    { $ne: null },
    { toString: 'x', valueOf: 1 },
    { length: 1_000_000_000 },
    JSON.parse('{"then":1}'),
    { toJSON: 'x' },
  ),
  fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }),
  fc.string({ unit: 'binary', maxLength: 200 }),
);

/** An allowed value with one error: a missing field, an additional one, or one of another type. */
export function nearValid(schema: Schema, schemas: Schemas): fc.Arbitrary<unknown> {
  return fc.tuple(valid(schema, schemas), fc.nat(), fc.nat(2), hostile).map(([value, at, how, bad]) => {
    const places = placesIn(value);
    const place = places[at % Math.max(places.length, 1)];
    if (place === undefined) return bad;
    const { holder, key } = place;
    if (how === 0) holder[key] = bad;
    else if (how === 1 && !Array.isArray(holder)) delete holder[key];
    else if (Array.isArray(holder)) holder.push(bad);
    else {
      // as JSON.parse does: an own property, whatever its name
      const extra = ['extra', '__proto__', 'constructor', ''][at % 4] ?? '';
      Object.defineProperty(holder, extra, { value: bad, enumerable: true, configurable: true });
    }
    return value;
  });
}

interface Place {
  readonly holder: Record<string, unknown> & unknown[];
  readonly key: string;
}

function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Place['holder'];
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...placesIn(holder[key])]);
}
