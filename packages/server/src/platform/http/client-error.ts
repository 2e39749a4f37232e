import { randomUUID } from 'node:crypto';
import type { Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from '@touchstone/contract';
import { ServiceError } from '../errors.ts';
import { startDeadline } from './client-deadline.ts';
import type { LoadGauge } from './load-gauge.ts';
import { problemAnswer } from './problem.ts';

/** Property of a connection with its latest answer. A separate map would increase the cost of garbage collection per request. */
const LATEST = Symbol('latest answer');
type Answering = Duplex & { [LATEST]?: ServerResponse };

/** Milliseconds for a client to read its last answer. */
const LINGER = 5_000;

/**
 * Answers what never became a request (malformed, too slow, headers too large) by the same problem body as everywhere
 * else, and closes the connection. An answer under way on it is waited for, or a client would take ours for that one
 * (RFC 9112 section 9.3.2; test/stress/requests-sockets).
 */
export function createClientErrors(baseUrl: string, patience: HeadersPatience) {
  return {
    /** For `clientError` of the server. */
    answer({ code }: Error & { code?: string }, socket: Duplex): void {
      // sent after a request with `Connection: close`, whose answer is the last and closes the connection
      if (code === 'HPE_CLOSED_CONNECTION') return;
      const before = (socket as Answering)[LATEST];
      const tell = (fault = new ServiceError(codeOf(code))) => {
        // anything that follows on a connection that is being closed is malformed, too
        if (code !== 'ECONNRESET' && socket.writable) writeProblem(socket, fault, baseUrl);
      };
      const isBetween = before === undefined || before.writableFinished;
      if (isBetween && code === 'ERR_HTTP_REQUEST_TIMEOUT') awaitHeaders(socket, patience, tell);
      else if (isBetween) tell();
      else if (before.req.complete) before.once('close', () => tell());
      else if (before.headersSent) socket.destroy();
      else tell();
    },
    /** Notes the answer to the latest request of a connection. */
    note(socket: Duplex, response: ServerResponse): void {
      (socket as Answering)[LATEST] = response;
    },
    watch: (server: Server) => answerOddRequests(server, baseUrl),
  };
}

interface HeadersPatience {
  /** Milliseconds after which Node's server reports a headers timeout, even if the delay was on our side. */
  readonly headersTimeout: number;
  readonly load: LoadGauge;
}

/** Node's server checks for late headers before it reads data that has already arrived, and only once. */
function awaitHeaders(
  socket: Duplex,
  { headersTimeout, load }: HeadersPatience,
  tell: (fault: ServiceError) => void,
): void {
  const before = (socket as Answering)[LATEST];
  const endWait = startDeadline({
    milliseconds: headersTimeout,
    begun: performance.now() - headersTimeout,
    load,
    onOver: (fault) => {
      if ((socket as Answering)[LATEST] !== before) return;
      if (isSilent(socket)) socket.destroy();
      else tell(fault);
    },
  });
  socket.once('close', endWait);
}

/**
 * Whether a connection has not sent anything: it was opened in advance. An answer on it would be taken for the answer to the
 * client's next request.
 */
function isSilent(socket: Duplex): boolean {
  return socket instanceof Socket && socket.bytesRead === 0;
}

/** Answers requests that Node's server would answer itself, or not at all. */
function answerOddRequests(server: Server, baseUrl: string): void {
  // an expectation that is unknown may be ignored (RFC 9110 section 10.1.1)
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', (_request, socket) => {
    socket.on('error', () => socket.destroy());
    const allow = { allow: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS' };
    writeProblem(socket, new ServiceError('method_not_allowed'), baseUrl, allow);
  });
}

function writeProblem(
  socket: Duplex,
  fault: ServiceError,
  baseUrl: string,
  extra: Record<string, string> = {},
): void {
  const { status, headers, body } = problemAnswer(fault, {
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
  // in two steps (RFC 9112, section 9.6): closing a connection with unread bytes would reset it, and lose the answer
  socket.end(`${lines.join('\r\n')}\r\n\r\n${text}`);
  const timer = setTimeout(() => socket.destroy(), LINGER);
  socket.once('close', () => clearTimeout(timer));
}

function codeOf(code: string | undefined): ErrorCode {
  if (code === 'HPE_HEADER_OVERFLOW') return 'request_headers_too_large';
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request_timeout' : 'bad_request';
}
