import { CallError, errorOfAnswer } from './call-error.ts';
import { CALLS, type CallBody, type CallId, type CallInput, isRepeatable, WITH_KEY } from './calls.ts';
import type { Connection } from './connection.ts';

/** The session, as far as calls need it. */
export interface Credentials {
  /** Sent with every call that changes data; absent before the sign-in. */
  csrfToken(): string | undefined;
  /**
   * Called when the session has ended: resolves after a new sign-in. Absent: calls do not wait for a sign-in.
   *
   * @throws CallError if the user signs out instead
   */
  readonly renew?: () => Promise<void>;
}

export interface ClientOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly credentials: Credentials;
  readonly connection: Connection;
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** Calls the service in the user's session. */
export interface ConsoleClient {
  /**
   * Makes one call of the contract. Retries it after a temporary failure if it is repeatable, and after a new sign-in if the session had
   * ended.
   *
   * @throws CallError; the reason of `signal`
   */
  call<Id extends CallId>(id: Id, input: CallInput<Id>, options?: CallOptions): Promise<CallBody<Id>>;
}

/** Maximum attempts of one call. */
const ATTEMPTS = 4;
/** Maximum sign-ins that one call waits for. */
const MOST_RENEWALS = 3;
const PASSING: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);
/** Longest Retry-After in seconds that is waited for; with a longer one, the call fails. */
const LONGEST_RETRY_AFTER = 15;

export function createConsoleClient(options: ClientOptions): ConsoleClient {
  return {
    async call(id, input, { signal } = {}) {
      const [method, path] = CALLS[id];
      const { params, query, body } = input as RawInput;
      const request = {
        method,
        url: addressOf(path, params, query),
        body: body === undefined ? undefined : JSON.stringify(body),
        idempotencyKey: WITH_KEY.has(id) ? randomKey() : undefined,
      };
      return (await send(options, request, isRepeatable(id), signal)) as CallBody<typeof id>;
    },
  };
}

export interface RawRequest {
  readonly method: string;
  readonly url: string;
  readonly body: string | undefined;
  readonly idempotencyKey: string | undefined;
}

interface RawInput {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** The path with its parameters, and a query without undefined or empty values. */
export function addressOf(
  path: string,
  params: Readonly<Record<string, unknown>> = {},
  query: Readonly<Record<string, unknown>> = {},
): string {
  const filled = path.replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const entries = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const search = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
  return search === '' ? filled : `${filled}?${search}`;
}

async function send(
  options: ClientOptions,
  request: RawRequest,
  repeatable: boolean,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const { connection, credentials, sleep } = options;
  const call = connection.begin();
  let renewals = 0;
  try {
    for (let attempt = 1; ; attempt++) {
      const result = await once(options, request, signal);
      if (!(result instanceof CallError)) return result.body;
      if (credentials.renew !== undefined && isSessionOver(result) && renewals++ < MOST_RENEWALS) {
        call.end();
        await credentials.renew();
        continue;
      }
      const wait = waitBefore(result, attempt, repeatable);
      if (wait === undefined) throw result;
      if (result.kind === 'unreachable') call.lost();
      await sleep(wait, signal);
    }
  } finally {
    call.end();
  }
}

/** An ended session gives a 401, or a wrong CSRF token if another tab has started a new one. */
function isSessionOver({ status, code }: CallError): boolean {
  return status === 401 || code === 'csrf_token_wrong';
}

async function once(
  { fetch, credentials }: ClientOptions,
  { method, url, body, idempotencyKey }: RawRequest,
  signal: AbortSignal | undefined,
): Promise<CallError | { readonly body: unknown }> {
  const token = credentials.csrfToken();
  const headers: Record<string, string> = {
    accept: 'application/json',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(token === undefined || method === 'GET' ? {} : { [CSRF_HEADER]: token }),
    ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
  };
  try {
    const response = await fetch(url, {
      method,
      headers,
      credentials: 'same-origin',
      cache: 'no-store',
      redirect: 'error',
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
    });
    if (!response.ok) return await errorOfAnswer(response);
    const text = await response.text();
    return { body: text === '' ? undefined : JSON.parse(text) };
  } catch (cause) {
    if (signal?.aborted === true) throw signal.reason;
    if (cause instanceof SyntaxError) return new CallError('unexpected', 'The answer is no JSON.');
    return new CallError('unreachable', 'The service does not answer.');
  }
}

/** Proves that the request comes from our own page. */
const CSRF_HEADER = 'x-csrf-token';

/** Milliseconds before the next attempt; `undefined` if the call has failed for good. */
function waitBefore(error: CallError, attempt: number, repeatable: boolean): number | undefined {
  const { kind, status, retryAfter } = error;
  const passes = kind === 'unreachable' || (status !== undefined && PASSING.has(status));
  // a rejected call was not executed
  const mayRepeat = repeatable || (kind === 'problem' && (status === 429 || status === 503));
  if (!passes || !mayRepeat || attempt >= ATTEMPTS) return undefined;
  if (retryAfter !== undefined && retryAfter > LONGEST_RETRY_AFTER) return undefined;
  return Math.max(500 * 2 ** (attempt - 1), (retryAfter ?? 0) * 1000);
}

/** `randomUUID` is missing if the page was loaded by plain http from another machine. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
