import { setTimeout as delay } from 'node:timers/promises';
import { SHOP_NAME } from '@touchstone/contract';
import type { ApiAnswer, ApiClient, FailedFetch } from '@touchstone/fetch';
import { Credential } from '@touchstone/fetch/credential';
import { messagesOf, ShopifyProblem } from './problem.ts';

/** Version of the Admin GraphQL API for which the queries are written; Shopify supports each for a year. */
const API_VERSION = '2026-10';

/** The host of a shop and the token for its API. */
export interface ShopAccess {
  /** `example.myshopify.com`. */
  readonly shop: string;
  /**
   * The access token to use.
   *
   * @param refused - a token that the shop refused: another one is returned if one can be had, else the same
   * @throws ShopifyProblem no token was granted
   */
  token(signal: AbortSignal, refused?: string): Promise<string>;
}

/** A client of the Admin GraphQL API of one shop. */
export interface AdminClient {
  /**
   * The `data` of a response. Waits as long as the shop's rate limit requires, and retries after transient failures.
   *
   * @throws ShopifyProblem the shop refuses the request, or has not answered after all attempts
   */
  query<T>(document: string, variables: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<T>;
}

interface Throttle {
  readonly requestedQueryCost?: number;
  readonly throttleStatus?: { readonly currentlyAvailable: number; readonly restoreRate: number };
}

interface Reply {
  readonly data?: unknown;
  readonly errors?:
    | string
    | readonly { readonly message?: string; readonly extensions?: { readonly code?: string } }[];
  readonly extensions?: { readonly cost?: Throttle };
}

/** Attempts of one query in case of transient failures, and the seconds before the second; doubled each time. */
const MAX_ATTEMPTS = 5;
const FIRST_WAIT = 0.5;
/** Seconds of a wait at most, whatever the shop asks for. */
const MAX_WAIT = 60;
/** The share by which the shop's bucket should exceed the cost of the next query. Other apps have separate buckets. */
const RESERVE = 0.1;

/**
 * An address of a shop, to which secrets may be sent. The name is checked here, too: it comes from the database.
 *
 * @throws if the host is not one of Shopify
 */
export function addressAt(shop: string, path: string): string {
  if (!SHOP_NAME.test(shop)) throw new Error(`The name of a shop is not one: ${JSON.stringify(shop)}`);
  return `https://${shop}${path}`;
}

export interface AdminClientOptions {
  /** Attempts of one query in case of transient failures. Default: 5. */
  readonly maxAttempts?: number;
}

export function createAdminClient(
  api: ApiClient,
  access: ShopAccess,
  { maxAttempts = MAX_ATTEMPTS }: AdminClientOptions = {},
): AdminClient {
  const url = addressAt(access.shop, `/admin/api/${API_VERSION}/graphql.json`);
  let pause = 0;

  const send = (accessToken: string, body: Uint8Array, signal: AbortSignal) => {
    const headers = { 'Content-Type': 'application/json' };
    const credential = new Credential(url, { 'X-Shopify-Access-Token': accessToken });
    return api.request(url, { method: 'POST', headers, credential, body, signal });
  };

  /** A token may be revoked before it expires: then another one is requested once. */
  const sendAuthorized = async (body: Uint8Array, signal: AbortSignal) => {
    const token = await access.token(signal);
    const answer = await send(token, body, signal);
    if (answer.kind === 'failed' || answer.status !== 401) return answer;
    const other = await access.token(signal, token);
    return other === token ? answer : send(other, body, signal);
  };

  const attemptOnce = async (body: Uint8Array, signal: AbortSignal): Promise<Attempt> => {
    if (pause > 0) await waitSeconds(pause, signal);
    pause = 0;
    const answer = await sendAuthorized(body, signal);
    if (answer.kind === 'failed') return unreachable(answer);
    const refusal = refusalOf(answer);
    if (refusal !== undefined) return refusal;
    const reply = readReply(answer);
    if (reply === undefined)
      return retryable('shopify_answer_unreadable', 'It is not a complete JSON document.');
    pause = pauseAfter(reply.extensions?.cost);
    return resultOf(reply);
  };

  return {
    async query<T>(document: string, variables: Readonly<Record<string, unknown>>, signal: AbortSignal) {
      const body = new TextEncoder().encode(JSON.stringify({ query: document, variables }));
      for (let attempt = 1; ; attempt += 1) {
        const result = await attemptOnce(body, signal).catch(noToken);
        if (result.kind === 'data') return result.data as T;
        if (result.kind === 'refused' || attempt === maxAttempts) throw result.problem;
        await waitSeconds(Math.min(MAX_WAIT, result.after ?? FIRST_WAIT * 2 ** (attempt - 1)), signal);
      }
    },
  };
}

type Attempt = { readonly kind: 'data'; readonly data: unknown } | Refusal;

type Refusal =
  | { readonly kind: 'refused'; readonly problem: ShopifyProblem }
  /** `after`: seconds that the shop asks to wait. */
  | { readonly kind: 'retryable'; readonly problem: ShopifyProblem; readonly after?: number };

const TRANSIENT = new Set<string>([
  'shopify_unreachable',
  'shopify_throttled',
  'shopify_answer_unreadable',
] satisfies ShopifyProblem['code'][]);

/** The refusal for a problem in obtaining a token. */
function noToken(error: unknown): Refusal {
  if (!(error instanceof ShopifyProblem)) throw error;
  return { kind: TRANSIENT.has(error.code) ? 'retryable' : 'refused', problem: error };
}

function retryable(code: ShopifyProblem['code'], detail: string, after?: number): Refusal {
  return {
    kind: 'retryable',
    problem: new ShopifyProblem(code, detail),
    ...(after === undefined ? {} : { after }),
  };
}

const refused = (code: ShopifyProblem['code'], detail: string): Refusal => ({
  kind: 'refused',
  problem: new ShopifyProblem(code, detail),
});

/** No answer came. */
export function unreachable({ code, detail }: FailedFetch): Refusal {
  return retryable('shopify_unreachable', `${code} ${detail}`.trim());
}

/** The refusal that a status other than 200 means; `undefined`: it is 200. */
export function refusalOf({ status, headers }: ApiAnswer): Refusal | undefined {
  if (status === 200) return undefined;
  if (status === 401 || status === 403) return refused('shopify_token_refused', `It answered ${status}.`);
  if (status === 404) return refused('shopify_shop_unknown', 'It answered 404.');
  // 402: frozen because of an unpaid bill; 423: locked
  if (status === 402 || status === 423) return refused('shopify_shop_closed', `It answered ${status}.`);
  if (status === 429)
    return retryable('shopify_throttled', 'It answered 429.', secondsIn(headers['retry-after']));
  if (status >= 300 && status <= 399)
    return refused('shopify_request_refused', `It answered ${status}, ${redirectIn(headers)}.`);
  if (status >= 500)
    return retryable('shopify_unreachable', `It answered ${status}.`, secondsIn(headers['retry-after']));
  return refused('shopify_request_refused', `It answered ${status}.`);
}

/** Where an answer redirects, which is not followed. */
export function redirectIn({ location }: ApiAnswer['headers']): string {
  return `a redirect to ${URL.parse(String(location))?.origin ?? 'an address of its own'}, which is not followed`;
}

const secondsIn = (value: string | string[] | undefined): number | undefined => {
  const seconds = Number.parseFloat(String(value));
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
};

function readReply({ body }: ApiAnswer): Reply | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Reply)
      : undefined;
  } catch {
    return undefined;
  }
}

