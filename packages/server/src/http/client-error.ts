import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { type ErrorCode, ServiceError } from '../errors.ts';
import { problemAnswer } from './problem.ts';

/**
 * Answers a connection whose request never became one (malformed, too slow, headers too large) with the same
 * problem body as everywhere else, and closes it.
 */
export function answerClientError(error: Error & { code?: string }, socket: Socket, baseUrl: string): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = problemAnswer(new ServiceError(codeOf(error.code)), {
    baseUrl,
    requestId: randomUUID(),
  });
  const text = JSON.stringify(body);
  const lines = [
    `HTTP/1.1 ${status} ${body.title}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
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
