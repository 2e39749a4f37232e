import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { VERSION } from '@touchstone/certificate';
import { callTools } from '@touchstone/contract';
import { MODERN_REVISION } from '@touchstone/contract/tools';
import { createToolBox, createToolServer, type ToolBox, type ToolUseCases } from '@touchstone/mcp';
import { PAGE_CODES } from '@touchstone/page';
import type { Call, Reply, Route } from '../../platform/http/route.ts';
import { envelopeFault } from './envelope.ts';
import { refusal } from './guards.ts';
import { invalidRequest, parseError, refused, rpcFault } from './json-rpc.ts';
import { createToolFaultOf } from './tool-fault.ts';

export interface McpRouteOptions {
  /** The use cases for a caller, which for rate limits is the address of the MCP client. */
  readonly useCasesFor: (call: Call) => ToolUseCases;
  /** Hostnames for the guards of Host and Origin. */
  readonly allowedHostnames: readonly string[];
  /** Receives faults on our side, for the log. */
  readonly onFault: (error: unknown) => void;
}

/** What the protocol's library also answers to a caller who disconnected. */
const CLIENT_CLOSED_REQUEST = 499;

/** Headers that the protocol defines, without those for sessions and those of single tools. */
const PASSED_ON = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

/**
 * The companion tool server over Streamable HTTP: stateless, a server and a transport for each request, so that any
 * node answers any request. GET and DELETE, for streams and sessions of older revisions, are 405 as everywhere.
 */
export function mcpRoute(options: McpRouteOptions): Route {
  const { useCasesFor, allowedHostnames, onFault } = options;
  const box = createToolBox(VERSION, PAGE_CODES);
  const serve = toolServing(box, onFault);
  return {
    ...callTools,
    answerFault: (error) => {
      const reply = rpcFault(error);
      if (reply.status >= 500) onFault(error);
      return reply;
    },
    handle: async ({ body }, call) => {
      const why = refusal(call.headers, allowedHostnames);
      if (why !== null) return refused(why);
      if (body === undefined) return parseError();
      const fault = envelopeFault(body);
      if (fault !== null) return invalidRequest(fault);
      return replyOf(await serve(requestOf(call), body, useCasesFor(call)));
    },
  };
}

/** Answers each message with a separate server, on behalf of its caller. */
function toolServing(
  box: ToolBox,
  onFault: (error: unknown) => void,
): (request: Request, body: unknown, use: ToolUseCases) => Promise<Response> {
  const faultOf = createToolFaultOf(onFault);
  const callers = new WeakMap<Request, ToolUseCases>();
  const modern = createMcpHandler(
    ({ requestInfo }) => {
      const use = requestInfo === undefined ? undefined : callers.get(requestInfo);
      if (use === undefined) throw new Error('A request without a caller.');
      return createToolServer(box, { use, faultOf });
    },
    // there are no notifications, so no stream is kept open
    { maxSubscriptions: 0, legacy: 'reject' },
  );
  return async (request, body, use) => {
    // without the header, only the message states the revision
    const isModern = request.headers.get('mcp-protocol-version') === MODERN_REVISION;
    if (isModern || !(await isLegacyRequest(request, body))) {
      callers.set(request, use);
      return modern.fetch(request, { parsedBody: body });
    }
    const server = createToolServer(box, { use, faultOf });
    // one answer to one message needs no event stream
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    const abandoned = Promise.withResolvers<Response>();
    const abandon = () => {
      void server.close();
      abandoned.resolve(new Response(null, { status: CLIENT_CLOSED_REQUEST }));
    };
    request.signal.addEventListener('abort', abandon, { once: true });
    return Promise.race([transport.handleRequest(request, { parsedBody: body }), abandoned.promise]);
  };
}

function requestOf(call: Call): Request {
  const headers = PASSED_ON.flatMap((name): [string, string][] => {
    const value = call.headers[name];
    return value === undefined ? [] : [[name, value]];
  });
  return new Request(`http://localhost${callTools.path}`, { method: 'POST', headers, signal: call.signal });
}

async function replyOf(response: Response): Promise<Reply> {
  const type = response.headers.get('content-type');
  const headers = { 'cache-control': 'no-store', ...(type === null ? {} : { 'content-type': type }) };
  if (response.body === null) return { status: response.status, headers };
  const isStream = type?.startsWith('text/event-stream') === true;
  const body = isStream ? response.body : await response.text();
  return { status: response.status, headers, body };
}
