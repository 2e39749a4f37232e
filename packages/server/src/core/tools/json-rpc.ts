import { INTERNAL_ERROR, INVALID_REQUEST, PARSE_ERROR } from '@modelcontextprotocol/server';
import { toServiceError } from '../../platform/errors.ts';
import { problemAnswer } from '../../platform/http/problem.ts';
import type { Reply } from '../../platform/http/route.ts';
import { ValidationFault } from '../../platform/http/validation/validate.ts';

/** From the range of JSON-RPC 2.0 for servers; the MCP library also uses it for requests that it refuses. */
export const REFUSED = -32_000;
/** Headers and body of a message disagree (revision 2026-07-28). */
export const HEADER_MISMATCH = -32_020;

export function jsonReply(status: number, body: object): Reply {
  return { status, headers: { 'content-type': 'application/json', 'cache-control': 'no-store' }, body };
}

/** @param id - of the request, as far as it is known */
export function rpcError(
  status: number,
  { code, message, data }: { readonly code: number; readonly message: string; readonly data?: unknown },
  id: string | number | null = null,
): Reply {
  const error = data === undefined ? { code, message } : { code, message, data };
  return jsonReply(status, { jsonrpc: '2.0', error, id });
}

export function parseError(): Reply {
  return rpcError(400, { code: PARSE_ERROR, message: 'Parse error: the body is not JSON.' });
}

export function invalidRequest(message: string): Reply {
  return rpcError(400, { code: INVALID_REQUEST, message: `Invalid request: ${message}` });
}

export function refused(message: string): Reply {
  return rpcError(403, { code: REFUSED, message });
}

/** Faults before a message is parsed, with the same status and code as in all other operations. */
export function rpcFault(error: unknown): Reply {
  if (error instanceof ValidationFault) return parseError();
  const fault = toServiceError(error);
  const { status, headers } = problemAnswer(fault, { baseUrl: '', requestId: '' });
  const { code, publicMessage } = fault;
  const rpcCode = status < 500 ? REFUSED : INTERNAL_ERROR;
  const answer = rpcError(status, { code: rpcCode, message: publicMessage, data: { code } });
  return { ...answer, headers: { ...headers, ...answer.headers } };
}
