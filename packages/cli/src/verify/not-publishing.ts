import type { PageReport } from '@touchstone/contract';
import { NOT_PUBLISHING } from '@touchstone/contract/codes';
import { CliError } from '../cli-error.ts';
import { answerOf, type ServiceClient } from '../client.ts';
import { isProblem } from '../problem.ts';

/** Whether the product of a page may be one that publishes no certificate at the moment. */
export function mayNotPublish({ verdict, warnings }: PageReport): boolean {
  return (
    verdict === 'no_certificate' ||
    verdict === 'unverified' ||
    verdict === 'product_deleted' ||
    warnings.some((warning) => warning.startsWith('product_not_publishing:'))
  );
}

/**
 * Why the product of a page publishes no certificate; only the key of its merchant, or of the operator, learns it.
 *
 * @param client - with the caller's key
 * @returns undefined if the product publishes one, or is not the caller's; a fault of the request, as a sentence
 */
export async function whyNotPublishing(
  client: ServiceClient,
  { final_url: url, mc4p }: PageReport,
): Promise<string | undefined> {
  try {
    const id = mc4p.product_id ?? (await uncertifiedAt(client, url));
    if (id === undefined) return undefined;
    const { state, externalProductId } = await client.call('getProduct', { params: { product_id: id } });
    if (state === 'active') return undefined;
    return `Your product ${JSON.stringify(externalProductId)} publishes no certificate: ${NOT_PUBLISHING[state]}`;
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return answerOf(error)?.status === 404 ? undefined : `Your key gives no reason: ${error.message}`;
  }
}

/** The caller's product with this address, if it publishes no certificate. */
async function uncertifiedAt(client: ServiceClient, url: string): Promise<string | undefined> {
  try {
    await client.call('findProductCertificate', { query: { url } });
    return undefined;
  } catch (error) {
    const answer = error instanceof CliError ? answerOf(error) : undefined;
    if (answer === undefined || !isProblem(answer) || answer.code !== 'page_uncertified') throw error;
    return answer.problem?.productId;
  }
}
