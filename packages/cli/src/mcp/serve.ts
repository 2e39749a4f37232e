import { Readable, Writable } from 'node:stream';
import { serveTools } from '@touchstone/server/mcp';
import type { ServiceClient } from '../client.ts';
import type { Io } from '../io.ts';
import { safe } from '../output/safe-text.ts';
import { remoteUseCases } from './remote-use-cases.ts';

/** Serves the companion tools over standard input and output, in front of the service that `client` asks. */
export async function serveToolsOverStdio(client: ServiceClient, io: Io): Promise<void> {
  await serveTools({
    use: remoteUseCases(client),
    input: Readable.from(buffersOf(io.stdin)),
    output: new Writable({
      decodeStrings: false,
      write(chunk: string | Uint8Array, _, done) {
        io.stdout.write(typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk));
        done();
      },
    }),
    stop: io.stop,
    // standard output belongs to the protocol
    onFault: (error) => io.stderr.write(`${safe(error instanceof Error ? error.message : String(error))}\n`),
  });
}

/** The protocol's library searches its input for line breaks as only a Buffer can. */
async function* buffersOf(source: Io['stdin']): AsyncGenerator<Buffer, void, undefined> {
  for await (const { buffer, byteOffset, length } of source) yield Buffer.from(buffer, byteOffset, length);
}
