import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type TestServer, THING_ID, testServer } from './testing.ts';

const MB = 1024 * 1024;

let server: TestServer;
let port: number;
beforeAll(async () => {
  server = testServer();
  await server.app.listen({ host: '127.0.0.1', port: 0 });
  port = (server.app.server.address() as AddressInfo).port;
});
afterAll(() => server.app.close());

/** Not `once`, which gives up at an error. */
const closeOf = (socket: Socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()));

/** Sends all of a request before it reads a byte of the answer, as simple clients do. */
async function sendThenRead(head: string, size: number): Promise<{ answer: string; reset: boolean }> {
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
  let reset = false;
  socket.on('error', () => {
    reset = true;
  });
  await once(socket, 'connect');
  socket.pause();
  socket.write(`${head}Host: a\r\nContent-Length: ${size}\r\n\r\n`);
  const chunk = Buffer.alloc(64 * 1024, 'x');
  for (let sent = 0; sent < size && !socket.destroyed; sent += chunk.length) {
    if (!socket.write(chunk.subarray(0, Math.min(chunk.length, size - sent)))) {
      await Promise.race([once(socket, 'drain').catch(() => {}), closeOf(socket)]);
    }
  }
  let answer = '';
  socket.setEncoding('latin1').on('data', (text) => {
    answer += text;
  });
  socket.resume().end();
  if (!socket.closed) await closeOf(socket);
  return { answer, reset };
}

it.each([
  [
    'too large',
    'POST /things/01234567-89ab-4def-8123-456789abcdef/verify HTTP/1.1\r\nContent-Type: application/json\r\n',
    413,
  ],
  [
    'of the wrong type',
    'POST /things/01234567-89ab-4def-8123-456789abcdef/verify HTTP/1.1\r\nContent-Type: text/plain\r\n',
    415,
  ],
  ['from an unidentified caller', 'POST /things HTTP/1.1\r\nContent-Type: application/json\r\n', 401],
  ['for nothing', 'POST /nowhere HTTP/1.1\r\nContent-Type: application/json\r\n', 404],
  ['that a GET does not need', 'GET /fail/none HTTP/1.1\r\n', 200],
])(
  'answers a body that is %s so that a client that is still sending gets the response',
  async (_, head, status) => {
    for (const size of [2 * MB, 8 * MB]) {
      const { answer, reset } = await sendThenRead(head, size);
      expect(answer.slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
      expect(reset).toBe(false);
    }
  },
);

it('does not wait for the rest of a body that arrived together with its head', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  try {
    const socket = connect({ host: '127.0.0.1', port });
    await once(socket, 'connect');
    const head = `POST /things/${THING_ID}/verify HTTP/1.1\r\nHost: a\r\nConnection: close\r\n`;
    socket.write(`${head}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`);
    socket.resume();
    await closeOf(socket);
    expect(timers.mock.calls.filter(([, milliseconds]) => milliseconds === 5_000)).toEqual([]);
  } finally {
    timers.mockRestore();
  }
});
