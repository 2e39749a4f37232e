import { setTimeout as delay } from 'node:timers/promises';
import type { ApiAnswer, ApiClient, FailedFetch } from '@touchstone/page/fetch';
import { ShopifyProblem } from './problem.ts';

/** Version of the Admin GraphQL API that the queries are written for; Shopify keeps one for a year. */
const API_VERSION = '2026-10';

/** Where and as whom a shop is asked. */
export interface ShopAccess {
  /** `example.myshopify.com`. */
  readonly shop: string;
  /**
   * The access token to ask with.
   *
   * @param refused - one that the shop did not take: then another, where there can be one
   * @throws ShopifyProblem none is granted
   */
  token(signal: AbortSignal, refused?: string): Promise<string>;
}

/** Asks the Admin GraphQL API of one shop. */
export interface AdminClient {
  /**
   * The `data` of an answer. Waits as long as the shop's throttle says, and asks again after faults that pass.
   *
   * @throws ShopifyProblem what the shop refuses, or is away for longer than a few tries
   */
  query<T>(document: string, variables: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<T>;
}

interface Throttle {
  readonly requestedQueryCost?: number;
  readonly throttleStatus?: { readonly currentlyAvailable: number; readonly restoreRate: number };
}

interface Answered {
  readonly data?: unknown;
  readonly errors?:
    | string
    | readonly { readonly message?: string; readonly extensions?: { readonly code?: string } }[];
  readonly extensions?: { readonly cost?: Throttle };
}

/** Tries of one query at faults that pass, and the seconds before the second; they double. */
const TRIES = 5;
const FIRST_WAIT = 0.5;
/** Seconds that are waited at the most, whatever a shop asks for. */
const LONGEST_WAIT = 60;
/** Points left in the shop's bucket below which the next query waits: the merchant's other apps have buckets of their own. */
const RESERVE = 0.1;

export interface Patience {
  /** Of one query, at faults that pass. */
  readonly tries: number;
}

export function createAdminClient(
  api: ApiClient,
  access: ShopAccess,
  { tries }: Patience = { tries: TRIES },
): AdminClient {
  const url = `https://${access.shop}/admin/api/${API_VERSION}/graphql.json`;
  let before = 0;

  const send = (accessToken: string, body: Uint8Array, signal: AbortSignal) => {
    const headers = { 'Content-Type': 'application/json', 'X-Shopify-Access-Token': accessToken };
    return api.request(url, { method: 'POST', headers, body, signal });
  };

  /** A token may end, or be taken back, before its time: another is asked for once. */
  const sendAllowed = async (body: Uint8Array, signal: AbortSignal) => {
    const token = await access.token(signal);
    const answer = await send(token, body, signal);
    if (answer.kind === 'failed' || answer.status !== 401) return answer;
    const other = await access.token(signal, token);
    return other === token ? answer : send(other, body, signal);
  };

  const once = async (body: Uint8Array, signal: AbortSignal): Promise<Tried> => {
    if (before > 0) await waitSeconds(before, signal);
    before = 0;
    const answer = await sendAllowed(body, signal);
    if (answer.kind === 'failed') return unreachable(answer);
    const refused = refusalOf(answer);
    if (refused !== undefined) return refused;
    const answered = readAnswer(answer);
    if (answered === undefined) return again('shopify_answer_unreadable', 'It is no whole JSON document.');
    before = pauseAfter(answered.extensions?.cost);
    return judge(answered);
  };

  return {
    async query<T>(document: string, variables: Readonly<Record<string, unknown>>, signal: AbortSignal) {
      const body = new TextEncoder().encode(JSON.stringify({ query: document, variables }));
      for (let attempt = 1; ; attempt += 1) {
        const tried = await once(body, signal).catch(refusedBy);
        if (tried.kind === 'data') return tried.data as T;
        if (tried.kind === 'refused' || attempt === tries) throw tried.problem;
        await waitSeconds(Math.min(LONGEST_WAIT, tried.after ?? FIRST_WAIT * 2 ** (attempt - 1)), signal);
      }
    },
  };
}

type Tried = { readonly kind: 'data'; readonly data: unknown } | Refusal;

type Refusal =
  | { readonly kind: 'refused'; readonly problem: ShopifyProblem }
  | { readonly kind: 'again'; readonly problem: ShopifyProblem; readonly after?: number };

/** Faults that pass by themselves. */
const PASSING = new Set<string>([
  'shopify_unreachable',
  'shopify_throttled',
  'shopify_answer_unreadable',
] satisfies ShopifyProblem['code'][]);

/** Why there is no token to ask with. */
function refusedBy(error: unknown): Refusal {
  if (!(error instanceof ShopifyProblem)) throw error;
  return { kind: PASSING.has(error.code) ? 'again' : 'refused', problem: error };
}

function again(code: ShopifyProblem['code'], detail: string, after?: number): Refusal {
  return {
    kind: 'again',
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
  return again('shopify_unreachable', `${code} ${detail}`.trim());
}

/** Statuses of the shop's administration that are no 200. */
export function refusalOf({ status, headers }: ApiAnswer): Refusal | undefined {
  if (status === 200) return undefined;
  if (status === 401 || status === 403) return refused('shopify_token_refused', `It answered ${status}.`);
  if (status === 404) return refused('shopify_shop_unknown', 'It answered 404.');
  // 402: frozen for want of payment; 423: locked
  if (status === 402 || status === 423) return refused('shopify_shop_closed', `It answered ${status}.`);
  if (status === 429)
    return again('shopify_throttled', 'It answered 429.', secondsIn(headers['retry-after']));
  if (status >= 500)
    return again('shopify_unreachable', `It answered ${status}.`, secondsIn(headers['retry-after']));
  return refused('shopify_request_refused', `It answered ${status}.`);
}

const secondsIn = (value: string | string[] | undefined): number | undefined => {
  const seconds = Number.parseFloat(String(value));
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
};

function readAnswer({ body }: ApiAnswer): Answered | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Answered)
      : undefined;
  } catch {
    return undefined;
  }
}

