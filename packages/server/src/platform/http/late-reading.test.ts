import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DEFAULT_TIMEOUTS } from './http-timeouts.ts';
import type { LoadGauge } from './load-gauge.ts';
import { type TestServer, testServer } from './testing.ts';

/** Milliseconds that a client may take, for whatever it sends. */
const PATIENCE = 500;

async function listening(load?: LoadGauge): Promise<TestServer & { readonly port: number }> {
  const server = testServer({
    timeouts: { ...DEFAULT_TIMEOUTS, headers: PATIENCE, body: PATIENCE, streamIdle: PATIENCE },
    ...(load === undefined ? {} : { load }),
  });
  await server.app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(async () => {
    server.app.server.closeAllConnections();
    await server.app.close();
  });
  return { ...server, port: (server.app.server.address() as AddressInfo).port };
}

/** A gauge of a process that never gets to read anything. */
const alwaysLate: LoadGauge = {
  admit: () => true,
  done: () => {},
  lateSince: (then) => performance.now() - then,
  watch: () => {},
  close: () => {},
};

const HEAD = 'HTTP/1.1\r\nHost: a\r\nConnection: close\r\n';
const kinds = [
  {
    what: 'its headers',
    first: 'GET /fail/none HTTP/1.1\r\nHost: a\r\n',
    rest: 'Connection: close\r\n\r\n',
    reached: 'connection',
  },
  {
    what: 'its body',
    first: `POST /things/0b0e7a5c-6d1f-4b4e-9f57-0d4b0f6f2a11/verify ${HEAD}Content-Type: application/json\r\nContent-Length: 18\r\n\r\n{"productUrl"`,
    rest: ':"a"}',
    reached: 'request',
  },
  {
    what: 'its stream of rows',
    first: `PUT /rows ${HEAD}Content-Type: application/x-ndjson\r\nContent-Length: 6\r\n\r\n{}\n`,
    rest: '{}\n',
    reached: 'request',
  },
];

function answerOn(socket: Socket): Promise<string> {
  let answer = '';
  socket.setEncoding('latin1').on('data', (chunk) => {
    answer += chunk;
  });
  return once(socket, 'close').then(() => answer);
}

/** Blocks the event loop. */
function block(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

describe('a client of a process that is too busy to read', () => {
  test.each(kinds)('is not blamed when $what was in the socket in time', async ({ first, rest, reached }) => {
    const { app, port } = await listening();
    const isThere = once(app.server, reached);
    const socket = connect(port, '127.0.0.1');
    const answer = answerOn(socket);
    socket.write(first);
    await isThere;
    // the rest is waited for
    for (let turn = 0; turn < 5; turn += 1) await nextTurn();
    // passed to the operating system at once, but read only when the event loop continues
    socket.write(rest);
    block(3 * PATIENCE);
    expect(await answer).toMatch(/^HTTP\/1\.1 200 /);
  });

  test.each(kinds)('is asked to retry later when $what could not be waited for', async ({ first }) => {
    const { port } = await listening(alwaysLate);
    const socket = connect(port, '127.0.0.1');
    const answer = answerOn(socket);
    socket.write(first);
    expect(await answer).toMatch(/^HTTP\/1\.1 503 /);
    expect(await answer).toContain('"code":"overloaded"');
    expect((await answer).toLowerCase()).toContain('retry-after: 2');
  });
});
