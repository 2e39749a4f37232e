import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import inject from 'light-my-request';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { documentReply } from './implement.ts';
import { drain } from './listen.ts';
import { renderDocument } from './rendered-document.ts';
import type { Reply, Route } from './route.ts';
import { testServer } from './testing.ts';

const document = renderDocument(
  { '@type': 'Product', name: 'Ä cup' },
  { 'content-type': 'application/ld+json', 'surrogate-key': 'p' },
);

const operation = {
  tag: 'Certificates',
  summary: 'For tests',
  access: 'public',
  replies: {},
  errors: [],
} as const;
const get = (id: string, handle: () => Reply | Promise<Reply>): Route => ({
  ...operation,
  id,
  method: 'GET',
  path: `/${id}`,
  handle,
});

const routes: Route[] = [
  get('cached', () => documentReply(document)),
  get('loaded', async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return documentReply(document);
  }),
  get('broken', () => ({ status: 200, body: broken(0) })),
  get('cut', () => ({ status: 200, body: broken(1) })),
  get('endless', () => ({ status: 200, body: endless() })),
  {
    ...operation,
    id: 'ask',
    method: 'POST',
    path: '/ask',
    body: z.object({ pageUrl: z.string() }),
    handle: ({ body }) => ({ status: 200, body: { asked: (body as { pageUrl: string }).pageUrl } }),
  },
];

const ended = Promise.withResolvers<void>();

async function* endless(): AsyncGenerator<string> {
  try {
    while (true) {
      yield 'part\n'.repeat(1_000);
      await nextTurn();
    }
  } finally {
    ended.resolve();
  }
}

async function* broken(after: number): AsyncGenerator<string> {
  for (let part = 0; part < after; part += 1) yield 'part\n';
  throw new Error('the source of a stream failed');
}

async function listening() {
  const server = testServer({ routes });
  const url = await server.app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => drain(server.app, 100));
  return { ...server, url, port: Number(new URL(url).port) };
}

/** Sends bytes and waits until the other side closes. */
async function converse(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  socket.write(text);
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  socket.on('error', () => undefined);
  await once(socket, 'close');
  return answer;
}

const request = (line: string, body?: string, further = '') =>
  `${line} HTTP/1.1\r\nHost: a\r\n${further}${
    body === undefined
      ? ''
      : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
  }\r\n${body ?? ''}`;
const LAST = 'Connection: close\r\n';
const ask = (pageUrl: unknown, further = '') => request('POST /ask', JSON.stringify({ pageUrl }), further);

describe('a cached document', () => {
  test.each([
    ['GET', {}, 200],
    ['HEAD', {}, 200],
    ['GET', { 'if-none-match': document.etag }, 304],
  ] as const)('is sent in the turn in which its request was read: %s %j', async (method, headers, status) => {
    const { app, records } = testServer({ routes });
    let isEnded = false;
    const answer = await inject(
      (asked, response) => {
        app.server.emit('request', asked, response);
        isEnded = response.writableEnded;
      },
      { method, url: '/cached', headers },
    );
    expect([answer.statusCode, isEnded]).toEqual([status, true]);
    expect(answer.body).toBe(method === 'GET' && status === 200 ? String(document.body) : '');
    expect(records.map(({ operation: name, status: counted }) => [name, counted])).toEqual([
      ['cached', status],
    ]);
  });

  test('has the same bytes and headers as when it was loaded', async () => {
    const { app } = testServer({ routes });
    const [cached, loaded] = await Promise.all(['/cached', '/loaded'].map((url) => app.inject(url)));
    const own = ({ 'x-request-id': _id, date: _date, ...headers }: Record<string, unknown>) => headers;
    expect(cached?.rawPayload).toEqual(document.body.bytes);
    expect(loaded?.rawPayload).toEqual(cached?.rawPayload);
    expect(own(loaded?.headers ?? {})).toEqual(own(cached?.headers ?? {}));
  });

  test.each([
    'Range: bytes=0-3',
    'If-Modified-Since: Sat, 01 Jan 2050 00:00:00 GMT',
    'If-None-Match: "other"',
  ])('is sent whole whatever part or version of it is asked for by %s', async (header) => {
    const { port } = await listening();
    const answer = await converse(port, request('GET /cached', undefined, `${header}\r\n${LAST}`));
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer.endsWith(`\r\n\r\n${document.body}`)).toBe(true);
  });

  test('is sent over HTTP/1.0, which requires no host', async () => {
    const { port } = await listening();
    expect(await converse(port, 'GET /cached HTTP/1.0\r\n\r\n')).toContain('200 OK');
  });

  test('says that the connection closes while the service stops', async () => {
    const { app, port } = await listening();
    const connected = once(app.server, 'connection') as Promise<[Socket]>;
    const socket = connect(port, '127.0.0.1').setEncoding('latin1');
    const [accepted] = await connected;
    const text = request('GET /cached');
    socket.write(text);
    const [first] = await once(socket, 'data');
    expect(first).toMatch(/connection: keep-alive/i);
    // half a request, so that the connection is not idle
    const { bytesRead } = accepted;
    socket.write(text.slice(0, 20));
    await expect.poll(() => accepted.bytesRead, { interval: 2 }).toBe(bytesRead + 20);
    const closed = app.close();
    socket.write(text.slice(20));
    const [second] = await once(socket, 'data');
    expect(second).toMatch(/connection: close/i);
    await closed;
  });
});

