import { INTERNAL_ERROR, INVALID_REQUEST, PARSE_ERROR } from '@modelcontextprotocol/server';
import { toServiceError } from '../../platform/http/fault.ts';
import { problemAnswer } from '../../platform/http/problem.ts';
import type { Reply } from '../../platform/http/route.ts';
import { ValidationFault } from '../../platform/http/validation/validate.ts';

/** From the range of JSON-RPC 2.0 for servers; the MCP library also uses it for requests that it refuses. */
const REFUSED = -32_000;

/** An error without a request id. */
function rpcError(status: number, code: number, message: string, data?: object): Reply {
  const error = data === undefined ? { code, message } : { code, message, data };
  return {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: { jsonrpc: '2.0', error, id: null },
  };
}

export function parseError(): Reply {
  return rpcError(400, PARSE_ERROR, 'Parse error: the body is not JSON.');
}

export function invalidRequest(message: string): Reply {
  return rpcError(400, INVALID_REQUEST, `Invalid request: ${message}`);
}

export function refused(message: string): Reply {
  return rpcError(403, REFUSED, message);
}

/** Faults before a message is parsed, with the same status and code as in all other operations. */
export function rpcFault(error: unknown): Reply {
  if (error instanceof ValidationFault) return parseError();
  const fault = toServiceError(error);
  const { status, headers } = problemAnswer(fault, { baseUrl: '', requestId: '' });
  const { code, publicMessage } = fault;
  const answer = rpcError(status, status < 500 ? REFUSED : INTERNAL_ERROR, publicMessage, { code });
  return { ...answer, headers: { ...headers, ...answer.headers } };
}
