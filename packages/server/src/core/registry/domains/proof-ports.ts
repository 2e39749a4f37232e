import { FetchFault, type FetchResult, type PageFetcher, resolveTxt } from '@touchstone/fetch';
import { ServiceError } from '../../../platform/errors.ts';
import type { DomainProofPorts, FetchedText, TxtAnswer } from './find-proof.ts';

/** Network access for domain proofs, by a guarded fetcher that accepts any type of content. */
export function domainProofPorts(fetcher: PageFetcher, lookUp = lookUpTxt): DomainProofPorts {
  return {
    fetchText: async (url, signal) => textOf(await orFault(fetcher.fetch(url, { signal }))),
    resolveTxt: lookUp,
  };
}

async function orFault<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof FetchFault ? new ServiceError('network_unavailable', { cause: error }) : error;
  }
}

function textOf(result: FetchResult): FetchedText {
  if (result.kind === 'page') {
    const { status, finalUrl, body } = result;
    return { status, finalUrl, body: new TextDecoder().decode(body) };
  }
  const { code, detail, status, finalUrl } = result;
  // the host answered: its status is more informative than the failure
  if (code === 'http_status' && status !== undefined) return { status, finalUrl, body: '' };
  return { failed: true, code, ...(detail === undefined ? {} : { value: detail }) };
}

async function lookUpTxt(name: string, signal: AbortSignal): Promise<TxtAnswer> {
  const answer = await orFault(resolveTxt(name, signal));
  return 'records' in answer ? answer : { failed: true, code: 'dns_failed', value: answer.detail };
}
