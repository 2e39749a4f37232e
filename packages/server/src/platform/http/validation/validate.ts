import { cut, describeIssues, type ErrorDetail, findBadText } from '@touchstone/contract/validation';
import { z } from 'zod';
import type { JsonBody } from './json-body.ts';

/** Entries at the most; a body of a million faults is not answered with a million entries. */
const MAX_ENTRIES = 1000;

/** Thrown at the edge only; answered as the validation body. */
export class ValidationFault extends Error {
  readonly detail: readonly ErrorDetail[];

  constructor(detail: readonly ErrorDetail[]) {
    super(`validation: ${detail.length} fault(s)`);
    this.name = 'ValidationFault';
    this.detail = detail;
  }
}

export interface RawInput {
  readonly params: unknown;
  readonly query: unknown;
  /** Absent where the request had no body. */
  readonly body?: JsonBody | undefined;
}

interface Schemas {
  readonly params?: z.ZodType;
  /** Strict. Without a schema, the query must be empty, unless `anyQuery` is set. */
  readonly query?: z.ZodType;
  readonly anyQuery?: boolean;
  readonly body?: z.ZodType;
}

const NO_QUERY = z.strictObject({});

/** Checks path, query and body together, so that every fault is reported at once; throws `ValidationFault`. */
export function validateInput(
  schemas: Schemas,
  raw: RawInput,
): { params: unknown; query: unknown; body: unknown } {
  const faults: ErrorDetail[] = [];
  const params = validatePart(schemas.params, 'path', raw.params, faults);
  const asked = schemas.query ?? (schemas.anyQuery === true ? undefined : NO_QUERY);
  const query = validatePart(asked, 'query', raw.query, faults);
  let body: unknown;
  if (schemas.body !== undefined && raw.body?.kind === 'invalid') faults.push(jsonInvalid(raw.body));
  else
    body = validatePart(
      schemas.body,
      'body',
      raw.body?.kind === 'value' ? raw.body.value : undefined,
      faults,
    );
  if (faults.length > 0) throw new ValidationFault(bounded(faults));
  return { params, query, body };
}

function validatePart(
  schema: z.ZodType | undefined,
  name: 'path' | 'query' | 'body',
  root: unknown,
  faults: ErrorDetail[],
): unknown {
  if (schema === undefined) return undefined;
  try {
    const result = schema.safeParse(root);
    const badText = findBadText(schema, root);
    if (result.success && badText.length === 0) return result.data;
    const found = result.success
      ? []
      : describeIssues(result.error.issues, { name, schema, root, textual: name !== 'body' });
    const reported = new Set(found.map((fault) => JSON.stringify(fault.loc)));
    for (const fault of badText) {
      const loc = [name, ...fault.path.map((key) => (typeof key === 'string' ? cut(key) : key))];
      if (!reported.has(JSON.stringify(loc))) found.push({ loc, msg: fault.message, type: fault.type });
    }
    for (const fault of found) faults.push(fault);
    return result.data;
  } catch (error) {
    // a schema that recurses with the value can run out of stack on hostile nesting
    if (!(error instanceof RangeError)) throw error;
    faults.push({ loc: [name], msg: 'Input is nested too deeply', type: 'recursion_loop' });
    return undefined;
  }
}

function jsonInvalid(body: Extract<JsonBody, { kind: 'invalid' }>): ErrorDetail {
  return {
    loc: body.position === undefined ? ['body'] : ['body', body.position],
    msg: 'JSON decode error',
    type: 'json_invalid',
    ctx: { error: body.reason },
  };
}

function bounded(faults: readonly ErrorDetail[]): readonly ErrorDetail[] {
  if (faults.length <= MAX_ENTRIES) return faults;
  const rest = faults.length - MAX_ENTRIES;
  return [
    ...faults.slice(0, MAX_ENTRIES),
    { loc: [], msg: `And ${rest} more faults`, type: 'too_many_faults', ctx: { more: rest } },
  ];
}
