import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { codeOf, FetchFailure } from './failure.ts';

/** Interim responses (1xx) that are accepted before the final one (RFC 9110, section 15.2 sets no limit). */
const MAX_INTERIM = 20;

/** A request, besides its address; by default a GET without a body. */
export interface RequestContent {
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly body?: Uint8Array;
}

export interface ExchangeOptions extends RequestContent {
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes of one answer's header section. */
  readonly maxHeaderSize: number;
  readonly signal: AbortSignal;
}

/** The head of an answer, whose body is not read yet. */
export interface Answer {
  readonly response: IncomingMessage;
  /**
   * The error that broke the exchange after its head, if any. To be called when the body has ended: a body
   * without a stated length looks complete to its reader however the connection ended.
   */
  readonly broken: () => Error | undefined;
}

/**
 * Sends one request over a connection that is already open. The connection serves this one exchange only.
 *
 * @throws FetchFailure
 */
export function exchange(socket: Socket, url: URL, options: ExchangeOptions): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let interim = 0;
    let broken: Error | undefined;
    const { method = 'GET', body } = options;
    const length = body === undefined ? {} : { 'Content-Length': String(body.byteLength) };
    const request = httpRequest({
      createConnection: () => socket,
      method,
      path: url.pathname + url.search,
      headers: { Host: url.host, ...options.headers, ...length, Connection: 'close' },
      setHost: false,
      maxHeaderSize: options.maxHeaderSize,
      signal: options.signal,
    });
    const countInterim = () => {
      interim += 1;
      if (interim > MAX_INTERIM) request.destroy(new FetchFailure('too_many_interim_responses'));
    };
    request.on('information', countInterim);
    request.on('upgrade', () => {
      request.destroy();
      reject(new FetchFailure('response_malformed', 'an upgrade that was not requested'));
    });
    request.once('response', (response) => {
      resolve({ response, broken: () => (isWhole(response) ? undefined : broken) });
    });
    // not removed: there may be several errors, none of which may be uncaught
    request.on('error', (error) => {
      broken ??= error;
      reject(exchangeFailure(error));
    });
    request.end(body);
  });
}

/** Whether a body of stated length has arrived completely, so that later errors of the connection do not matter. */
function isWhole(response: IncomingMessage): boolean {
  const { headers } = response;
  const announced = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  return announced && response.complete;
}

/** The failure for a broken exchange or an incomplete body. */
export function exchangeFailure(error: unknown): unknown {
  if (error instanceof FetchFailure) return error;
  const code = codeOf(error);
  if (code === 'HPE_HEADER_OVERFLOW') return new FetchFailure('headers_too_large');
  if (code.startsWith('HPE_')) return new FetchFailure('response_malformed', code);
  if (CONNECTION_LOST.has(code)) return new FetchFailure('connection_failed', code);
  return error;
}

const CONNECTION_LOST: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ERR_STREAM_PREMATURE_CLOSE',
]);
