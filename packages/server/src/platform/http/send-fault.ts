import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { ServiceError } from '../errors.ts';
import { toServiceError } from './fault.ts';
import { pageOrReply } from './page-replies.ts';
import { problemAnswer } from './problem.ts';
import { discardUnreadBody } from './request-body.ts';
import type { Reply, Route } from './route.ts';
import { sendReply } from './send.ts';
import { ValidationFault } from './validation/validate.ts';

export interface FaultContext {
  readonly baseUrl: string;
  readonly logger: Logger;
}

/** Answers a request that failed, because of the request or on our side. */
export function sendFault(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  context: FaultContext,
): void {
  discardUnreadBody(request.raw, reply.raw);
  reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
  // the caller has disconnected, which is not a fault on our side
  if (hasLeft(reply) && error instanceof Error && error.name === 'AbortError') {
    reply.hijack();
    return;
  }
  const { route } = (request.routeOptions.config ?? {}) as { route?: Route };
  sendReply(request, reply, pageOrReply(route, request, answerTo(error, request, context)));
}

function answerTo(error: unknown, request: FastifyRequest, { baseUrl, logger }: FaultContext): Reply {
  if (error instanceof ValidationFault) {
    const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
    return { status: 422, headers, body: { detail: error.detail } };
  }
  const fault = toServiceError(error);
  const answer = problemAnswer(fault, { baseUrl, requestId: request.id });
  // refusals under overload are counted in the metrics: logging each would take more time than refusing it saves
  if (answer.status >= 500 && fault.code !== 'overloaded') logFault(fault, answer.status, request, logger);
  return answer;
}

function hasLeft({ raw }: FastifyReply): boolean {
  return raw.destroyed && !raw.writableEnded;
}

function logFault(fault: ServiceError, status: number, request: FastifyRequest, logger: Logger): void {
  const line = { requestId: request.id, code: fault.code, err: fault };
  // 503 is transient; 500 is a bug
  if (status === 503) logger.warn(line, fault.publicMessage);
  else logger.error(line, fault.publicMessage);
}
