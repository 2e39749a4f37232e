import { Readable, Writable } from 'node:stream';
import type { ProblemError } from '@touchstone/contract/client';
import type { PageReport } from '@touchstone/page';
import { serveTools, ToolError, type ToolUseCases, toolError } from '@touchstone/server/mcp';
import { CliError } from '../cli-error.ts';
import { answerOf, type ServiceClient } from '../client.ts';
import type { Io } from '../io.ts';
import { safe } from '../output/text.ts';

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

/** What the tools ask for, asked of a service: the same answers, and the same codes when it cannot give one. */
export function remoteUseCases(client: ServiceClient): ToolUseCases {
  return {
    verifyProduct: ({ productId, pageUrl, document }) => {
      const body = { productUrl: pageUrl, document };
      return asTool(client.call('verifyProductCertificate', { params: { product_id: productId }, body }));
    },
    checkPage: async ({ url, freshness, images }) =>
      (await asTool(client.call('checkPage', { body: { url, freshness, images } }))) as PageReport,
    getCertificate: async (productId) =>
      JSON.stringify(
        await asTool(client.call('getProductCertificate', { params: { product_id: productId } })),
      ),
    getJwks: async () => JSON.stringify(await asTool(client.call('getJwks', {}))),
  };
}

/** What is not understood must never be passed on as a verdict, a certificate or keys. */
async function asTool<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const answer = answerOf(error) as Partial<ProblemError> | undefined;
    if (answer === undefined) throw toolError('service_unreachable', { message: error.message });
    const { problem, code, detail, retryAfter } = answer;
    if (problem === undefined || code === undefined || detail === undefined) {
      throw toolError('service_not_understood', { message: error.message });
    }
    throw new ToolError({ code, message: detail, ...(retryAfter === undefined ? {} : { retryAfter }) });
  }
}
