import { finished, Readable, Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { ERROR_CODES } from '@touchstone/contract';
import { createClient } from '@touchstone/contract/client';
import { createToolBox, createToolServer, type ToolServerContext } from '@touchstone/mcp';
import { PAGE_CODES } from '@touchstone/page';
import type { Io } from '../io.ts';
import { safe } from '../output/text.ts';
import { VERSION } from '../version.ts';
import { remoteFault, remoteUseCases } from './remote-use-cases.ts';

/** Timeout of one call to the service, in milliseconds. */
const PATIENCE = 60_000;

/**
 * Serves the companion tools over standard input and output, in front of a service, until either side ends the session.
 *
 * @param listed - names of the tools to list; absent: all
 */
export async function serveToolsOverStdio(
  baseUrl: string,
  io: Io,
  listed?: readonly string[],
): Promise<void> {
  // standard output is reserved for the protocol
  const report = (error: unknown) =>
    io.stderr.write(`${safe(error instanceof Error ? error.message : String(error))}\n`);
  const client = createClient({
    baseUrl,
    fetch: (input, init) => {
      const signals = [io.stop, AbortSignal.timeout(PATIENCE), ...(init?.signal ? [init.signal] : [])];
      return io.fetch(input, { ...init, signal: AbortSignal.any(signals) });
    },
  });
  const context: ToolServerContext = {
    use: remoteUseCases(client),
    ...(listed === undefined ? {} : { listed }),
    faultOf: (error) => {
      const fault = remoteFault(error, baseUrl);
      if (fault === null) report(error);
      return fault ?? { code: 'internal', message: ERROR_CODES.internal };
    },
  };
  const box = createToolBox(VERSION, PAGE_CODES);
  const input = Readable.from(buffersOf(io.stdin));
  const transport = new StdioServerTransport(input, outputOf(io.stdout));
  const handle = serveStdio(() => createToolServer(box, () => context), {
    transport,
    onerror: report,
    maxSubscriptions: 0,
  });
  const { onclose } = transport;
  await new Promise<void>((resolve) => {
    // it also closes itself, on a message above its size limit
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
    finished(input, { writable: false }, () => resolve());
    io.stop.addEventListener('abort', () => resolve(), { once: true });
    if (io.stop.aborted) resolve();
  });
  await handle.close();
}

function outputOf(stdout: Io['stdout']): Writable {
  return new Writable({
    decodeStrings: false,
    write(chunk: string | Uint8Array, _, done) {
      stdout.write(typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk));
      done();
    },
  });
}

/** The protocol library searches its input for line breaks with methods of Buffer. */
async function* buffersOf(source: Io['stdin']): AsyncGenerator<Buffer, void, undefined> {
  for await (const { buffer, byteOffset, length } of source) yield Buffer.from(buffer, byteOffset, length);
}
