import { Resolver } from 'node:dns/promises';
import { FetchFault, type FetchResult, type PageFetcher } from '@touchstone/page/fetch';
import { ServiceError } from '../../platform/errors.ts';
import type { DomainProofPorts, FetchedText, TxtAnswer } from './find-proof.ts';

/** Network access for domain proofs, by a guarded fetcher that accepts any type of content. */
export function domainProofPorts(fetcher: PageFetcher, resolveTxt = lookUpTxt): DomainProofPorts {
  return {
    async fetchText(url) {
      try {
        return textOf(await fetcher.fetch(url));
      } catch (error) {
        throw error instanceof FetchFault ? new ServiceError('network_unavailable', { cause: error }) : error;
      }
    },
    resolveTxt,
  };
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

/** Errors of DNS that mean that there is no such record. */
const NO_RECORD = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME', 'ENONAME']);

async function lookUpTxt(name: string): Promise<TxtAnswer> {
  const dns = new Resolver({ timeout: 2_000, tries: 2 });
  try {
    const records = await dns.resolveTxt(name);
    return { records: records.map((parts) => parts.join('')) };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return NO_RECORD.has(code) ? { records: [] } : { failed: true, code: 'dns_failed', value: code };
  }
}
