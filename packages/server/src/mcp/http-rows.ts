import { createMcpHandler } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { type Call, type Operation, operation, type Reply } from '../http/operation.ts';
import { refusal } from './guards.ts';
import { batchRefused, parseError, refused, rpcFault } from './json-rpc.ts';
import { createToolBox, createToolServer } from './server.ts';
import type { ToolUseCases } from './use-cases.ts';

export interface McpRowOptions {
  /** The use cases on behalf of whoever makes a call: for limits it is the address of the MCP client. */
  readonly useCasesFor: (call: Call) => ToolUseCases;
  /** Hostnames for the guards of Host and Origin. */
  readonly allowedHostnames: readonly string[];
  /** Told of trouble on our side, for the log. */
  readonly onFault: (error: unknown) => void;
}

const PATH = '/mcp';

/** Headers that the protocol gives a meaning to. */
const PASSED_ON = /^(accept|content-type|mcp-.*)$/;

/**
 * The companion tool server over Streamable HTTP: stateless, a server and a transport for each request, so that any
 * node answers any request. GET and DELETE, for streams and sessions of older revisions, are 405 as everywhere.
 */
export function mcpRow(options: McpRowOptions): Operation {
  const { useCasesFor, allowedHostnames, onFault } = options;
  const box = createToolBox();
  return operation({
    id: 'callTools',
    method: 'POST',
    path: PATH,
    tag: 'Verification',
    summary: 'The companion tool server (Model Context Protocol)',
    access: 'public',
    body: z.unknown(),
    responses: {},
    errors: [],
    tellFault: (error) => {
      const reply = rpcFault(error);
      if (reply.status >= 500) onFault(error);
      return reply;
    },
    handle: async ({ body }, call) => {
      const why = refusal(call.headers, allowedHostnames);
      if (why !== null) return refused(why);
      if (body === undefined) return parseError();
      if (Array.isArray(body)) return batchRefused();
      const use = useCasesFor(call);
      const handler = createMcpHandler(() => createToolServer(box, { use, onFault }), {
        // nothing here changes while one listens, so no stream is held open for it
        maxSubscriptions: 0,
      });
      return replyOf(await handler.fetch(requestOf(call), { parsedBody: body }));
    },
  });
}

function requestOf(call: Call): Request {
  const headers = Object.entries(call.headers).flatMap(([name, value]): [string, string][] =>
    value !== undefined && PASSED_ON.test(name) ? [[name, value]] : [],
  );
  return new Request(`http://localhost${PATH}`, { method: 'POST', headers, signal: call.signal });
}

async function replyOf(response: Response): Promise<Reply> {
  const type = response.headers.get('content-type');
  const headers = { 'cache-control': 'no-store', ...(type === null ? {} : { 'content-type': type }) };
  if (response.body === null) return { status: response.status, headers };
  const isStream = type?.startsWith('text/event-stream') === true;
  const body = isStream ? response.body : new Uint8Array(await response.arrayBuffer());
  return { status: response.status, headers, body };
}
