import {
  classifyInboundRequest,
  INTERNAL_ERROR,
  isInitializeRequest,
  isJSONRPCRequest,
  type JSONRPCRequest,
  METHOD_NOT_FOUND,
  UnsupportedProtocolVersionError,
} from '@modelcontextprotocol/server';
import { MODERN_REVISION, PROTOCOL_REVISIONS } from '@touchstone/contract/tools';
import type { Reply } from '../../platform/http/route.ts';
import { HEADER_MISMATCH, invalidRequest, jsonReply, REFUSED, rpcError } from './json-rpc.ts';
import type { ToolAnswer } from './message-transport.ts';

/** Hands a request to the server of its era of the protocol. */
export type Ask = (era: 'modern' | 'older', request: JSONRPCRequest) => Promise<ToolAnswer>;

type Headers = Readonly<Record<string, string | undefined>>;

/** A notification, or an answer to nothing: there is no session that it could concern. */
const ACCEPTED: Reply = { status: 202, headers: { 'cache-control': 'no-store' } };

/**
 * Answers one message over Streamable HTTP, without sessions, streams and notifications. The library's own transports answer the same
 * (answer-message.test.ts compares them), but make a server, a `Request` and a `Response` for each message, which takes several times as
 * long as most calls.
 */
export async function answerMessage(message: unknown, headers: Headers, ask: Ask): Promise<Reply> {
  const { 'mcp-protocol-version': version, 'mcp-method': method } = headers;
  const route = classifyInboundRequest({
    httpMethod: 'POST',
    body: message,
    ...(version !== undefined && { protocolVersionHeader: version }),
    ...(method !== undefined && { mcpMethodHeader: method }),
  });
  if (route.kind === 'reject') return rpcError(route.httpStatus, route, idOf(message));
  if (route.kind === 'legacy') return answerOlder(message, headers, ask);
  const { revision: requested = 'unknown' } = route.classification;
  if (requested !== MODERN_REVISION) {
    const fault = new UnsupportedProtocolVersionError({ supported: [MODERN_REVISION], requested });
    return rpcError(400, fault, idOf(message));
  }
  if (route.messageKind === 'notification') return ACCEPTED;
  const { message: request } = route;
  const missing = disagreement(request, headers);
  if (missing !== null) return rpcError(400, { code: HEADER_MISMATCH, message: missing }, request.id);
  // there are no notifications to listen for
  if (request.method === 'subscriptions/listen') {
    return rpcError(200, { code: INTERNAL_ERROR, message: 'Subscription limit reached' }, request.id);
  }
  const answer = await ask('modern', request);
  return jsonReply('error' in answer && answer.error.code === METHOD_NOT_FOUND ? 404 : 200, answer);
}

async function answerOlder(message: unknown, headers: Headers, ask: Ask): Promise<Reply> {
  const { accept = '', 'mcp-protocol-version': version } = headers;
  if (version === MODERN_REVISION) return invalidRequest('the service has sent nothing to be answered.');
  if (!accept.includes('application/json') || !accept.includes('text/event-stream')) {
    const fault = 'Not Acceptable: Client must accept both application/json and text/event-stream';
    return rpcError(406, { code: REFUSED, message: fault });
  }
  // `initialize` negotiates the revision
  if (version !== undefined && !PROTOCOL_REVISIONS.includes(version) && !isInitializeRequest(message)) {
    const supported = PROTOCOL_REVISIONS.join(', ');
    const fault = `Bad Request: Unsupported protocol version: ${version} (supported versions: ${supported})`;
    return rpcError(400, { code: REFUSED, message: fault });
  }
  return isJSONRPCRequest(message) ? jsonReply(200, await ask('older', message)) : ACCEPTED;
}

/** The parameter that `Mcp-Name` repeats, for intermediaries that do not read bodies. */
const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/** Whether a header that must repeat the body is missing or differs, as a sentence; the classification has compared those that are there. */
function disagreement({ method, params = {} }: JSONRPCRequest, headers: Headers): string | null {
  const named = params[(Object.hasOwn(NAMED_BY, method) && NAMED_BY[method]) || ''];
  const name = decoded(headers['mcp-name']);
  const header =
    (headers['mcp-protocol-version'] === undefined && 'MCP-Protocol-Version') ||
    (headers['mcp-method'] === undefined && 'Mcp-Method') ||
    (typeof named === 'string' && name !== named && 'Mcp-Name');
  return header === false ? null : `Bad Request: the header ${header} does not repeat what the body states.`;
}

/** The value of a header that may be in base64, for what headers cannot hold (SEP-2243). */
function decoded(header: string | undefined): string | undefined {
  const base64 = /^=\?base64\?(.*)\?=$/.exec(header ?? '')?.[1];
  return base64 === undefined ? header : Buffer.from(base64, 'base64').toString();
}

/** That of a request, also of one that is refused. */
function idOf(message: unknown): JSONRPCRequest['id'] | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  const { method, id } = message as { method?: unknown; id?: unknown };
  return typeof method === 'string' && (typeof id === 'string' || typeof id === 'number') ? id : undefined;
}
