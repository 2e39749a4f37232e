import {
  checkPage,
  findProductCertificate,
  getJwks,
  getPageCheckPictures,
  getProductCertificate,
  getSite,
  MAX_PICTURE_WAIT,
  verifyItems,
  verifyProductCertificate,
} from '@touchstone/contract';
import {
  AnswerError,
  type Client,
  ContradictionError,
  ProblemError,
  UnreachableError,
} from '@touchstone/contract/client';
import type { ToolFault } from '@touchstone/contract/tools';
import { type ToolUseCases, toolError } from '@touchstone/mcp';
import { reasonOf } from '../problem.ts';

/** The tools' use cases, implemented by calls to a service: the same answers as it gives over HTTP. */
export function remoteUseCases(client: Client): ToolUseCases {
  return {
    async verifyProduct({ productId, pageUrl, ...asked }) {
      const input = { params: { product_id: productId }, body: { productUrl: pageUrl, ...asked } };
      return (await client.call(verifyProductCertificate, input)).body;
    },
    async checkPage({ signal, ...body }) {
      return (await client.call(checkPage, { body }, { signal })).body;
    },
    async pagePictures({ id, signal }) {
      const asked = { params: { id }, query: { wait: MAX_PICTURE_WAIT } };
      return (await client.call(getPageCheckPictures, asked, { signal })).body;
    },
    async checkSite(query) {
      return (await client.call(getSite, { query })).body;
    },
    async verifyItems({ items, source, signal }) {
      const body = { items: [...items], ...(source === undefined ? {} : { source }) };
      const { results } = (await client.call(verifyItems, { body }, { signal })).body;
      return results.map(({ result, problem }) => {
        if (result !== undefined) return { result };
        const { code = 'bad_request', detail: message = '' } = (problem ?? {}) as {
          readonly code?: string;
          readonly detail?: string;
        };
        return { error: { code, message } };
      });
    },
    async getCertificate(productId) {
      const { body } = await client.call(getProductCertificate, { params: { product_id: productId } });
      return JSON.stringify(body);
    },
    async findCertificate(pageUrl) {
      const { body } = await client.call(findProductCertificate, { query: { url: pageUrl } });
      return JSON.stringify(body);
    },
    async getJwks() {
      return JSON.stringify((await client.call(getJwks, {})).body);
    },
  };
}

/** Maps a failed call to the tool's error, by the service's own code if it sent one. */
export function remoteFault(error: unknown, baseUrl: string): ToolFault | null {
  if (error instanceof ProblemError && error.problem !== undefined) {
    const { code, detail: message, retryAfter } = error;
    return { code, message, ...(retryAfter === undefined ? {} : { retryAfter }) };
  }
  if (error instanceof UnreachableError) {
    const message = `The service at ${baseUrl} does not answer (${reasonOf(error.cause)}).`;
    return toolError('service_unreachable', { message }).fault;
  }
  if (!(error instanceof AnswerError)) return null;
  if (error instanceof ContradictionError) {
    return toolError('service_contradicts_itself', { message: error.message }).fault;
  }
  // a success response that cannot be parsed must never be passed on as a verdict, a certificate or keys
  if (error.status === 200) return toolError('service_not_understood').fault;
  const message = `The response from ${baseUrl} (${error.status}) is not from the service: check --service URL, or TOUCHSTONE_SERVICE.`;
  return toolError('service_not_understood', { message }).fault;
}
