import { ValidationErrorSchema } from '@touchstone/certificate/schema';
import type { z } from 'zod';
import {
  AnswerError,
  ContradictionError,
  ProblemError,
  UnexpectedAnswerError,
  UnreachableError,
} from './client-errors.ts';
import type { Problem } from './errors.ts';
import { NDJSON, ndjsonOf, textLines } from './ndjson.ts';
import {
  type InputOf,
  type LineOf,
  type Operation,
  pathOf,
  type RawRequest,
  type ReplyOf,
} from './operation.ts';
import type { ErrorDetail } from './validation/issues.ts';

export { AnswerError, ContradictionError, ProblemError, UnexpectedAnswerError, UnreachableError };

/** The service to call, and the credentials to use. */
export interface ClientOptions {
  /** Address of the service, without a trailing slash. */
  readonly baseUrl: string;
  readonly fetch: typeof globalThis.fetch;
  /** Sent as `Authorization: Bearer`. */
  readonly apiKey?: string;
  /** Default: none; browsers send their own. */
  readonly userAgent?: string;
}

/** Options of a single call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Makes it safe to retry a POST. */
  readonly idempotencyKey?: string;
}

/** A client of one service, typed by its operations. */
export interface Client {
  readonly baseUrl: string;
  /**
   * Makes one call, without retries.
   *
   * @throws ProblemError for a fault reported by the service; UnexpectedAnswerError for a response that the operation
   *   does not define; ContradictionError for one that contradicts the request or itself; UnreachableError if there is
   *   no response; the reason of `signal`
   * @example
   * ```ts
   * import { createClient } from '@touchstone/contract/client';
   * import { checkPage } from '@touchstone/contract';
   *
   * const client = createClient({ baseUrl: 'https://certificates.example', fetch });
   * const { body } = await client.call(checkPage, { body: { url: 'https://shop.example/products/cup' } });
   * body.verdict; // 'verified'
   * ```
   */
  call<O extends Operation>(operation: O, input: InputOf<O>, options?: CallOptions): Promise<ReplyOf<O>>;
  /**
   * Sends an NDJSON body, one value per line, and yields the lines of the response as they arrive.
   *
   * @throws as `call`, also during iteration
   */
  stream<O extends Operation & { readonly acceptsNdjson: true }>(
    operation: O,
    input: Omit<InputOf<O>, 'body'>,
    values: AsyncIterable<unknown> | Iterable<unknown>,
    options?: CallOptions,
  ): AsyncGenerator<LineOf<O>, void, undefined>;
  /**
   * Yields the lines of an NDJSON response as they arrive.
   *
   * @throws as `call`, also during iteration
   */
  lines<O extends LineOperation>(
    operation: O,
    input: InputOf<O>,
    options?: CallOptions,
  ): AsyncGenerator<LineOf<O>, void, undefined>;
}

/** An operation with an NDJSON response. */
export type LineOperation = Operation & {
  readonly method: 'GET';
  readonly replies: { readonly 200: { readonly line: z.ZodType } };
};

/** Creates a client that does not retry: callers retry themselves, after `retryAfter` seconds. */
export function createClient(options: ClientOptions): Client {
  return {
    baseUrl: options.baseUrl,
    async call<O extends Operation>(operation: O, input: InputOf<O>, callOptions: CallOptions = {}) {
      const request = input as RawRequest;
      const { body, ...rest } = request;
      const json: RequestBody =
        body === undefined
          ? {}
          : { request: { body: JSON.stringify(body) }, contentType: 'application/json' };
      const reply = await whileReachable(options, callOptions, async () =>
        read(operation, request, await send(operation, rest, json, { ...options, ...callOptions })),
      );
      return reply as ReplyOf<O>;
    },
    async *stream(operation, input, values, callOptions = {}) {
      // half duplex: the body is still being sent while the response is read (Fetch standard); missing in the DOM types
      const request = { body: ndjsonOf(values), duplex: 'half' } as RequestInit;
      yield* readLines(operation, options, callOptions, () =>
        send(operation, input, { request, contentType: NDJSON }, { ...options, ...callOptions }),
      );
    },
    async *lines(operation, input, callOptions = {}) {
      yield* readLines(operation, options, callOptions, () =>
        send(operation, input as RawRequest, {}, { ...options, ...callOptions }),
      );
    },
  };
}

