import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.ts';
import { type Authenticate, identify } from './authenticate.ts';
import { crossOriginHeaders } from './cors.ts';
import { runIdempotent } from './idempotency.ts';
import type { IdempotencyStore } from './idempotency-entry.ts';
import type { Identity, Operation, Reply } from './operation.ts';
import { type BodyTimeouts, discardUnreadBody, type ReceivedBody, receiveBody } from './request-body.ts';
import { RequestCall } from './request-call.ts';
import { sendReply } from './send.ts';
import { ValidationFault, validateInput } from './validation/validate.ts';

export interface RouteContext {
  readonly authenticate: Authenticate;
  readonly idempotency: IdempotencyStore;
  readonly bodyTimeouts: BodyTimeouts;
}

/** Methods that the framework would read a body for. */
const WITH_BODY = ['DELETE', 'OPTIONS', 'PATCH', 'PUT', 'POST', 'QUERY'];

/** Makes a route of every row of the operation table. */
export function registerRows(app: FastifyInstance, rows: readonly Operation[], context: RouteContext): void {
  // every body is read by receiveBody, once it is known whose call it is; the framework neither reads one nor
  // judges its type, which it would do before it knows whether the address answers that method at all
  for (const method of WITH_BODY) app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  for (const row of rows) {
    app.route({
      method: row.method,
      url: row.path.replace(/\{([^}]+)\}/g, ':$1'),
      config: { row },
      handler: row.hot === true ? hotHandler(row) : handler(row, context),
    });
  }
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Public GETs: nothing is read but the address. */
function hotHandler(row: Operation): Handler {
  const fixed = fixedHeaders(row);
  return async (request, reply) => {
    reply.headers(fixed).header('x-request-id', request.id);
    const input = validateInput(row, { params: request.params, query: request.query });
    const call = new RequestCall(request, reply, { identity: null });
    discardUnreadBody(request.raw, reply.raw);
    return sendReply(request, reply, await row.handle(input, call));
  };
}

function handler(row: Operation, context: RouteContext): Handler {
  const fixed = fixedHeaders(row);
  return async (request, reply) => {
    reply.headers(fixed).header('x-request-id', request.id);
    const result = await answer(row, request, reply, context).catch((error: unknown) => {
      if (row.tellFault === undefined) throw error;
      return row.tellFault(error);
    });
    discardUnreadBody(request.raw, reply.raw);
    return sendReply(request, reply, result);
  };
}

async function answer(
  row: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  context: RouteContext,
): Promise<Reply> {
  const identity = await identify(request.headers.authorization, row.access, context.authenticate);
  const received = await receiveBody(request.raw, row, context.bodyTimeouts);
  return run(row, request, reply, { ...context, identity, received });
}

async function run(
  row: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  context: RouteContext & { identity: Identity | null; received: ReceivedBody },
) {
  const { received, identity } = context;
  const isStream = received.kind === 'stream';
  const { body: _, ...withoutBody } = row;
  const input = validated(row, () =>
    validateInput(isStream ? withoutBody : row, {
      params: request.params,
      query: request.query,
      ...(received.kind === 'json' ? { body: received.json } : {}),
    }),
  );
  const call = new RequestCall(request, reply, {
    identity,
    ...(isStream ? { rawBody: received.stream } : {}),
  });
  if (row.idempotent !== true || isStream) return row.handle(input, call);
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
    () => row.handle(input, call),
  );
}

/** Where a row has faults of its body as 400, they are all told there too. */
function validated<T>({ bodyFaultsAre400 }: Operation, validate: () => T): T {
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

function fixedHeaders(row: Operation): Record<string, string> {
  return { ...crossOriginHeaders(row), 'x-content-type-options': 'nosniff' };
}
