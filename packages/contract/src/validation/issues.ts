import type { z } from 'zod';
import { closestName } from './closest-name.ts';
import { cut, excerpt, isSecret } from './excerpt.ts';
import { type AnySchema, expectsInteger } from './schema-shape.ts';

/** One entry of `detail` (spec "Validation error body"), with FastAPI's type names, which clients already parse. */
export interface ErrorDetail {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
  readonly input?: unknown;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

type Issue = z.core.$ZodIssue;
interface Part {
  readonly name: 'path' | 'query' | 'body';
  readonly schema: z.ZodType;
  /** The value that was validated. */
  readonly root: unknown;
  /** Parsed from text, like path and query. */
  readonly textual: boolean;
}
type Words = Pick<ErrorDetail, 'type' | 'msg' | 'ctx'>;

/**
 * Describes Zod's issues with one part of the request as in the validation body. In a textual part, an unreadable
 * number is a parsing fault rather than a type fault.
 */
export function describeIssues(issues: readonly Issue[], part: Part): ErrorDetail[] {
  return issues.flatMap((issue) => {
    const path = issue.path.map((key) => (typeof key === 'number' ? key : String(key)));
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) =>
        entry(part.name, [...path, key], at(part.root, [...path, key]), {
          type: 'extra_forbidden',
          msg: `Extra inputs are not permitted${path.length === 0 ? hint(key, part.schema) : ''}`,
        }),
      );
    }
    if (issue.code === 'invalid_union') return describeUnion(issue, path, part);
    const value = at(part.root, path);
    return [entry(part.name, path, value, words(issue, value, part))];
  });
}

function hint(given: string, schema: z.ZodType): string {
  const { shape = {} } = (schema as unknown as AnySchema).def;
  const closest = closestName(given, Object.keys(shape));
  return closest === null ? '' : `; did you mean '${closest}'?`;
}

/** Describes the issues of the closest alternative; if none is close, the value itself is at fault. */
function describeUnion(
  issue: Extract<Issue, { code: 'invalid_union' }>,
  path: readonly (string | number)[],
  part: Part,
): ErrorDetail[] {
  const closest = issue.errors
    .filter((branch) => !branch.some((inner) => inner.path.length === 0 && inner.code === 'invalid_type'))
    .toSorted((a, b) => a.length - b.length)[0];
  if (closest !== undefined && closest.length > 0) {
    return describeIssues(
      closest.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })),
      part,
    );
  }
  const value = at(part.root, path);
  if (value === undefined) return [entry(part.name, path, value, MISSING)];
  return [
    entry(part.name, path, value, { type: 'value_error', msg: 'Input matches none of the allowed forms' }),
  ];
}

const MISSING: Words = { type: 'missing', msg: 'Field required' };

function entry(
  name: string,
  path: readonly (string | number)[],
  value: unknown,
  { type, msg, ctx }: Words,
): ErrorDetail {
  return {
    loc: [name, ...path.map((key) => (typeof key === 'string' ? cut(key) : key))],
    msg,
    type,
    ...(value === undefined || isSecret(path) ? {} : { input: excerpt(value) }),
    ...(ctx === undefined ? {} : { ctx }),
  };
}

