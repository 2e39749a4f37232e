import { ValidationErrorSchema } from '@touchstone/certificate/schema';
import type { z } from 'zod';
import { BodyTooLargeError, readBytes, readLines, readText } from './bounded-body.ts';
import {
  AnswerError,
  ContradictionError,
  ProblemError,
  UnexpectedAnswerError,
  UnreachableError,
} from './client-errors.ts';
import type { Problem } from './errors.ts';
import { NDJSON, ndjsonOf } from './ndjson.ts';
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
  /** Authorizes every call. */
  readonly credential?: ClientCredential;
  /** Default: none; browsers send their own. */
  readonly userAgent?: string;
  readonly limits?: Partial<AnswerLimits>;
}

/** Limits of responses, in bytes; beyond, the call fails and the rest is not read. */
export interface AnswerLimits {
  /** One whole response, an error included. */
  readonly body: number;
  /** One line of an NDJSON response, which may have any number of them. */
  readonly line: number;
}

/** The default limits: above the largest page of a list, and the largest certificate. */
const ANSWER_LIMITS: AnswerLimits = { body: 64_000_000, line: 4_000_000 };

/** What authorizes calls, such as a `Credential` of `@touchstone/fetch/credential` with an API key. */
export interface ClientCredential {
  /** The headers for a request to this address. Throws if they must not be sent to it. */
  headersFor(url: URL): Readonly<Record<string, string>>;
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
   * Asks for the other form of a response (`alsoAs`), which is returned as text.
   *
   * @throws as `call`; UnexpectedAnswerError also if there is no such form, such as no credential of a product that is not active
   */
  text<O extends Operation>(
    operation: O,
    input: InputOf<O>,
    alsoAs: string,
    options?: CallOptions,
  ): Promise<string>;
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

/**
 * Creates a client that does not retry: callers retry themselves, after `retryAfter` seconds.
 *
 * @throws what the credential throws if it must not be sent to the service
 */
export function createClient(given: ClientOptions): Client {
  const { baseUrl, credential } = given;
  // all calls go to this origin, and none follows a redirect
  const options = { ...given, authorization: credential?.headersFor(new URL(baseUrl)) ?? {} };
  return {
    baseUrl,
    async call<O extends Operation>(operation: O, input: InputOf<O>, callOptions: CallOptions = {}) {
      const request = input as RawRequest;
      const { body, ...rest } = request;
      const json: RequestBody =
        body === undefined
          ? {}
          : { request: { body: JSON.stringify(body) }, contentType: 'application/json' };
      const reply = await whileReachable(options, callOptions, async () =>
        read(request, await answerTo(operation, rest, json, { ...options, ...callOptions })),
      );
      return reply as ReplyOf<O>;
    },
    text: (operation, input, alsoAs, callOptions = {}) =>
      whileReachable(options, callOptions, async () => {
        const answer = await answerTo(
          operation,
          input as RawRequest,
          { accept: alsoAs },
          { ...options, ...callOptions },
        );
        const { response } = answer;
        if (response.status !== 200) throw await faultOf(answer);
        const stated = response.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
        if (stated !== alsoAs) throw await notUnderstood(answer, `no ${alsoAs}`);
        return within(answer, readText);
      }),
    async *stream(operation, input, values, callOptions = {}) {
      // half duplex: the body is still being sent while the response is read (Fetch standard); missing in the DOM types
      const request = { body: ndjsonOf(values), duplex: 'half' } as RequestInit;
      yield* replyLines<typeof operation>(options, callOptions, () =>
        answerTo(operation, input, { request, contentType: NDJSON }, { ...options, ...callOptions }),
      );
    },
    async *lines(operation, input, callOptions = {}) {
      yield* replyLines<typeof operation>(options, callOptions, () =>
        answerTo(operation, input as RawRequest, {}, { ...options, ...callOptions }),
      );
    },
  };
}

async function* replyLines<O extends Operation>(
  options: Pick<ClientOptions, 'baseUrl'>,
  callOptions: CallOptions,
  ask: () => Promise<Answer>,
): AsyncGenerator<LineOf<O>, void, undefined> {
  const lines = await whileReachable(options, callOptions, async () => {
    const answer = await ask();
    const shape = answer.operation.replies[200]?.line;
    if (answer.response.status !== 200 || shape === undefined) throw await faultOf(answer);
    return understoodLines(shape, answer);
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
  /** What is asked for. Default: JSON. */
  readonly accept?: string | undefined;
}

/** A response whose body has not been read, and what it is read by. */
interface Answer {
  readonly operation: Operation;
  readonly response: Response;
  readonly limits: AnswerLimits;
}

type Authorized = ClientOptions & { readonly authorization: Readonly<Record<string, string>> };

/** Redirects (RFC 9110, section 15.4). */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

async function answerTo(
  operation: Operation,
  { params, query = {} }: RawRequest,
  { request = {}, contentType, accept = 'application/json' }: RequestBody,
  { baseUrl, fetch, authorization, userAgent, limits, signal, idempotencyKey }: Authorized & CallOptions,
): Promise<Answer> {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
  const headers = Object.entries({
    accept: contentType === NDJSON ? NDJSON : accept,
    'content-type': contentType,
    'idempotency-key': idempotencyKey,
    'user-agent': userAgent,
  }).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const response = await fetch(`${baseUrl}${pathOf(operation, params)}${search === '' ? '' : `?${search}`}`, {
    ...request,
    method: operation.method,
    headers: { ...Object.fromEntries(headers), ...authorization },
    // not followed: the service never redirects a call, and the key must not reach another host
    redirect: 'manual',
    ...(signal === undefined ? {} : { signal }),
  });
  const answer = { operation, response, limits: { ...ANSWER_LIMITS, ...limits } };
  // browsers hide where it points
  if (response.type !== 'opaqueredirect' && !REDIRECTS.has(response.status)) return answer;
  const location = (response.headers.get('location') ?? '').slice(0, 300);
  throw await notUnderstood(
    answer,
    `a redirect${location === '' ? '' : ` to ${location}`}, which is not followed`,
  );
}

/** Converts connection errors, before or during the response, to UnreachableError, unless the caller aborted. */
async function whileReachable<T>(
  { baseUrl }: Pick<ClientOptions, 'baseUrl'>,
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
  request: RawRequest,
  answer: Answer,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const { operation, response } = answer;
  const { status } = response;
  const shape = status === 304 ? undefined : operation.replies[status];
  if (shape === undefined) throw await faultOf(answer);
  if (shape.schema !== undefined) {
    const body = await understood(shape.schema, await jsonOf(answer), answer);
    const contradictions = operation.contradictions?.(request, body as never) ?? [];
    if (contradictions.length > 0) throw new ContradictionError(contradictions, response);
    return { status, body };
  }
  if (shape.mediaType === undefined) {
    await response.body?.cancel();
    return { status, body: undefined };
  }
  if (shape.mediaType.startsWith('text/')) return { status, body: await within(answer, readText) };
  if (shape.mediaType === 'application/json') {
    const body = await jsonOf(answer);
    if (isRecord(body)) return { status, body };
    throw await notUnderstood(answer);
  }
  return { status, body: await within(answer, readBytes) };
}

async function understood(schema: z.ZodType, body: unknown, answer: Answer): Promise<unknown> {
  // returned unparsed: parsing would remove members that a newer service adds to the schema
  if (schema.safeParse(body).success) return body;
  throw await notUnderstood(answer);
}

async function faultOf(answer: Answer): Promise<AnswerError> {
  const { response } = answer;
  const body = await jsonOf(answer);
  const validation = ValidationErrorSchema.safeParse(body);
  if (response.status === 422 && validation.success) {
    return new ProblemError(response, { faults: validation.data.detail as ErrorDetail[] });
  }
  // a code known only to a newer service is passed on as well
  if (isRecord(body) && typeof body.code === 'string' && typeof body.detail === 'string') {
    return new ProblemError(response, { problem: body as unknown as Problem });
  }
  return notUnderstood(answer);
}

/** The error for an answer that the operation does not define; what is left of it is not read. */
async function notUnderstood(
  { operation: { method, path }, response }: Answer,
  what = response.ok ? 'something else than this call answers' : 'no problem document',
): Promise<UnexpectedAnswerError> {
  if (!response.bodyUsed) await response.body?.cancel();
  return new UnexpectedAnswerError(`${method} ${path} gave ${response.status} and ${what}.`, response);
}

/** Reads the body within its limit. @throws UnexpectedAnswerError beyond */
async function within<T>(
  answer: Answer,
  reader: (response: Response, limit: number) => Promise<T>,
): Promise<T> {
  try {
    return await reader(answer.response, answer.limits.body);
  } catch (error) {
    throw await limitFault(error, answer);
  }
}

async function limitFault(error: unknown, answer: Answer): Promise<unknown> {
  if (!(error instanceof BodyTooLargeError)) return error;
  const { part, limit } = error;
  const what = part === 'body' ? 'a response' : 'a line';
  return notUnderstood(answer, `${what} of more than ${limit / 1_000_000} MB, the limit of this client`);
}

/** `undefined` if it is not JSON. */
async function jsonOf(answer: Answer): Promise<unknown> {
  return isOfType(answer, /[/+]json$/) ? jsonIn(await within(answer, readText)) : undefined;
}

/** Whether a response states this media type, or none. */
function isOfType({ response }: Answer, type: RegExp): boolean {
  const stated = response.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return stated === '' || type.test(stated);
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function* understoodLines(shape: z.ZodType, answer: Answer): AsyncGenerator<unknown, void, undefined> {
  if (!isOfType(answer, /[/+-]ndjson$/)) throw await notUnderstood(answer);
  try {
    for await (const line of readLines(answer.response, answer.limits.line)) {
      if (line.trim() !== '') yield await understood(shape, jsonIn(line), answer);
    }
  } catch (error) {
    throw await limitFault(error, answer);
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
