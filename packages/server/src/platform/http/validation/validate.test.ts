import type { ErrorDetail } from '@touchstone/contract/validation';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { parseJsonBody } from './json-body.ts';
import { ValidationFault, validateInput } from './validate.ts';

const Params = z.object({ product_id: z.guid() });
const Query = z.strictObject({ limit: z.coerce.number().int().min(1).max(100).optional() });
const Body = z.object({
  productUrl: z.string().max(20),
  freshness: z.enum(['cached', 'fresh']).default('cached'),
  count: z.int().optional(),
  on: z.boolean().optional(),
  tags: z.array(z.string()).max(3).optional(),
  labels: z.record(z.string(), z.string()).optional(),
  password: z.string().min(8).optional(),
  document: z.unknown().optional(),
});
const GOOD_ID = '0b0e7a5c-6d1f-4b4e-9f57-0d4b0f6f2a11';

function faults(
  body: unknown,
  params: unknown = { product_id: GOOD_ID },
  query: unknown = {},
): ErrorDetail[] {
  return faultsOf(() =>
    validateInput(
      { params: Params, query: Query, body: Body },
      { params, query, body: { kind: 'value', value: body } },
    ),
  );
}

function faultsOf(run: () => unknown): ErrorDetail[] {
  try {
    run();
  } catch (error) {
    if (error instanceof ValidationFault) return [...error.detail];
    throw error;
  }
  return [];
}

describe('every fault is reported at once, with its location and FastAPI type name', () => {
  test('path, query and body faults are reported together', () => {
    const found = faults({}, { product_id: 'x' }, { limit: 'many' });
    expect(found.map((f) => [f.loc, f.type])).toEqual([
      [['path', 'product_id'], 'uuid_parsing'],
      [['query', 'limit'], 'int_parsing'],
      [['body', 'productUrl'], 'missing'],
    ]);
    expect(found[0]?.input).toBe('x');
  });

  test.each<[string, unknown, (string | number)[], string]>([
    ['number for text', { productUrl: 5 }, ['body', 'productUrl'], 'string_type'],
    ['null for text', { productUrl: null }, ['body', 'productUrl'], 'string_type'],
    ['text for integer', { productUrl: 'a', count: '1' }, ['body', 'count'], 'int_type'],
    ['float for integer', { productUrl: 'a', count: 1.5 }, ['body', 'count'], 'int_type'],
    ['text for boolean', { productUrl: 'a', on: 'yes' }, ['body', 'on'], 'bool_type'],
    ['text for list', { productUrl: 'a', tags: 'b' }, ['body', 'tags'], 'list_type'],
    ['list for record', { productUrl: 'a', labels: [] }, ['body', 'labels'], 'dict_type'],
    ['number in list', { productUrl: 'a', tags: [1] }, ['body', 'tags', 0], 'string_type'],
    ['long list', { productUrl: 'a', tags: ['1', '2', '3', '4'] }, ['body', 'tags'], 'too_long'],
    ['long text', { productUrl: 'a'.repeat(21) }, ['body', 'productUrl'], 'string_too_long'],
    ['unknown choice', { productUrl: 'a', freshness: 'stale' }, ['body', 'freshness'], 'enum'],
    ['list for body', [], ['body'], 'dict_type'],
    ['null for body', null, ['body'], 'dict_type'],
    ['no body', undefined, ['body'], 'missing'],
  ])('%s', (_, body, loc, type) => {
    expect(faults(body).map((f) => ({ loc: f.loc, type: f.type }))).toEqual([{ loc, type }]);
  });

  test('unknown names are reported one by one if the schema is strict', () => {
    const strict = z.strictObject({ a: z.string() });
    const found = faultsOf(() =>
      validateInput(
        { body: strict },
        { params: {}, query: {}, body: { kind: 'value', value: { a: 'x', b: 1, c: 2 } } },
      ),
    );
    expect(found.map((f) => [f.loc, f.type])).toEqual([
      [['body', 'b'], 'extra_forbidden'],
      [['body', 'c'], 'extra_forbidden'],
    ]);
  });

  test('unknown names of the query are reported one by one, with the closest known name', () => {
    const sent = {
      limt: '5',
      LIMIT: '5',
      colour: 'red',
      '': 'x',
      api_key: 'hunter2',
      ['l'.repeat(500)]: '1',
    };
    const found = faults({ productUrl: 'a' }, undefined, sent);
    expect(found.map(({ loc, type, msg, input }) => [loc, type, msg, input])).toEqual([
      [['query', 'limt'], 'extra_forbidden', "Extra inputs are not permitted; did you mean 'limit'?", '5'],
      [['query', 'LIMIT'], 'extra_forbidden', "Extra inputs are not permitted; did you mean 'limit'?", '5'],
      [['query', 'colour'], 'extra_forbidden', 'Extra inputs are not permitted', 'red'],
      [['query', ''], 'extra_forbidden', 'Extra inputs are not permitted', 'x'],
      [['query', 'api_key'], 'extra_forbidden', 'Extra inputs are not permitted', undefined],
      [['query', 'l'.repeat(200)], 'extra_forbidden', 'Extra inputs are not permitted', '1'],
    ]);
  });

  test('an unknown name of a body is reported with the closest known name', () => {
    const strict = z.strictObject({ productUrl: z.string() });
    const value = { productUrl: 'a', productURL: 'b', colour: 'red' };
    const found = faultsOf(() =>
      validateInput({ body: strict }, { params: {}, query: {}, body: { kind: 'value', value } }),
    );
    expect(found.map(({ loc, msg }) => [loc, msg])).toEqual([
      [['body', 'productURL'], "Extra inputs are not permitted; did you mean 'productUrl'?"],
      [['body', 'colour'], 'Extra inputs are not permitted'],
    ]);
  });

  test('if no query name is defined none is accepted, except by an operation that accepts any', () => {
    const told = (schemas: { anyQuery?: boolean }) =>
      faultsOf(() => validateInput(schemas, { params: {}, query: { a: '1', b: ['2', '3'] } })).map(
        (f) => f.loc,
      );
    expect(told({})).toEqual([
      ['query', 'a'],
      ['query', 'b'],
    ]);
    expect(told({ anyQuery: true })).toEqual([]);
  });

  test('of several alternatives the closest one is reported', () => {
    const either = z.object({ a: z.union([z.string(), z.object({ b: z.int() })]) });
    const told = (value: unknown) =>
      faultsOf(() =>
        validateInput({ body: either }, { params: {}, query: {}, body: { kind: 'value', value } }),
      ).map((f) => [f.loc, f.type]);
    expect(told({ a: { b: 'x' } })).toEqual([[['body', 'a', 'b'], 'int_type']]);
    expect(told({ a: 7 })).toEqual([[['body', 'a'], 'value_error']]);
    expect(told({})).toEqual([[['body', 'a'], 'missing']]);
  });
});