function at(root: unknown, path: readonly PropertyKey[]): unknown {
  let value: unknown = root;
  for (const key of path) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

function words(issue: Issue, value: unknown, part: Part): Words {
  switch (issue.code) {
    case 'invalid_type':
      return value === undefined
        ? MISSING
        : wrongType(expectedType(issue, part), part.textual && typeof value === 'string');
    case 'invalid_format':
      return wrongFormat(issue);
    case 'invalid_value':
      return notAmong(issue.values);
    case 'too_big':
      return tooBig(issue);
    case 'too_small':
      return tooSmall(issue);
    case 'not_multiple_of':
      return {
        type: 'multiple_of',
        msg: `Input should be a multiple of ${issue.divisor}`,
        ctx: { multiple_of: Number(issue.divisor) },
      };
    case 'custom':
      return {
        type: typeof issue.params?.type === 'string' ? issue.params.type : 'value_error',
        msg: issue.message,
      };
    default:
      return { type: 'value_error', msg: issue.message };
  }
}

const TYPES: Readonly<Record<string, readonly [type: string, parsing: string, noun: string]>> = {
  string: ['string_type', 'string_type', 'string'],
  int: ['int_type', 'int_parsing', 'integer'],
  number: ['float_type', 'float_parsing', 'number'],
  boolean: ['bool_type', 'bool_parsing', 'boolean'],
  array: ['list_type', 'list_type', 'list'],
  object: ['dict_type', 'dict_type', 'object'],
  record: ['dict_type', 'dict_type', 'object'],
  date: ['datetime_type', 'datetime_parsing', 'date-time'],
  null: ['none_required', 'none_required', 'null'],
};

function expectedType(issue: Extract<Issue, { code: 'invalid_type' }>, part: Part): string {
  const isNumber = issue.expected === 'number';
  return isNumber && expectsInteger(part.schema as unknown as AnySchema, issue.path) ? 'int' : issue.expected;
}

function wrongType(expected: string, parsing: boolean): Words {
  const row = TYPES[expected];
  if (row === undefined) return { type: 'value_error', msg: `Input should be of type ${expected}` };
  return { type: parsing ? row[1] : row[0], msg: `Input should be a valid ${row[2]}` };
}

const FORMATS: Readonly<Record<string, readonly [type: string, noun: string]>> = {
  uuid: ['uuid_parsing', 'UUID'],
  guid: ['uuid_parsing', 'UUID'],
  url: ['url_parsing', 'absolute URL'],
  datetime: ['datetime_parsing', 'RFC 3339 date-time'],
  date: ['date_parsing', 'date'],
};

function wrongFormat(issue: Extract<Issue, { code: 'invalid_format' }>): Words {
  if (issue.format === 'regex') {
    const pattern = issue.pattern ?? '';
    return {
      type: 'string_pattern_mismatch',
      msg: `String should match pattern '${pattern}'`,
      ctx: { pattern },
    };
  }
  const row = FORMATS[issue.format];
  if (row === undefined) return { type: 'value_error', msg: issue.message };
  return { type: row[0], msg: `Input should be a valid ${row[1]}` };
}

function notAmong(values: readonly unknown[]): Words {
  const names = values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value)));
  const expected =
    names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
  return {
    type: names.length < 2 ? 'literal_error' : 'enum',
    msg: `Input should be ${expected}`,
    ctx: { expected },
  };
}

function tooBig(issue: Extract<Issue, { code: 'too_big' }>): Words {
  const max = Number(issue.maximum);
  if (issue.origin === 'string') {
    return {
      type: 'string_too_long',
      msg: `String should have at most ${counted(max, 'character')}`,
      ctx: { max_length: max },
    };
  }
  if (issue.origin === 'array') {
    return {
      type: 'too_long',
      msg: `List should have at most ${counted(max, 'item')}${ownWords(issue)}`,
      ctx: { max_length: max },
    };
  }
  return issue.inclusive === false
    ? { type: 'less_than', msg: `Input should be less than ${max}`, ctx: { lt: max } }
    : { type: 'less_than_equal', msg: `Input should be less than or equal to ${max}`, ctx: { le: max } };
}

/** The schema's own message, such as how to send more. */
function ownWords({ message }: Issue): string {
  return message.startsWith(ZOD_TOO_BIG) ? '' : `; ${message}`;
}

/** Beginning of Zod's default message, in the locale that it loads by default. */
const ZOD_TOO_BIG = 'Too big';

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function tooSmall(issue: Extract<Issue, { code: 'too_small' }>): Words {
  const min = Number(issue.minimum);
  if (issue.origin === 'string') {
    return {
      type: 'string_too_short',
      msg: `String should have at least ${counted(min, 'character')}`,
      ctx: { min_length: min },
    };
  }
  if (issue.origin === 'array') {
    return {
      type: 'too_short',
      msg: `List should have at least ${counted(min, 'item')}`,
      ctx: { min_length: min },
    };
  }
  return issue.inclusive === false
    ? { type: 'greater_than', msg: `Input should be greater than ${min}`, ctx: { gt: min } }
    : {
        type: 'greater_than_equal',
        msg: `Input should be greater than or equal to ${min}`,
        ctx: { ge: min },
      };
}
