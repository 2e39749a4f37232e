import type { Socket } from 'node:net';
import { rawServer, type TestServer } from '../../../kit/servers.ts';

/** The response to a path: bytes, or an action on the connection. */
export type Misbehaviour =
  | string
  | Uint8Array
  | readonly (string | Uint8Array)[]
  | ((socket: Socket) => void);

const NOT_FOUND = 'HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n<html>';

/** A host with a scripted response for each path, which need not be HTTP. */
export function openHostileHost(answers: Readonly<Record<string, Misbehaviour>>): Promise<TestServer> {
  return rawServer((socket) => {
    socket.once('data', (head) => {
      const path = decodeURIComponent(/^GET ([^\s?]+)/.exec(head.toString('latin1'))?.[1] ?? '');
      misbehave(socket, answers[path] ?? NOT_FOUND);
    });
  });
}

function misbehave(socket: Socket, answer: Misbehaviour): void {
  if (typeof answer === 'function') {
    answer(socket);
    return;
  }
  const parts = typeof answer === 'string' || answer instanceof Uint8Array ? [answer] : answer;
  for (const part of parts) socket.write(part);
  socket.end();
}

/** Repeats a block as fast as it is read. */
export function endless(start: string, block: string | Uint8Array): Misbehaviour {
  return (socket) => {
    socket.write(start);
    const fill = () => {
      while (!socket.destroyed && socket.write(block));
    };
    socket.on('drain', fill);
    fill();
  };
}

/** Writes a piece at intervals, forever. */
export function dripping(start: string, drop: string, every = 100): Misbehaviour {
  return (socket) => {
    socket.write(start);
    const drip = setInterval(() => socket.write(drop), every);
    socket.on('close', () => clearInterval(drip));
  };
}
