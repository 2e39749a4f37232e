import { MAX_BATCH } from '@touchstone/contract';
import { andThen } from '../and-then.ts';
import { ServiceError } from '../errors.ts';
import type { BatchPermits } from '../limits/batch-permits.ts';
import type { Identity } from './access.ts';
import { type Credentials, identify } from './authenticate.ts';
import type { IsTrustedProxy } from './client-address.ts';
import { type IdempotencyStore, runIdempotent } from './idempotency.ts';
import { type BodyTimeouts, type ReceivedBody, receiveBody } from './request-body.ts';
import { RequestCall } from './request-call.ts';
import type { Reply, Route } from './route.ts';
import type { Match } from './router.ts';
import type { Exchange } from './send.ts';
import type { JsonBody } from './validation/json-body.ts';
import { ValidationFault, validateInput } from './validation/validate.ts';

export interface AnswerContext {
  readonly credentials: Credentials;
  readonly idempotency: IdempotencyStore;
  readonly bodyTimeouts: BodyTimeouts;
  readonly batchPermits: BatchPermits;
  readonly isTrusted: IsTrustedProxy;
}

/**
 * Answers a request as its operation says: who may call, the body, validation, the handler. Each step continues at once unless it
 * has to wait, so that a cached document is answered in the turn in which its request was read.
 */
export function answer(match: Match, exchange: Exchange, context: AnswerContext): Reply | Promise<Reply> {
  const { answerFault } = match.prepared.route;
  if (answerFault === undefined) return answerOrFail(match, exchange, context);
  return (async () => answerOrFail(match, exchange, context))().catch(answerFault);
}

function answerOrFail(match: Match, exchange: Exchange, context: AnswerContext): Reply | Promise<Reply> {
  const { request } = exchange;
  const { route } = match.prepared;
  return andThen(identify(request, route, context.credentials), (identity) => {
    const work = () =>
      andThen(receiveBody(request, route, context.bodyTimeouts), (received) =>
        run(match, exchange, context, { identity, received }),
      );
    if (route.batch !== true) return work();
    const { caller } = new RequestCall(exchange, identity, context.isTrusted);
    return context.batchPermits.run(caller, async () => work());
  });
}

function run(
  { prepared: { route }, params, query }: Match,
  exchange: Exchange,
  { idempotency, isTrusted }: AnswerContext,
  { identity, received }: { readonly identity: Identity | null; readonly received: ReceivedBody },
): Reply | Promise<Reply> {
  const rawBody = received.kind === 'stream' ? received.stream : undefined;
  const input = validated(route, { params, query }, received);
  const call = new RequestCall(exchange, identity, isTrusted, rawBody);
  if (route.idempotent !== true || rawBody !== undefined) return route.handle(input, call);
  const key = exchange.request.headers['idempotency-key'];
  return runIdempotent(
    idempotency,
    {
      caller: call.caller,
      key: Array.isArray(key) ? key[0] : key,
      method: exchange.request.method ?? '',
      path: call.url,
      body: received.kind === 'json' ? received.bytes : new Uint8Array(),
    },
    async () => route.handle(input, call),
  );
}

/** For operations that answer faults of the body with a 400, which lists them all. */
function validated(route: Route, { params, query }: Pick<Match, 'params' | 'query'>, received: ReceivedBody) {
  const body = received.kind === 'json' ? shortened(route, received.json) : undefined;
  try {
    // the handler validates the lines of a stream
    return validateInput(received.kind === 'stream' ? withoutBody(route) : route, { params, query, body });
  } catch (error) {
    const isOfBody =
      error instanceof ValidationFault && error.detail.every(({ loc: [part] }) => part === 'body');
    if (route.bodyFaultsAre400 !== true || !isOfBody) throw error;
    const message = 'The body is not what this call takes; `errors` lists every fault.';
    throw new ServiceError('bad_request', { message, members: { errors: error.detail } });
  }
}

function withoutBody(route: Route): Omit<Route, 'body'> {
  const { body: _, ...rest } = route;
  return rest;
}

/** Refuses a batch with too many items before validating them, which would take long for a million. */
function shortened({ batch }: Route, body: JsonBody): JsonBody {
  if (batch !== true || body.kind !== 'value' || typeof body.value !== 'object' || body.value === null) {
    return body;
  }
  const { items } = body.value as { items?: unknown };
  if (!Array.isArray(items) || items.length <= MAX_BATCH) return body;
  return { ...body, value: { ...body.value, items: items.slice(0, MAX_BATCH + 1) } };
}
