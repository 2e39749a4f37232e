import type { Problem } from '@touchstone/contract';

/** The result of a call to the service. */
export type CallResult<T> =
  | { readonly kind: 'answer'; readonly body: T; readonly headers: Headers }
  /** An error response of the service; `retryAfter` in seconds. */
  | {
      readonly kind: 'problem';
      readonly status: number;
      readonly problem: Problem | undefined;
      readonly retryAfter: number | undefined;
    }
  /** No response. */
  | { readonly kind: 'unreachable'; readonly offline: boolean }
  | { readonly kind: 'timeout' };

interface CallOptions {
  readonly method?: 'GET' | 'POST';
  readonly body?: unknown;
  readonly signal: AbortSignal;
  /** Timeout in milliseconds. */
  readonly patience?: number;
}

/**
 * Calls the service by a path on the page's origin. Every failure is a result.
 *
 * @throws the reason of `signal`, once it is aborted
 */
export async function call<T>(
  path: string,
  { method = 'GET', body, signal, patience = 45_000 }: CallOptions,
): Promise<CallResult<T>> {
  const timeout = AbortSignal.timeout(patience);
  try {
    const response = await fetch(path, {
      method,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      signal: AbortSignal.any([signal, timeout]),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = parsed(text);
    if (response.ok && json !== undefined)
      return { kind: 'answer', body: json as T, headers: response.headers };
    return problemOf(response, json);
  } catch {
    signal.throwIfAborted();
    if (timeout.aborted) return { kind: 'timeout' };
    return { kind: 'unreachable', offline: !navigator.onLine };
  }
}

function problemOf(response: Response, json: unknown): CallResult<never> {
  const { status, headers } = response;
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN);
  const isProblem = typeof json === 'object' && json !== null && 'code' in json;
  return {
    kind: 'problem',
    status,
    problem: isProblem ? (json as Problem) : undefined,
    retryAfter: Number.isFinite(retryAfter) ? retryAfter : undefined,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
