import { OPERATIONS } from '@touchstone/contract';
import { openApiDocument } from '@touchstone/contract/openapi';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { withResponses } from '../../packages/contract/src/openapi/testing.ts';

interface Response {
  readonly headers?: Readonly<Record<string, { readonly required?: boolean; readonly schema: object }>>;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}
interface Described {
  readonly responses: Readonly<Record<string, Response>>;
}

/** A received response. */
export interface LiveAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const BASE = 'openapi.json';
/** Statuses that any address can return before the operation is known. */
const OF_EVERY_CALL = new Set([400, 405, 408, 413, 415, 431, 503]);

type Check = (method: string, path: string, answer: LiveAnswer) => void;

/** Compiled once per process, since that takes as long as the start of a service. */
const kept: { check?: Check } = {};

/** Validates real responses against the OpenAPI document: status, media type, body and headers. */
export function openApiCheck(): Check {
  kept.check ??= compileCheck();
  return kept.check;
}

function compileCheck(): Check {
  const document = withResponses<{ readonly paths: object }>(openApiDocument(OPERATIONS, '1'));
  const judge = openJudge(document);
  const paths = (Object.entries(document.paths) as [string, Record<string, Described>][]).map(
    ([path, methods]) => ({ path, methods, pattern: patternOf(path) }),
  );
  // if several paths match an address, the one with the fewest parameters counts
  paths.sort((a, b) => (a.path.match(/\{/g)?.length ?? 0) - (b.path.match(/\{/g)?.length ?? 0));
  return (method, target, answer) => {
    const [pathname = ''] = target.split('?');
    const described = paths.find(({ pattern }) => pattern.test(pathname))?.methods[method.toLowerCase()];
    if (described === undefined) return;
    const faults = faultsOf(judge, described, answer);
    if (faults.length > 0)
      throw new Error(
        `${method} ${target} answered ${answer.status}, not as docs/openapi.json has it: ${faults.join('; ')}\n${answer.text.slice(0, 500)}`,
      );
  };
}

type Judge = (schema: object, value: unknown) => string[];

function openJudge(document: object): Judge {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, BASE);
  const compiled = new Map<string, ValidateFunction>();
  return (schema, value) => {
    const text = JSON.stringify(schema).replaceAll('"#/', `"${BASE}#/`);
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text));
    compiled.set(text, validate);
    return validate(value) ? [] : [ajv.errorsText(validate.errors)];
  };
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`);
}

function faultsOf(judge: Judge, { responses }: Described, { status, headers, text }: LiveAnswer): string[] {
  const response = responses[status];
  if (response === undefined) return OF_EVERY_CALL.has(status) ? [] : [`no status ${status} is described`];
  const missing = Object.entries(response.headers ?? {})
    .filter(([name, { required }]) => required === true && headers.get(name) === null)
    .map(([name]) => `the header ${name} is missing`);
  return [...missing, ...undescribed(response, headers), ...bodyFaults(judge, response, headers, text)];
}

/** Headers relevant to clients, which must be documented where they are sent. */
const TOLD = [
  'cache-control',
  'etag',
  'surrogate-key',
  'retry-after',
  'ratelimit',
  'ratelimit-policy',
  'idempotency-replayed',
  'www-authenticate',
];

function undescribed({ headers: described = {} }: Response, headers: Headers): string[] {
  const names = new Set(Object.keys(described).map((name) => name.toLowerCase()));
  return TOLD.filter((name) => headers.has(name) && !names.has(name)).map(
    (name) => `the header ${name} is not described (${headers.get(name)})`,
  );
}

function bodyFaults(judge: Judge, { content = {} }: Response, headers: Headers, text: string): string[] {
  const [sent = ''] = (headers.get('content-type') ?? '').split(';');
  if (text === '') return [];
  const media = content[sent] ?? Object.entries(content).find(([type]) => fits(type, sent))?.[1];
  if (media === undefined) return [`no body of ${sent} is described`];
  if (!sent.endsWith('json') || sent.endsWith('ndjson')) return [];
  return judge(media.schema, JSON.parse(text));
}

const fits = (range: string, type: string) => range.endsWith('/*') && type.startsWith(range.slice(0, -1));