async function* readLines<O extends Operation>(
  operation: O,
  options: ClientOptions,
  callOptions: CallOptions,
  ask: () => Promise<Response>,
): AsyncGenerator<LineOf<O>, void, undefined> {
  const lines = await whileReachable(options, callOptions, async () => {
    const response = await ask();
    const shape = operation.replies[200]?.line;
    if (response.status !== 200 || shape === undefined) throw await faultOf(operation, response);
    return understoodLines(shape, operation, response);
  });
  try {
    while (true) {
      const next = await whileReachable(options, callOptions, () => lines.next());
      if (next.done === true) return;
      yield next.value as LineOf<O>;
    }
  } finally {
    // closes the connection if the consumer stops early
    await lines.return();
  }
}

/** An encoded request body. */
interface RequestBody {
  readonly request?: RequestInit;
  readonly contentType?: string | undefined;
}

async function send(
  operation: Operation,
  { params, query = {} }: RawRequest,
  { request = {}, contentType }: RequestBody,
  { baseUrl, fetch, apiKey, userAgent, signal, idempotencyKey }: ClientOptions & CallOptions,
): Promise<Response> {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
  const headers = Object.entries({
    accept: contentType === NDJSON ? NDJSON : 'application/json',
    'content-type': contentType,
    authorization: apiKey === undefined ? undefined : `Bearer ${apiKey}`,
    'idempotency-key': idempotencyKey,
    'user-agent': userAgent,
  }).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return fetch(`${baseUrl}${pathOf(operation, params)}${search === '' ? '' : `?${search}`}`, {
    ...request,
    method: operation.method,
    headers,
    // the service never redirects a call, and the key must not reach another host
    redirect: 'error',
    ...(signal === undefined ? {} : { signal }),
  });
}

/** Converts connection errors, before or during the response, to UnreachableError, unless the caller aborted. */
async function whileReachable<T>(
  { baseUrl }: ClientOptions,
  { signal }: CallOptions,
  ask: () => Promise<T>,
): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    if (cause instanceof AnswerError) throw cause;
    if (signal?.aborted === true) throw signal.reason;
    throw new UnreachableError(`The service at ${baseUrl} does not answer.`, { cause });
  }
}

async function read(
  operation: Operation,
  request: RawRequest,
  response: Response,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const { status } = response;
  const shape = status === 304 ? undefined : operation.replies[status];
  if (shape === undefined) throw await faultOf(operation, response);
  if (shape.schema !== undefined) {
    const body = understood(shape.schema, await jsonOf(response), operation, response);
    const contradictions = operation.contradictions?.(request, body as never) ?? [];
    if (contradictions.length > 0) throw new ContradictionError(contradictions, response);
    return { status, body };
  }
  if (shape.mediaType === undefined) return { status, body: undefined };
  if (shape.mediaType.startsWith('text/')) return { status, body: await response.text() };
  if (shape.mediaType === 'application/json') {
    const body = await jsonOf(response);
    if (isRecord(body)) return { status, body };
    throw await faultOf(operation, response);
  }
  return { status, body: new Uint8Array(await response.arrayBuffer()) };
}

function understood(schema: z.ZodType, body: unknown, operation: Operation, response: Response): unknown {
  // returned unparsed: parsing would remove members that a newer service adds to the schema
  if (schema.safeParse(body).success) return body;
  throw notUnderstood(operation, response);
}

async function faultOf(operation: Operation, response: Response): Promise<AnswerError> {
  const body = await jsonOf(response);
  const validation = ValidationErrorSchema.safeParse(body);
  if (response.status === 422 && validation.success) {
    return new ProblemError(response, { faults: validation.data.detail as ErrorDetail[] });
  }
  // a code known only to a newer service is passed on as well
  if (isRecord(body) && typeof body.code === 'string' && typeof body.detail === 'string') {
    return new ProblemError(response, { problem: body as unknown as Problem });
  }
  return notUnderstood(operation, response);
}

function notUnderstood({ method, path }: Operation, response: Response): UnexpectedAnswerError {
  const what = response.ok ? 'something else than this call answers' : 'no problem document';
  return new UnexpectedAnswerError(`${method} ${path} gave ${response.status} and ${what}.`, response);
}

/** `undefined` if it is not JSON or was already read. */
async function jsonOf(response: Response): Promise<unknown> {
  return response.bodyUsed ? undefined : jsonIn(await response.text());
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function* understoodLines(
  shape: z.ZodType,
  operation: Operation,
  response: Response,
): AsyncGenerator<unknown, void, undefined> {
  for await (const line of textLines(response.body)) {
    if (line.trim() !== '') yield understood(shape, jsonIn(line), operation, response);
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