describe('invalid input is quoted with restraint', () => {
  test('a long text is truncated to 200 characters', () => {
    expect(String(faults({ productUrl: 'a'.repeat(5000) })[0]?.input)).toHaveLength(200);
  });

  test('a large value is truncated without walking all of it', () => {
    const found = faults({ productUrl: Array.from({ length: 100_000 }, (_, i) => i) });
    expect(String(found[0]?.input).length).toBeLessThanOrEqual(200);
  });

  test('a secret is never quoted, neither itself nor inside a container', () => {
    expect(faults({ productUrl: 'a', password: 'short' })[0]).not.toHaveProperty('input');
    expect(JSON.stringify(faults([{ password: 'hunter2 hunter2' }]))).not.toContain('hunter2');
  });

  test('a body nested deeper is refused before it is parsed; brackets in texts do not count', () => {
    const parsed = (text: string) => parseJsonBody(new TextEncoder().encode(text));
    const depth = 100_001;
    const reason = 'the body is nested over 100000 levels deep';
    expect(parsed('['.repeat(depth) + ']'.repeat(depth))).toEqual({ kind: 'invalid', reason });
    expect(parsed(`{"a":${'['.repeat(2 * depth)}`)).toEqual({ kind: 'invalid', reason });
    const text = `\\"${'['.repeat(2 * depth)}`;
    expect(parsed(`["${text}"]`)).toEqual({ kind: 'value', value: [JSON.parse(`"${text}"`)] });
  });

  test('a value nested 100,000 deep is answered', () => {
    const deep = parseJsonBody(new TextEncoder().encode('['.repeat(100_000) + ']'.repeat(100_000)));
    expect(deep.kind).toBe('value');
    expect(faultsOf(() => validateInput({ body: Body }, { params: {}, query: {}, body: deep }))).toHaveLength(
      1,
    );
  });

  test('the number of faults is limited, and those omitted are counted', () => {
    const schema = z.array(z.string());
    const value = Array.from({ length: 5000 }, () => 1);
    const found = faultsOf(() =>
      validateInput({ body: schema }, { params: {}, query: {}, body: { kind: 'value', value } }),
    );
    expect(found).toHaveLength(1001);
    expect(found.at(-1)?.ctx).toEqual({ more: 4000 });
  });
});

describe('text that could not be stored or returned is refused only in our own fields', () => {
  test.each([
    ['NUL', 'a\0b', 'value_error'],
    ['lone surrogate', 'a\ud800', 'string_unicode'],
  ])('%s', (_, text, type) => {
    expect(faults({ productUrl: text }).map((f) => f.type)).toEqual([type]);
    expect(faults({ productUrl: 'a', tags: [text] }).map((f) => f.loc)).toEqual([['body', 'tags', 0]]);
    expect(faults({ productUrl: 'a', labels: { x: text } })).toHaveLength(1);
    expect(faults({ productUrl: 'a', document: { url: text } })).toEqual([]);
  });
});

function parse(text: string) {
  return parseJsonBody(new TextEncoder().encode(text));
}

describe('JSON bodies', () => {
  test('a byte order mark and duplicate names are accepted, the last one counts', () => {
    expect(parse('\ufeff{"a":1,"a":2}')).toEqual({ kind: 'value', value: { a: 2 } });
  });

  test('__proto__ is an ordinary name: no prototype changes, before or after validation', () => {
    const body = parse(
      '{"__proto__":{"polluted":true},"productUrl":"a","document":{"__proto__":{"polluted":true}}}',
    );
    const { body: out } = validateInput({ body: Body }, { params: {}, query: {}, body });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect((out as Record<string, unknown>).polluted).toBeUndefined();
    const loose = validateInput({ body: z.looseObject({}) }, { params: {}, query: {}, body });
    expect((loose.body as Record<string, unknown>).polluted).toBeUndefined();
  });

  test.each(['', '{', '{"a":}', 'nul', '{"a":1}x', "{'a':1}"])(
    '%j is json_invalid, with its position',
    (text) => {
      const body = parse(text);
      expect(body.kind).toBe('invalid');
      const found = faultsOf(() => validateInput({ body: Body }, { params: {}, query: {}, body }));
      expect(found.map((f) => f.type)).toEqual(['json_invalid']);
      expect(found[0]?.loc).toHaveLength(2);
    },
  );

  test('bytes that are not UTF-8 are json_invalid', () => {
    expect(parseJsonBody(Uint8Array.of(0x22, 0xff, 0x22)).kind).toBe('invalid');
  });
});
