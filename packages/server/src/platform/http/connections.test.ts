import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { DEFAULT_TIMEOUTS } from './http-timeouts.ts';
import { drain } from './listen.ts';
import { type TestServer, testServer } from './testing.ts';

type ListeningServer = TestServer & { port: number; url: string; close(): Promise<void> };

/** On loopback, with short timeouts. */
async function listen(): Promise<ListeningServer> {
  const server = testServer({ timeouts: { ...DEFAULT_TIMEOUTS, headers: 300, body: 300, streamIdle: 300 } });
  await server.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.app.server.address() as AddressInfo;
  const close = async () => {
    server.app.server.closeAllConnections();
    await server.app.close();
  };
  return { ...server, port, url: `http://127.0.0.1:${port}`, close };
}

/** A server of the test's own. */
async function listening(): Promise<ListeningServer> {
  const server = await listen();
  onTestFinished(server.close);
  return server;
}

/** Sends bytes and waits until the other side closes. */
async function converse(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.setEncoding('latin1').write(text);
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  socket.on('error', () => undefined);
  await once(socket, 'close');
  return answer;
}

// at the same time, since they do little but wait
describe.concurrent('a client that is slow or broken is answered and disconnected', () => {
  let server: ListeningServer;
  beforeAll(async () => {
    server = await listen();
  });
  afterAll(() => server.close());

  test.each([
    ['stops within its headers', 'GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ', 408, 'request_timeout'],
    ['names no host', 'GET /fail/none HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'bad_request'],
    ['asks for a tunnel', 'CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n', 405, 'method_not_allowed'],
    [
      'has an unknown expectation',
      'GET /nothing HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\nConnection: close\r\n\r\n',
      404,
      'route_unknown',
    ],
    ['is not HTTP', 'HELLO\r\n\r\n', 400, 'bad_request'],
    [
      'has huge headers',
      `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,
      431,
      'request_headers_too_large',
    ],
    [
      'has a huge address',
      `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
      431,
      'request_headers_too_large',
    ],
    [
      'stops within its body',
      'POST /things/0b0e7a5c-6d1f-4b4e-9f57-0d4b0f6f2a11/verify HTTP/1.1\r\nHost: a\r\n' +
        'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"productUrl"',
      408,
      'request_timeout',
    ],
    [
      'stops within its stream',
      'PUT /rows HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{}\n\r\n',
      408,
      'request_timeout',
    ],
    [
      'sends a body that is not needed',
      'GET /nothing HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\nxxx',
      404,
      'route_unknown',
    ],
    [
      'keeps sending after its rows were refused',
      'PUT /rows HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n!\n\r\n',
      409,
      'conflict',
    ],
  ])('%s', async (_, text, status, code) => {
    const answer = await converse(server.port, text);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toContain(`"code":"${code}"`);
    expect(answer.toLowerCase()).toContain('content-type: application/problem+json');
  });

  test('a client that sends nothing is disconnected without a response, which could be taken for that of its next request', async () => {
    expect(await converse(server.port, '')).toBe('');
  });

  test('others are served in the meantime', async () => {
    const { port, url } = server;
    const slow = Array.from({ length: 50 }, () => converse(port, 'GET / HTTP/1.1\r\nHost'));
    expect((await fetch(`${url}/fail/none`)).status).toBe(200);
    await Promise.all(slow);
  });

  test('a client that keeps sending a refused body is not read indefinitely', async () => {
    const socket = connect(server.port, '127.0.0.1').on('error', () => undefined);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(
      'POST /nowhere HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
    );
    const drip = setInterval(() => socket.writable && socket.write('1\r\nx\r\n'), 50);
    await closed;
    clearInterval(drip);
  });
});

test('a caller that disconnects aborts the signal of its call, and only that', async () => {
  const server = await listening();
  const controller = new AbortController();
  const leaving = fetch(`${server.url}/fail/slow`, { signal: controller.signal }).catch(() => 'left');
  const staying = fetch(`${server.url}/fail/slow`);
  while (server.calls.length < 2) await sleep(5);
  const signals = server.calls.map(({ call }) => call.signal);
  controller.abort();
  expect(await leaving).toBe('left');
  expect((await staying).status).toBe(200);
  expect(signals.map((signal) => signal.aborted).toSorted()).toEqual([false, true]);
});

test('a call that ends because its caller disconnected is not a fault of ours', async () => {
  const server = await listening();
  const controller = new AbortController();
  const leaving = fetch(`${server.url}/fail/aborted`, { signal: controller.signal }).catch(() => 'left');
  while (server.calls.length < 1) await sleep(5);
  controller.abort();
  expect(await leaving).toBe('left');
  while (server.records.length < 1) await sleep(5);
  expect(server.records.map(({ status }) => status)).toEqual([499]);
  expect(server.log.join('')).not.toContain('"level":50');
});

test('closing finishes requests in progress and accepts no new ones', async () => {
  const server = await listening();
  const underWay = fetch(`${server.url}/fail/slow`);
  while (server.calls.length < 1) await sleep(5);
  const closed = drain(server.app, 5000);
  expect((await underWay).status).toBe(200);
  await closed;
  await expect(fetch(`${server.url}/fail/none`)).rejects.toThrow();
});

test('until the notice of closing is over, requests are answered on old and new connections, which then end', async () => {
  const server = await listening();
  const kept = connect(server.port, '127.0.0.1').setEncoding('latin1');
  const ask = () => kept.write('GET /fail/none HTTP/1.1\r\nHost: a\r\n\r\n');
  ask();
  const [before] = (await once(kept, 'data')) as [string];
  expect(before).not.toContain('Connection: close');
  const closed = drain(server.app, 100, 3_000);
  ask();
  let last = '';
  kept.on('data', (text) => {
    last += text;
  });
  await once(kept, 'close');
  expect(last).toMatch(/^HTTP\/1.1 200/);
  expect(last).toContain('Connection: close');
  const anew = await fetch(`${server.url}/fail/none`);
  expect([anew.status, anew.headers.get('connection')]).toEqual([200, 'close']);
  await closed;
  await expect(fetch(`${server.url}/fail/none`)).rejects.toThrow();
});

test('closing does not wait longer than its time limit', async () => {
  const server = await listening();
  const underWay = fetch(`${server.url}/fail/slow`).catch(() => 'cut off');
  while (server.calls.length < 1) await sleep(5);
  await drain(server.app, 100);
  expect(await underWay).toBe('cut off');
});

describe('pipelined requests', () => {
  const GOOD = 'GET /fail/slow HTTP/1.1\r\nHost: a\r\n\r\n';
  const statusesOf = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status);

  test('are answered in order, even if the last one is malformed', async () => {
    const { port } = await listening();
    expect(statusesOf(await converse(port, `${GOOD}HELLO\r\n\r\n`))).toEqual(['200', '400']);
    expect(statusesOf(await converse(port, `${GOOD}${GOOD}HELLO\r\n\r\nHELLO\r\n\r\n`))).toEqual([
      '200',
      '200',
      '400',
    ]);
  });

  test('end after a request with Connection: close', async () => {
    const { port } = await listening();
    const last = GOOD.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
    expect(statusesOf(await converse(port, last + GOOD))).toEqual(['200']);
  });

  test('end at one whose body is cut off', async () => {
    const { port } = await listening();
    const head =
      'POST /things/01234567-89ab-4def-8123-456789abcdef/verify HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
    // answered at once as malformed, not later as too slow
    expect(statusesOf(await converse(port, `${head}zz\r\n`))).toEqual(['400']);
  });

  test('name one host each', async () => {
    const { port } = await listening();
    const two = 'GET /fail/none HTTP/1.1\r\nHost: a\r\nhost: b\r\nConnection: close\r\n\r\n';
    expect(statusesOf(await converse(port, two))).toEqual(['400']);
  });
});
