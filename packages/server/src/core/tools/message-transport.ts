import type {
  JSONRPCErrorResponse,
  JSONRPCMessage,
  JSONRPCRequest,
  JSONRPCResultResponse,
  RequestId,
  Server,
  Transport,
} from '@modelcontextprotocol/server';

export type ToolAnswer = JSONRPCResultResponse | JSONRPCErrorResponse;

/** A message that waits for its answer. */
interface Waiting<C> {
  readonly context: C;
  readonly settle: (answer: ToolAnswer) => void;
}

/**
 * Hands single messages of any caller to one server of the protocol's library, and takes its answers. It numbers them itself, since
 * callers choose the same ids. It takes requests only: nothing that a caller sends can reach the call of another one.
 */
export class MessageTransport<C> implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #server: Server;
  readonly #waiting = new Map<RequestId, Waiting<C>>();
  #last = 0;

  constructor(server: Server) {
    this.#server = server;
    // takes its answers from now on; `start` has nothing to wait for
    void server.connect(this);
  }

  /**
   * Calls what the library calls for a request. Its `onmessage` would first try its schemas of all other messages, as
   * `classifyInboundRequest` has done before, which takes up to a third of a call.
   *
   * @param context - found by `contextOf` while the request is handled
   */
  ask(request: JSONRPCRequest, context: C): Promise<ToolAnswer> {
    const id = ++this.#last;
    const { promise, resolve } = Promise.withResolvers<ToolAnswer>();
    const settle = (answer: ToolAnswer) => resolve({ ...answer, id: request.id });
    this.#waiting.set(id, { context, settle });
    this.#server['_onrequest']({ ...request, id });
    return promise;
  }

  contextOf(id: RequestId): C {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) throw new Error('A call of a tool without a caller.');
    return waiting.context;
  }

  async start(): Promise<void> {}

  async send(message: JSONRPCMessage): Promise<void> {
    // servers of tools send nothing but answers
    if (!('id' in message) || message.id === undefined || 'method' in message) return;
    this.#waiting.get(message.id)?.settle(message);
    this.#waiting.delete(message.id);
  }

  async close(): Promise<void> {
    this.onclose?.();
  }
}