describe('requests on one connection', () => {
  test('are answered in order, whether they wait or not', async () => {
    const { port } = await listening();
    const answer = await converse(
      port,
      [
        request('GET /loaded'),
        request('GET /cached'),
        ask('1'),
        request('HEAD /loaded'),
        ask(2),
        request('GET /nothing'),
        ask('3', LAST),
      ].join(''),
    );
    expect([...answer.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status)).toEqual([
      '200',
      '200',
      '200',
      '200',
      '422',
      '404',
      '200',
    ]);
    expect([...answer.matchAll(/"asked":"(\d)"/g)].map(([, number]) => number)).toEqual(['1', '3']);
  });

  test('are answered even if garbage follows them', async () => {
    const { port } = await listening();
    const answer = await converse(port, `${ask('1')}nonsense\r\n\r\n`);
    expect([...answer.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status)).toEqual(['200', '400']);
  });

  test('are read however they are split', async () => {
    const { app, port } = await listening();
    const text = ask('1', LAST);
    for (const at of [10, text.length - 20, text.length - 1]) {
      const connected = once(app.server, 'connection') as Promise<[Socket]>;
      const socket = connect(port, '127.0.0.1').setNoDelay().setEncoding('latin1');
      const [accepted] = await connected;
      socket.write(text.slice(0, at));
      await expect.poll(() => accepted.bytesRead, { interval: 2 }).toBe(at);
      socket.write(text.slice(at));
      const [answer] = await once(socket, 'data');
      expect(answer).toMatch(/^HTTP\/1\.1 200 .*\r\n\r\n\{"asked":"1"\}$/s);
      socket.destroy();
    }
  });
});

describe('a stream that fails', () => {
  test('before its first part is answered as any other fault', async () => {
    const { app, log } = testServer({ routes });
    const answer = await app.inject('/broken');
    expect([answer.statusCode, answer.json().code]).toEqual([500, 'internal']);
    expect(log.join('')).toContain('the source of a stream failed');
  });

  test('because its caller disconnected is ended, and is not a fault of ours', async () => {
    const { port, log, records } = await listening();
    const socket = connect(port, '127.0.0.1');
    socket.write(request('GET /endless'));
    await once(socket, 'data');
    socket.destroy();
    await ended.promise;
    await expect.poll(() => records.map(({ status }) => status)).toEqual([499]);
    // what the end of the stream would log
    for (let turn = 0; turn < 5; turn += 1) await nextTurn();
    expect(log.join('')).not.toContain('"level":50');
  });

  test('later is cut off, so that nobody takes it for whole, and is logged', async () => {
    const { url, log, records } = await listening();
    const response = await fetch(`${url}/cut`);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
    expect(log.join('')).toContain('the source of a stream failed');
    await expect.poll(() => records.length).toBe(1);
  });
});

test('neither another path nor a query is taken for that of a cached document', async () => {
  const { app } = testServer({ routes });
  const statuses = ['/cached/', '/cached/x', '/cachedx', '/CACHED', '/cached?a=1', '/cached?'].map(
    async (url) => (await app.inject(url)).statusCode,
  );
  expect(await Promise.all(statuses)).toEqual([404, 404, 404, 404, 422, 200]);
});
