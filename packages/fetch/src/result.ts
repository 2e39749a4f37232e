import { type Allowance, parseContentEncoding, readBody } from './decode.ts';
import { type Answer, exchangeFailure } from './exchange.ts';
import { FetchFailure, type FetchFailureCode } from './failure.ts';

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
}

/** Why there is no page: a failure of the page, its host or the connection. */
export interface FailedFetch {
  readonly kind: 'failed';
  readonly code: FetchFailureCode;
  /** Details beyond the sentence of the code; may be empty. Text of the host is shortened and printable. */
  readonly detail: string;
  /** The address at which it failed. */
  readonly finalUrl: string;
  /** Status of the answer, if there was one. */
  readonly status?: number;
  readonly contentType?: string;
  /** Seconds of the host's `Retry-After`, without an upper limit. Only for fetches of bytes. */
  readonly retryAfter?: number;
  /** HTML with an unsuccessful status, which may be a password gate or a challenge. */
  readonly body?: Uint8Array;
}

/** A redirect. */
export interface Redirect {
  readonly kind: 'redirect';
  readonly location: string;
}

const REDIRECT_STATUS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Which bodies are accepted. */
export interface Wanted {
  /** Bytes, decoded. */
  readonly limit: number;
  readonly content: 'html' | 'any';
}

/** Turns the answer of one hop into a page, a failure that still carries a body, or a redirect. */
export async function readPageBody(
  answer: Answer,
  finalUrl: string,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<FetchResult | Redirect> {
  const { response } = answer;
  const redirect = redirectIn(answer);
  if (redirect !== undefined) return redirect;
  const status = response.statusCode ?? 0;
  const contentType = response.headers['content-type'];
  const head = { status, finalUrl, ...(contentType === undefined ? {} : { contentType }) };
  const success = status >= 200 && status <= 299;
  if (!success) {
    const body = await readWanted(answer, wanted, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      if (error instanceof FetchFailure) return undefined;
      throw error;
    });
    const failed = { kind: 'failed', code: 'http_status', detail: `status ${status}` } as const;
    return { ...failed, ...head, ...(body === undefined ? {} : { body }) };
  }
  return { kind: 'page', ...head, body: await readWanted(answer, wanted, signal) };
}

/** The redirect of an answer, or `undefined` if it has none. */
export function redirectIn({ response }: Answer): Redirect | undefined {
  const { location } = response.headers;
  if (!REDIRECT_STATUS.has(response.statusCode ?? 0) || location === undefined) return undefined;
  return { kind: 'redirect', location: asUtf8(location) };
}

/** @throws FetchFailure not_html, too_large, encoding_… or the error of the connection */
async function readWanted(
  answer: Answer,
  { limit, content }: Wanted,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { headers } = answer.response;
  const kind = kindOfContent(headers['content-type']);
  if (kind === 'other' && content === 'html') throw new FetchFailure('not_html', headers['content-type']);
  const body = await readDecoded(answer, limit, signal);
  if (kind === 'unnamed' && content === 'html' && !looksLikeHtml(body))
    throw new FetchFailure('not_html', 'no type named');
  return body;
}

/**
 * Reads an answer's body to its end, decoded, of at most `limit` bytes, which are also subtracted from the allowance.
 *
 * @throws FetchFailure too_large, encoding_… or the error of the connection
 */
export async function readDecoded(
  { response, broken }: Answer,
  limit: number,
  signal: AbortSignal,
  allowance?: Allowance,
): Promise<Uint8Array> {
  const codings = parseContentEncoding(response.headers['content-encoding']);
  const announced = Number(response.headers['content-length'] ?? 0);
  if (announced > Math.min(limit, allowance?.left ?? limit))
    throw new FetchFailure('too_large', `${announced} bytes announced`);
  const body = await readBody(response, codings, limit, allowance).catch((error: unknown) => {
    signal.throwIfAborted();
    throw exchangeFailure(broken() ?? error);
  });
  signal.throwIfAborted();
  if (broken() !== undefined) throw exchangeFailure(broken());
  return body;
}

/** Header bytes are read as Latin-1, but a `Location` may contain raw UTF-8. */
function asUtf8(header: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(header, 'latin1'));
  } catch {
    return header;
  }
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
