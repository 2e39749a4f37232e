import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from '@touchstone/contract';
import { ServiceError } from '../errors.ts';
import { endGently } from './close-after-answer.ts';
import { problemAnswer } from './problem.ts';

/** Answers what never became a request (malformed, too slow, headers too large), and what Node would not. */
export interface ClientErrors {
  /** For Node's `clientError`: the same problem body as everywhere else, and the connection closed. */
  readonly answer: (error: Error & { code?: string }, socket: Duplex) => void;
  /** Takes notice of the server's requests, so that answers stay in their order. */
  readonly watch: (server: Server) => void;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export function createClientErrors(baseUrl: string): ClientErrors {
  const underWay = new WeakMap<Duplex, Set<Exchange>>();
  const broken = new WeakSet<Duplex>();

  const track = (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const exchanges = underWay.get(socket) ?? new Set();
    underWay.set(socket, exchanges);
    const exchange = { request, response };
    exchanges.add(exchange);
    response.once('close', () => exchanges.delete(exchange));
  };

  const answer: ClientErrors['answer'] = (error, socket) => {
    // whatever follows on a broken connection is broken too
    if (error.code === 'ECONNRESET' || socket.destroyed || broken.has(socket)) return;
    broken.add(socket);
    const exchanges = [...(underWay.get(socket) ?? [])];
    const cutShort = exchanges.find(({ request }) => !request.complete);
    const tell = () => {
      // an answer to what broke off went out already: nothing can be said behind it
      if (cutShort?.response.headersSent === true) endGently(socket);
      else writeProblem(socket, codeOf(error.code), baseUrl);
    };
    // answers go out in the order of requests (RFC 9112 section 9.3.2): those that came whole are answered first
    const before = exchanges.findLast(({ request }) => request.complete);
    if (before === undefined) tell();
    else before.response.once('close', tell);
  };

  return {
    answer,
    watch(server) {
      server.prependListener('request', track);
      answerOddRequests(server, baseUrl);
    },
  };
}

/** Answers what Node's server would answer without a word of ours, or not at all. */
function answerOddRequests(server: Server, baseUrl: string): void {
  // an expectation that is unknown may be ignored (RFC 9110 section 10.1.1)
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', (_request, socket) => {
    socket.on('error', () => socket.destroy());
    writeProblem(socket, 'method_not_allowed', baseUrl, {
      allow: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
    });
  });
}

function writeProblem(
  socket: Duplex,
  code: ErrorCode,
  baseUrl: string,
  extra: Record<string, string> = {},
): void {
  // the answer before it was the last one, and its sender sees to the end
  if (!socket.writable) return;
  const { status, headers, body } = problemAnswer(new ServiceError(code), {
    baseUrl,
    requestId: randomUUID(),
  });
  const text = JSON.stringify(body);
  const lines = [
    `HTTP/1.1 ${status} ${body.title}`,
    ...Object.entries({ ...headers, ...extra }).map(([name, value]) => `${name}: ${value}`),
    `x-request-id: ${body.requestId}`,
    `content-length: ${Buffer.byteLength(text)}`,
    'connection: close',
  ];
  endGently(socket, `${lines.join('\r\n')}\r\n\r\n${text}`);
}

function codeOf(code: string | undefined): ErrorCode {
  if (code === 'HPE_HEADER_OVERFLOW') return 'request_headers_too_large';
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request_timeout' : 'bad_request';
}
