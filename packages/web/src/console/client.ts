import { CallError, errorOfAnswer } from './call-error.ts';
import { CALLS, type CallBody, type CallId, type CallInput, isRepeatable, WITH_KEY } from './calls.ts';
import type { Connection } from './connection.ts';

/** Whoever is signed in, as far as calls need it. */
export interface Credentials {
  /** Sent with every call that changes something; absent before the sign-in. */
  csrfToken(): string | undefined;
  /**
   * The session is over: resolved once somebody signed in again. Absent: no call waits for a sign-in.
   *
   * @throws CallError where nobody signs in
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

/** Calls the service as whoever is signed in. */
export interface ConsoleClient {
  /**
   * Makes one call of the contract: again where it failed for what passes and may be repeated, and again after a new
   * sign-in where the session was over.
   *
   * @throws CallError; the reason of `signal`
   */
  call<Id extends CallId>(id: Id, input: CallInput<Id>, options?: CallOptions): Promise<CallBody<Id>>;
}

/** How often one call is made at the most. */
const ATTEMPTS = 4;
/** Sign-ins that one call waits for. */
const MOST_RENEWALS = 3;
const PASSING: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);
/** Seconds; who asks for more is told to the reader instead of waited for. */
const LONGEST_ASKED = 15;

export function createConsoleClient(options: ClientOptions): ConsoleClient {
  return {
    async call(id, input, { signal } = {}) {
      const [method, path] = CALLS[id];
      const { params, query, body } = input as RawInput;
      const request = {
        method,
        url: addressOf(path, params, query),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(WITH_KEY.has(id) ? { idempotencyKey: randomKey() } : {}),
      };
      return (await send(options, request, isRepeatable(id), signal)) as CallBody<typeof id>;
    },
  };
}

export interface RawRequest {
  readonly method: string;
  readonly url: string;
  readonly body?: string;
  readonly idempotencyKey?: string;
}

interface RawInput {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** The path with its parameters, and a query of what is not undefined. */
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

/** Its end shows as a 401, or as the token of another session that began in another tab. */
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

/** Names the header that says that a change was asked for by our own page. */
const CSRF_HEADER = 'x-csrf-token';

/** Milliseconds; `undefined` where the call has failed for good. */
function waitBefore(error: CallError, attempt: number, repeatable: boolean): number | undefined {
  const { kind, status, retryAfter } = error;
  const passes = kind === 'unreachable' || (status !== undefined && PASSING.has(status));
  // a call that was turned away was not carried out
  const mayRepeat = repeatable || (kind === 'problem' && (status === 429 || status === 503));
  if (!passes || !mayRepeat || attempt >= ATTEMPTS) return undefined;
  if (retryAfter !== undefined && retryAfter > LONGEST_ASKED) return undefined;
  return Math.max(500 * 2 ** (attempt - 1), (retryAfter ?? 0) * 1000);
}

/** `randomUUID` is not there where the page came over plain http from another machine. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
