import { finished, type Readable, type Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { createToolBox, createToolServer, type ToolServerContext } from './server.ts';

export interface StdioOptions extends ToolServerContext {
  readonly input: Readable;
  readonly output: Writable;
  /** Ends it. */
  readonly stop: AbortSignal;
}

/** Serves the tools to one client over its pipes, until it closes them or `stop` is aborted. */
export async function serveTools({ input, output, stop, ...context }: StdioOptions): Promise<void> {
  const box = createToolBox();
  const ended = Promise.withResolvers<void>();
  const transport = new StdioServerTransport(input, output);
  const handle = serveStdio(() => createToolServer(box, context), {
    transport,
    onerror: context.onFault,
    maxSubscriptions: 0,
  });
  const { onclose } = transport;
  // it closes itself, too: on a message that is larger than it takes
  transport.onclose = () => {
    onclose?.();
    ended.resolve();
  };
  finished(input, { writable: false }, () => ended.resolve());
  stop.addEventListener('abort', () => ended.resolve(), { once: true });
  if (stop.aborted) ended.resolve();
  await ended.promise;
  await handle.close();
}
