import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ErrorCode, ServiceError } from '../errors.ts';
import { problemAnswer } from './problem.ts';

/**
 * Answers a connection whose request never became one (malformed, too slow, headers too large) with the same
 * problem body as everywhere else, and closes it.
 */
export function answerClientError(error: Error & { code?: string }, socket: Duplex, baseUrl: string): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  writeProblem(socket, codeOf(error.code), baseUrl);
}

/** Answers what Node's server would answer without a word of ours, or not at all. */
export function answerOddRequests(server: Server, baseUrl: string): void {
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
  if (!socket.writable) {
    socket.destroy();
    return;
  }
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
  socket.end(`${lines.join('\r\n')}\r\n\r\n${text}`);
}

function codeOf(code: string | undefined): ErrorCode {
  if (code === 'HPE_HEADER_OVERFLOW') return 'request_headers_too_large';
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request_timeout' : 'bad_request';
}
