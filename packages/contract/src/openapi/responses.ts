import { ValidationErrorSchema } from '@touchstone/certificate/schema';
import { ERROR_CODES, type ErrorCode } from '../error-codes.ts';
import { PROBLEM_MEDIA_TYPE, ProblemSchema, STATUS_OF, ValidationOrProblemSchema } from '../errors.ts';
import type { Operation, ReplyShape } from '../operation.ts';
import type { Components, JsonObject } from './components.ts';
import { describeHeaders } from './headers.ts';

/** All responses of an operation, by status. */
export function describeResponses(operation: Operation, components: Components): JsonObject {
  const responses: Record<string, JsonObject> = {};
  for (const [status, shape] of Object.entries(operation.replies)) {
    const schema = shape.schema === undefined ? {} : components.output(shape.schema);
    const mediaType = shape.mediaType ?? (shape.schema === undefined ? undefined : 'application/json');
    responses[status] = {
      description: shape.description,
      ...(mediaType === undefined
        ? {}
        : // not also `alsoAs`: clients that are generated would be given one or the other by any call
          { content: { [mediaType]: { schema }, ...lineContent(shape, components) } }),
    };
  }
  for (const [status, codes] of faultsByStatus(operation)) {
    responses[status] ??= { description: '' };
    addFaults(responses[status], codes, components);
  }
  if (isValidated(operation)) addValidation(responses, components);
  return Object.fromEntries(
    Object.entries(responses)
      .toSorted(([a], [b]) => Number(a) - Number(b))
      .map(([status, { description, content, ...others }]) => [
        status,
        {
          description,
          headers: describeHeaders(operation, Number(status)),
          ...others,
          ...(content !== undefined && { content }),
        },
      ]),
  );
}

/** The response to an NDJSON body, described by one of its lines. */
function lineContent({ line }: ReplyShape, components: Components): JsonObject {
  return line === undefined ? {} : { 'application/x-ndjson': { schema: components.output(line) } };
}

function isValidated(operation: Operation): boolean {
  return operation.anyQuery !== true || operation.body !== undefined;
}

/** Faults of every call that may use the database. */
const OF_ANY_CALL: readonly ErrorCode[] = [
  'database_unavailable',
  'database_busy',
  'database_full',
  'database_read_only',
  'overloaded',
];

/** The operation's own faults, and those common to all operations of its kind. */
function faultsByStatus(operation: Operation): [number, ErrorCode[]][] {
  const codes = new Set<ErrorCode>([...operation.errors, 'internal']);
  if (operation.body !== undefined) codes.add('body_too_large').add('unsupported_media_type');
  if (operation.access !== 'public') {
    codes.add('session_missing').add('cross_site_refused');
    if (operation.access !== 'session') codes.add('credentials_missing').add('credentials_invalid');
    if (operation.method !== 'GET') codes.add('csrf_token_wrong');
  }
  if (operation.access === 'operator') codes.add('forbidden');
  if (operation.idempotent === true) {
    // an invalid key is a bad request
    codes.add('idempotency_key_reused').add('idempotency_key_in_use').add('bad_request');
  }
  if (operation.tag !== 'Operations') {
    for (const code of OF_ANY_CALL) codes.add(code);
  }
  return [...Map.groupBy(codes, (code): number => STATUS_OF[code])];
}

function addFaults(response: JsonObject, codes: readonly ErrorCode[], components: Components): void {
  const lines = codes.toSorted().map((code) => `- \`${code}\`: ${ERROR_CODES[code]}`);
  response.description = [response.description, ...lines].filter((line) => line !== '').join('\n');
  response.content = {
    ...(response.content as JsonObject | undefined),
    [PROBLEM_MEDIA_TYPE]: { schema: components.output(ProblemSchema) },
  };
}

/**
 * Both bodies under each media type where both occur: generated clients type a status, not each of its media types, and a program
 * must be able to handle all errors of a status by one type.
 */
function addValidation(responses: Record<string, JsonObject>, components: Components): void {
  const others = responses[422];
  const isUnion = others !== undefined;
  const schema = components.output(isUnion ? ValidationOrProblemSchema : ValidationErrorSchema);
  responses[422] = {
    description: ['The request is malformed; all errors are listed.', others?.description ?? '']
      .filter((line) => line !== '')
      .join('\n'),
    content: {
      'application/json': { schema },
      ...(isUnion ? { [PROBLEM_MEDIA_TYPE]: { schema } } : {}),
    },
  };
}
