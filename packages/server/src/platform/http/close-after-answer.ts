import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { hasUnreadBody } from './request-body.ts';

/** Milliseconds that a client may go on sending what nobody reads, so that it comes to read its answer. */
const LINGER = 5_000;

/**
 * Ends the connection behind an answer that left a part of the body unread: reading it to its end just to keep
 * the connection would be at the client's mercy.
 */
export function closeOverUnreadBody(request: IncomingMessage, reply: FastifyReply): void {
  if (!hasUnreadBody(request)) return;
  reply.header('connection', 'close');
  const { socket } = request;
  // called by Node when the answer has been handed over
  socket.destroySoon = () => {
    endGently(socket);
    request.resume();
  };
}

/**
 * Says the last words on a connection and ends it in two steps (RFC 9112 section 9.6): one that is closed over
 * unread bytes is reset, and the reset may overtake the answer, which is then lost to the client.
 */
export function endGently(socket: Duplex, lastWords = ''): void {
  socket.end(lastWords);
  const timer = setTimeout(() => socket.destroy(), LINGER);
  socket.once('close', () => clearTimeout(timer));
}