function judge({ data, errors, extensions }: Answered): Tried {
  if (errors === undefined || errors.length === 0)
    return data == null ? again('shopify_answer_unreadable', 'It has no data.') : { kind: 'data', data };
  const list = typeof errors === 'string' ? [{ message: errors }] : errors;
  const codes = new Set(list.map((error) => ('extensions' in error ? error.extensions?.code : undefined)));
  const said = list
    .map(({ message = '' }) => message)
    .join(' ')
    .slice(0, 300);
  if (codes.has('THROTTLED')) return again('shopify_throttled', said, secondsFor(extensions?.cost));
  if (codes.has('MAX_COST_EXCEEDED')) return refused('shopify_query_too_large', said);
  if (codes.has('ACCESS_DENIED')) return refused('shopify_scope_missing', said);
  if (codes.has('SHOP_INACTIVE')) return refused('shopify_shop_closed', said);
  if (codes.has('INTERNAL_SERVER_ERROR')) return again('shopify_unreachable', said);
  return refused('shopify_request_refused', said);
}

/** Seconds until the bucket holds what the query costs. */
function secondsFor({ requestedQueryCost = 0, throttleStatus }: Throttle = {}): number | undefined {
  if (throttleStatus === undefined || !(throttleStatus.restoreRate > 0)) return undefined;
  return Math.max(0.1, (requestedQueryCost - throttleStatus.currentlyAvailable) / throttleStatus.restoreRate);
}

/** Seconds to leave before the next query of this kind, so that none is refused. */
function pauseAfter(cost: Throttle | undefined): number {
  const { requestedQueryCost = 0, throttleStatus } = cost ?? {};
  if (throttleStatus === undefined || !(throttleStatus.restoreRate > 0)) return 0;
  const wanted = requestedQueryCost * (1 + RESERVE);
  return Math.min(
    LONGEST_WAIT,
    Math.max(0, (wanted - throttleStatus.currentlyAvailable) / throttleStatus.restoreRate),
  );
}

async function waitSeconds(seconds: number, signal: AbortSignal): Promise<void> {
  await delay(seconds * 1_000, undefined, { signal });
}
