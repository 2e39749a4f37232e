import { readDecoded } from './decode.ts';
import type { Answer } from './exchange.ts';
import { type FailedFetch, FetchFailure } from './failure.ts';
import { type FetcherOptions, type FetchOptions, fetchGuarded, settingsFrom } from './fetcher.ts';

/** The result of one fetch. Failures of the page or its host are data; local failures are thrown. */
export type FetchResult = FetchedPage | FailedFetch;

/** A fetched page, its body decoded but not parsed. */
export interface FetchedPage {
  readonly kind: 'page';
  /** 200 to 299. */
  readonly status: number;
  /** After redirects; no credentials, and no fragment but a route (`#!…`, `#/…`), which redirects keep. */
  readonly finalUrl: string;
  /** As sent; absent if the host sent none. */
  readonly contentType?: string;
  /** Decoded, at most the size limit. */
  readonly body: Uint8Array;
  /** As sent, if requested (`keepHeaders`). */
  readonly headers?: ResponseHeaders;
}

/** By name in lower case. */
export type ResponseHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The options of all fetchers, with the accepted types. */
export interface PageFetcherOptions extends FetcherOptions {
  /** Default: `html`; `any` accepts every media type, for example of a challenge file. */
  readonly content?: 'html' | 'any';
}

/** Fetches pages of the public internet only. */
export interface PageFetcher {
  /**
   * Fetches one page. Failures of the page or its host are data.
   *
   * @throws FetchFault for a local failure; the abort reason of `signal`; errors of `takePermit`
   */
  fetch(url: string, options?: FetchOptions): Promise<FetchResult>;
}

/**
 * Creates a fetcher of pages.
 *
 * @example
 * ```ts
 * import { createPageFetcher } from '@touchstone/fetch';
 *
 * const fetcher = createPageFetcher({ userAgent: 'example/1.0 (+https://certificates.example)' });
 * const result = await fetcher.fetch('http://127.0.0.1/products/cup');
 * result.kind === 'failed' && result.code; // 'address_blocked'
 * ```
 */
export function createPageFetcher({ content = 'html', ...options }: PageFetcherOptions): PageFetcher {
  const accept = content === 'any' ? '*/*' : 'text/html,application/xhtml+xml;q=0.9';
  const settings = settingsFrom(options, accept);
  const readBody = content === 'any' ? readDecoded : readHtml;
  return {
    fetch: (url, fetching) =>
      fetchGuarded<FetchResult>(url, settings, fetching, async (answer, finalUrl, signal) => {
        const { status, headers } = answer;
        const contentType = headers['content-type'];
        const head = {
          status,
          finalUrl,
          ...(contentType === undefined ? {} : { contentType }),
          ...(fetching?.keepHeaders === true ? { headers } : {}),
        };
        const reading = readBody(answer, settings.bodySize);
        if (status >= 200 && status <= 299) return { kind: 'page', ...head, body: await reading };
        const body = await reading.catch((error: unknown) => {
          signal.throwIfAborted();
          if (!(error instanceof FetchFailure)) throw error;
        });
        const failed = { kind: 'failed', code: 'http_status', detail: `status ${status}` } as const;
        return { ...failed, ...head, ...(body === undefined ? {} : { body }) };
      }),
  };
}

/** @throws FetchFailure not_html, too_large, encoding_… or the error of the connection */
async function readHtml(answer: Answer, limit: number): Promise<Uint8Array> {
  const contentType = answer.headers['content-type'];
  const kind = kindOfContent(contentType);
  if (kind === 'other') throw new FetchFailure('not_html', contentType);
  const body = await readDecoded(answer, limit);
  if (kind === 'unnamed' && !looksLikeHtml(body)) throw new FetchFailure('not_html', 'no type named');
  return body;
}

/** Media types of product pages. */
const HTML_TYPES: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml']);

/** Bytes examined to determine the type of an answer without `Content-Type` (WHATWG MIME Sniffing, section 5). */
const SNIFFED_BYTES = 1_445;

const HTML_START =
  /^(?:<!DOCTYPE HTML|<(?:html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p)[\s>]|<!--)/i;

/** Classifies a `Content-Type`; `unnamed`: missing or without a media type. */
export function kindOfContent(contentType: string | undefined): 'html' | 'other' | 'unnamed' {
  const essence = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (HTML_TYPES.has(essence)) return 'html';
  return essence.includes('/') ? 'other' : 'unnamed';
}

/** Whether bytes without a declared type begin like HTML (WHATWG MIME Sniffing, section 7.1). */
export function looksLikeHtml(body: Uint8Array): boolean {
  const start = new TextDecoder('latin1').decode(body.subarray(0, SNIFFED_BYTES));
  return HTML_START.test(start.replace(/^(?:\u00ef\u00bb\u00bf)?[\t\n\f\r ]+|^\u00ef\u00bb\u00bf/, ''));
}
