import { MAX_BATCH } from '@touchstone/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.ts';
import type { BatchPermits } from '../limits/batch-permits.ts';
import type { Identity } from './access.ts';
import { type Credentials, identify } from './authenticate.ts';
import type { IdempotencyStore } from './idempotency.ts';
import { runIdempotent } from './idempotency.ts';
import { pageFor, pageOrReply } from './page-replies.ts';
import { type BodyTimeouts, discardUnreadBody, type ReceivedBody, receiveBody } from './request-body.ts';
import { RequestCall } from './request-call.ts';
import type { Reply, Route } from './route.ts';
import { fixedHeaders, sendReply } from './send.ts';
import type { JsonBody } from './validation/json-body.ts';
import { ValidationFault, validateInput } from './validation/validate.ts';

export interface RouteContext {
  readonly credentials: Credentials;
  readonly idempotency: IdempotencyStore;
  readonly bodyTimeouts: BodyTimeouts;
  readonly batchPermits: BatchPermits;
}

/** Methods for which the framework would read a body. */
const WITH_BODY = ['DELETE', 'OPTIONS', 'PATCH', 'PUT', 'POST', 'QUERY'];

/** Registers every route; its operation determines what happens before its handler runs. */
export function registerRoutes(app: FastifyInstance, routes: readonly Route[], context: RouteContext): void {
  // receiveBody reads every body, after authentication. The framework must neither read bodies nor check their type: it would
  // do so before it knows whether the path has that method at all
  for (const method of WITH_BODY) app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  for (const route of routes) {
    app.route({
      method: route.method,
      url: route.path.replace(/\{([^}]+)\}/g, ':$1'),
      config: { route },
      handler: route.hot === true ? hotHandler(route, context) : handler(route, context),
    });
  }
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Public GETs: only the address and the API key are read. */
function hotHandler(route: Route, { credentials }: RouteContext): Handler {
  const fixed = fixedHeaders(route);
  return async (request, reply) => {
    reply.headers(fixed).header('x-request-id', request.id);
    const input = validateInput(route, { params: request.params, query: queryOf(route, request) });
    const call = new RequestCall(request, reply, { identity: await identify(request, route, credentials) });
    discardUnreadBody(request.raw, reply.raw);
    return sendReply(request, reply, pageOrReply(route, request, await route.handle(input, call)));
  };
}

function handler(route: Route, context: RouteContext): Handler {
  const fixed = fixedHeaders(route);
  return async (request, reply) => {
    reply.headers(fixed).header('x-request-id', request.id);
    const result = await answer(route, request, reply, context).catch((error: unknown) => {
      if (route.answerFault === undefined) throw error;
      return route.answerFault(error);
    });
    discardUnreadBody(request.raw, reply.raw);
    return sendReply(request, reply, pageOrReply(route, request, result));
  };
}

/** Without the language, which concerns the page, not the operation. */
function queryOf(route: Route, request: FastifyRequest): unknown {
  if (pageFor(route, request) === undefined) return request.query;
  const { lang: _, ...query } = request.query as Readonly<Record<string, unknown>>;
  return query;
}

async function answer(
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  context: RouteContext,
): Promise<Reply> {
  const identity = await identify(request, route, context.credentials);
  const work = async () => {
    const received = await receiveBody(request.raw, route, context.bodyTimeouts);
    return run(route, request, reply, { ...context, identity, received });
  };
  if (route.batch !== true) return work();
  const { caller } = new RequestCall(request, reply, { identity });
  return context.batchPermits.run(caller, work);
}

async function run(
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  context: RouteContext & { identity: Identity | null; received: ReceivedBody },
) {
  const { received, identity } = context;
  const isStream = received.kind === 'stream';
  const { body: _, ...withoutBody } = route;
  const input = validated(route, () =>
    validateInput(isStream ? withoutBody : route, {
      params: request.params,
      query: queryOf(route, request),
      ...(received.kind === 'json'
        ? { body: route.batch === true ? shortened(received.json) : received.json }
        : {}),
    }),
  );
  const call = new RequestCall(request, reply, {
    identity,
    ...(isStream ? { rawBody: received.stream } : {}),
  });
  if (route.idempotent !== true || isStream) return route.handle(input, call);
  const key = request.headers['idempotency-key'];
  return runIdempotent(
    context.idempotency,
    {
      caller: call.caller,
      key: Array.isArray(key) ? key[0] : key,
      method: request.method,
      path: request.raw.url ?? '',
      body: received.kind === 'json' ? received.bytes : new Uint8Array(),
    },
    () => route.handle(input, call),
  );
}

/** Refuses a batch with too many items before validating them, which would take long for a million. */
function shortened(body: JsonBody): JsonBody {
  if (body.kind !== 'value' || typeof body.value !== 'object' || body.value === null) return body;
  const { items } = body.value as { items?: unknown };
  if (!Array.isArray(items) || items.length <= MAX_BATCH) return body;
  return { ...body, value: { ...body.value, items: items.slice(0, MAX_BATCH + 1) } };
}

/** For operations that answer faults of the body with a 400, which lists them all. */
function validated<T>({ bodyFaultsAre400 }: Route, validate: () => T): T {
  try {
    return validate();
  } catch (error) {
    const isOfBody =
      error instanceof ValidationFault && error.detail.every(({ loc: [part] }) => part === 'body');
    if (bodyFaultsAre400 !== true || !isOfBody) throw error;
    const message = 'The body is not what this call takes; `errors` lists every fault.';
    throw new ServiceError('bad_request', { message, members: { errors: error.detail } });
  }
}
