import { VERSION } from '@touchstone/certificate';
import { callTools } from '@touchstone/contract';
import {
  createToolBox,
  createToolServer,
  type Era,
  readToolChoice,
  type ToolChoice,
  type ToolServerContext,
  type ToolUseCases,
} from '@touchstone/mcp';
import { PAGE_CODES } from '@touchstone/page';
import type { Call, Route } from '../../platform/http/route.ts';
import { answerMessage } from './answer-message.ts';
import { envelopeFault } from './envelope.ts';
import { refusal } from './guards.ts';
import { invalidRequest, parseError, refused, rpcFault } from './json-rpc.ts';
import { MessageTransport } from './message-transport.ts';
import { createToolFaultOf } from './tool-fault.ts';

export interface McpRouteOptions {
  /** Names of tools whose part this service lacks. */
  readonly without?: readonly string[];
  /** The use cases for a caller, which for rate limits is the address of the MCP client. */
  readonly useCasesFor: (call: Call) => ToolUseCases;
  /** Hostnames for the guards of Host and Origin. */
  readonly allowedHostnames: readonly string[];
  /** Receives faults on our side, for the log. */
  readonly onFault: (error: unknown) => void;
}

/**
 * The companion tool server over Streamable HTTP, without sessions: any node answers any request. GET and DELETE, for streams and
 * sessions of older revisions, are 405 as everywhere.
 */
export function mcpRoute({ without, useCasesFor, allowedHostnames, onFault }: McpRouteOptions): Route {
  const box = createToolBox(VERSION, PAGE_CODES, without);
  const faultOf = createToolFaultOf(onFault);
  const serverOf = (era: Era) => {
    const transport: MessageTransport<ToolServerContext> = new MessageTransport(
      createToolServer(box, ({ mcpReq }) => transport.contextOf(mcpReq.id), era),
    );
    return transport;
  };
  const servers = { modern: serverOf('modern'), older: serverOf('older') };
  return {
    ...callTools,
    answerFault: (error) => {
      const reply = rpcFault(error);
      if (reply.status >= 500) onFault(error);
      return reply;
    },
    handle: ({ body }, call) => {
      const { headers } = call;
      const why = refusal(headers, allowedHostnames);
      if (why !== null) return refused(why);
      if (body === undefined) return parseError();
      const fault = envelopeFault(body);
      if (fault !== null) return invalidRequest(fault);
      const chosen = chosenTools(call.url);
      if (chosen !== undefined && 'fault' in chosen) return invalidRequest(chosen.fault);
      return answerMessage(body, headers, (era, request) =>
        servers[era].ask(request, {
          use: useCasesFor(call),
          faultOf,
          ...(chosen === undefined ? {} : { listed: chosen.names }),
          // made only for tools that wait: most answer sooner than it is made
          get signal() {
            return call.signal;
          },
        }),
      );
    },
  };
}

/** Those of the parameter `tools`: an address is the one setting that every client has for a server. */
function chosenTools(url: string): ToolChoice | undefined {
  const query = url.indexOf('?');
  if (query < 0) return undefined;
  const chosen = new URLSearchParams(url.slice(query)).getAll('tools');
  return chosen.length === 0 ? undefined : readToolChoice(chosen.join());
}
