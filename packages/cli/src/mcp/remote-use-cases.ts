import type { ProblemError } from '@touchstone/contract/client';
import type { PageReport } from '@touchstone/page';
import { ToolError, type ToolUseCases, toolError } from '@touchstone/server/mcp';
import { CliError } from '../cli-error.ts';
import { answerOf, type ServiceClient } from '../client.ts';

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
