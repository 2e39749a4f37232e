import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { codeOf, FetchFailure } from './failure.ts';

/** Interim responses (1xx) that are accepted before the final one (RFC 9110, section 15.2 sets no limit). */
const MAX_INTERIM = 20;

/** A request, besides its address; by default a GET without a body. */
export interface RequestContent {
  readonly method?: 'GET' | 'POST' | 'PUT' | undefined;
  readonly body?: Uint8Array | undefined;
}

export interface ExchangeOptions extends RequestContent {
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes of one answer's header section. */
  readonly headerSize: number;
  readonly signal: AbortSignal;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** As received, not decoded. It ends with an error unless it is complete. */
  readonly body: AsyncIterable<Buffer>;
}

/**
 * Sends one request over a connection that is already open. The connection serves this one exchange only.
 *
 * @throws FetchFailure
 */
export function exchange(
  socket: Socket,
  url: URL,
  { method = 'GET', body, headers, headerSize, signal }: ExchangeOptions,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let interim = 0;
    let broken: Error | undefined;
    const request = httpRequest({
      createConnection: () => socket,
      method,
      path: url.pathname + url.search,
      headers: { Host: url.host, ...headers, Connection: 'close' },
      setHost: false,
      maxHeaderSize: headerSize,
      signal,
    });
    if (body !== undefined) request.setHeader('Content-Length', body.byteLength);
    request.on('information', () => {
      interim += 1;
      if (interim > MAX_INTERIM) request.destroy(new FetchFailure('too_many_interim_responses'));
    });
    request.on('upgrade', () => {
      request.destroy();
      reject(new FetchFailure('response_malformed', 'an upgrade that was not requested'));
    });
    request.once('response', (response) => {
      const { statusCode: status = 0, headers: received } = response;
      resolve({ status, headers: received, body: wholeBody(response, () => broken, signal) });
    });
    // not removed: there may be several errors, none of which may be uncaught
    request.on('error', (error) => {
      broken ??= error;
      reject(exchangeFailure(error));
    });
    request.end(body);
  });
}

/**
 * @param broken - the error that broke the exchange after its head, if any. Asked when the body has ended: a body
 *   without a stated length looks complete to its reader however the connection ended.
 * @throws FetchFailure if the body is incomplete; the reason of `signal`
 */
async function* wholeBody(
  response: IncomingMessage,
  broken: () => Error | undefined,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  let failure: unknown;
  try {
    yield* response;
  } catch (error) {
    failure = error;
  }
  signal.throwIfAborted();
  if (!isWhole(response)) failure = broken() ?? failure;
  if (failure !== undefined) throw exchangeFailure(failure);
}

/** Whether a body of stated length has arrived completely, so that later errors of the connection do not matter. */
function isWhole(response: IncomingMessage): boolean {
  const { headers } = response;
  const announced = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  return announced && response.complete;
}

function exchangeFailure(error: unknown): unknown {
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