function resultOf({ data, errors, extensions }: Reply): Attempt {
  if (errors === undefined || errors.length === 0)
    return data == null ? retryable('shopify_answer_unreadable', 'It has no data.') : { kind: 'data', data };
  const list = typeof errors === 'string' ? [{ message: errors }] : errors;
  const codes = new Set(list.map((error) => ('extensions' in error ? error.extensions?.code : undefined)));
  const detail = messagesOf(list);
  if (codes.has('THROTTLED')) return retryable('shopify_throttled', detail, secondsFor(extensions?.cost));
  if (codes.has('MAX_COST_EXCEEDED')) return refused('shopify_query_too_large', detail);
  if (codes.has('ACCESS_DENIED')) return refused('shopify_scope_missing', detail);
  if (codes.has('SHOP_INACTIVE')) return refused('shopify_shop_closed', detail);
  if (codes.has('INTERNAL_SERVER_ERROR')) return retryable('shopify_unreachable', detail);
  return refused('shopify_request_refused', detail);
}

/** Seconds until the bucket covers the cost of the query. */
function secondsFor({ requestedQueryCost = 0, throttleStatus }: Throttle = {}): number | undefined {
  if (throttleStatus === undefined || !(throttleStatus.restoreRate > 0)) return undefined;
  return Math.max(0.1, (requestedQueryCost - throttleStatus.currentlyAvailable) / throttleStatus.restoreRate);
}

/** Seconds to wait before the next query of this cost, so that it is not throttled. */
function pauseAfter(cost: Throttle | undefined): number {
  const { requestedQueryCost = 0, throttleStatus } = cost ?? {};
  if (throttleStatus === undefined || !(throttleStatus.restoreRate > 0)) return 0;
  const wanted = requestedQueryCost * (1 + RESERVE);
  return Math.min(
    MAX_WAIT,
    Math.max(0, (wanted - throttleStatus.currentlyAvailable) / throttleStatus.restoreRate),
  );
}

async function waitSeconds(seconds: number, signal: AbortSignal): Promise<void> {
  await delay(seconds * 1_000, undefined, { signal });
}
