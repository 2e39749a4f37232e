import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ServiceError } from '../errors.ts';
import type { RequestRecord } from '../metrics/request-durations.ts';
import { documentReply } from './implement.ts';
import { drain } from './listen.ts';
import type { LoadGauge } from './load-gauge.ts';
import { renderDocument } from './rendered-document.ts';
import type { Route } from './route.ts';
import { type TestServer, testServer } from './testing.ts';

const WARM = '0b0e7a5c-6d1f-4b4e-9f57-0d4b0f6f2a11';
const COLD = '1b0e7a5c-6d1f-4b4e-9f57-0d4b0f6f2a11';
const document = renderDocument(
  { '@type': 'Product', productID: WARM, name: 'Ä cup' },
  { 'content-type': 'application/ld+json', 'cache-control': 'public, max-age=86400', 'surrogate-key': 'p' },
);

const certificateRoute = (onHandled: () => void): Route => ({
  id: 'getDocument',
  method: 'GET',
  path: '/documents/{document_id}/certificate',
  tag: 'Certificates',
  summary: 'For tests',
  access: 'public',
  anyOrigin: true,
  hot: true,
  replies: {},
  errors: [],
  query: z.strictObject({ full: z.enum(['true', 'false']).optional() }),
  cachedDocument: (id, query) =>
    id === WARM && (query === '' || query === '?full=true') ? document : undefined,
  handle: async () => {
    onHandled();
    return documentReply(document);
  },
});

/** Without a parameter, as the JWKS. */
function keysRoute(onHandled: () => void): Route {
  const { query: _, ...route } = certificateRoute(onHandled);
  return {
    ...route,
    id: 'getKeys',
    path: '/.well-known/keys.json',
    cachedDocument: (id, query) => (id === '' && query === '' ? document : undefined),
  };
}

const BodySchema = z.object({ pageUrl: z.string(), note: z.unknown().optional() });

/** A call that is answered from memory if it is valid and its data is cached. */
function callRoute(onHandled: () => void): Route {
  const answerTo = (body: unknown) => ({ asked: (body as z.infer<typeof BodySchema>).pageUrl });
  return {
    id: 'ask',
    method: 'POST',
    path: '/documents/{document_id}/ask',
    tag: 'Verification',
    summary: 'For tests',
    access: 'public',
    anyOrigin: true,
    noStore: true,
    replies: {},
    errors: [],
    params: z.object({ document_id: z.guid() }),
    body: BodySchema,
    bodyLimit: 100_000,
    cachedAnswer: ({ id, body }) => {
      if (id !== WARM || !BodySchema.safeParse(body).success) return undefined;
      const { asked } = answerTo(body);
      if (asked === 'trouble') throw new Error('trouble');
      if (asked.includes('\0') || !asked.isWellFormed()) return undefined;
      return JSON.stringify(answerTo(body));
    },
    handle: async ({ body }) => {
      onHandled();
      if (answerTo(body).asked === 'trouble') throw new ServiceError('database_unavailable');
      return { status: 200, headers: { 'cache-control': 'no-store' }, body: answerTo(body) };
    },
  };
}

interface Running {
  readonly port: number;
  readonly server: TestServer;
  readonly records: RequestRecord[];
  readonly log: string[];
  handled: number;
}

/** @param level - a line for each request asks for the usual way */
async function start(level: 'info' | 'debug', load?: LoadGauge): Promise<Running> {
  const running = { handled: 0 };
  const records: RequestRecord[] = [];
  const log: string[] = [];
  const server = testServer({
    routes: [certificateRoute, keysRoute, callRoute].map((route) => route(() => (running.handled += 1))),
    logger: pino({ level }, { write: (line) => void log.push(line) }),
    onRequestDone: (record) => void records.push(record),
    ...(load === undefined ? {} : { load }),
  });
  await server.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.app.server.address() as AddressInfo;
  return Object.assign(running, { port, server, records, log });
}

async function converse(port: number, text: string | Buffer): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.setEncoding('latin1').write(text);
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  socket.on('error', () => undefined);
  await once(socket, 'close');
  // what differs between any two answers
  return answer.replace(/^date: .*$/gim, 'Date: now').replace(/[0-9a-f-]{36}(?=\r\n|")/g, 'an id');
}

let fast: Running;
let usual: Running;
beforeAll(async () => {
  [fast, usual] = await Promise.all([start('info'), start('debug')]);
});
afterAll(() => Promise.all([fast, usual].map(({ server }) => drain(server.app, 100))));

/** Its first line without the version, its headers, and its body. */
type Request = readonly [line: string, headers?: readonly string[], body?: string | Buffer];

const PATH = `/documents/${WARM}/certificate`;
const ETAG = document.etag;

/** Requests, and whether they are answered before the framework. */
const PLAIN: readonly Request[] = [
  [`GET ${PATH}`],
  [`HEAD ${PATH}`],
  [`GET ${PATH}?full=true`],
  [`GET ${PATH}?full=true`, [`If-None-Match: ${ETAG}`]],
  ['GET /.well-known/keys.json'],
  ['HEAD /.well-known/keys.json'],
  ['GET /.well-known/keys.json', [`If-None-Match: ${ETAG}`]],
  [`GET ${PATH}`, ['X-Request-Id: abc-1']],
  [`GET ${PATH}`, ['X-Request-Id: not one']],
  [`GET ${PATH}`, [`If-None-Match: ${ETAG}`]],
  [`HEAD ${PATH}`, [`If-None-Match: ${ETAG}`]],
  [`GET ${PATH}`, [`If-None-Match: W/${ETAG}, "other"`]],
  [`GET ${PATH}`, ['If-None-Match: *']],
  [`GET ${PATH}`, ['If-None-Match: "other"']],
  [`GET ${PATH}`, [`If-None-Match: ${ETAG}`, 'Cache-Control: no-cache']],
  [`GET ${PATH}`, ['If-Modified-Since: Sat, 01 Jan 2050 00:00:00 GMT']],
  [`GET ${PATH}`, ['Accept: text/html', 'Accept-Encoding: gzip, br', 'Origin: https://shop.example']],
  [`GET ${PATH}`, ['Range: bytes=0-3']],
  [`GET ${PATH}`, ['Authorization: Bearer tsk_merchant', 'Cookie: a=b']],
];
const UNUSUAL: readonly Request[] = [
  [`GET /documents/${COLD}/certificate`],
  [`GET ${PATH.toUpperCase().replace('/DOCUMENTS', '/documents').replace('/CERTIFICATE', '/certificate')}`],
  [`GET ${PATH}?`],
  [`GET ${PATH}?a=1`],
  [`GET ${PATH}?full=false`],
  [`GET ${PATH}?full=true&full=true`],
  ['GET /.well-known/keys.json?'],
  ['GET /.well-known/keys.json/'],
  ['GET /.well-known/keys.jsonx'],
  ['POST /.well-known/keys.json'],
  [`GET ${PATH}/`],
  [`GET /documents/${WARM.slice(1)}%30/certificate`],
  ['GET /documents/not-a-uuid-but-just-as-long-as-one-is/certificate'],
  [`GET http://a${PATH}`],
  [`OPTIONS ${PATH}`],
  [`POST ${PATH}`],
  [`DELETE ${PATH}`],
  [`GET ${PATH}`, ['Host: b']],
  [`GET ${PATH}`, ['Content-Length: 0']],
  [`GET ${PATH}`, ['Expect: 100-continue']],
  [`GET ${PATH}`, ['Expect: wonders']],
  [`GET ${PATH}`, ['Connection: upgrade, close', 'Upgrade: h2c']],
];

const ASK = `POST /documents/${WARM}/ask`;
const JSON_TYPE = 'Content-Type: application/json';
const asked = (pageUrl: unknown, further: object = {}) => JSON.stringify({ pageUrl, ...further });

/** Calls, and whether they are answered before the framework. */
const PLAIN_CALLS: readonly Request[] = [
  [ASK, [JSON_TYPE], asked('https://shop.example/cup')],
  [ASK, [JSON_TYPE], asked('https://shop.example/Ã¤/杯', { note: [null, { a: 1 }] })],
  [ASK, [JSON_TYPE], `\uFEFF${asked('x')}`],
  [ASK, [JSON_TYPE], ` {"pageUrl":"x","pageUrl":"y","__proto__":{"z":1}} `],
  [ASK, ['Content-Type: application/json; charset=utf-8'], asked('x')],
  [ASK, [JSON_TYPE, 'X-Request-Id: abc-1', 'Accept: text/html', 'Cookie: a=b'], asked('x')],
  [ASK, [JSON_TYPE, 'Origin: https://shop.example', 'Idempotency-Key: a'], asked('x')],
  [ASK, [JSON_TYPE, 'If-None-Match: *', 'Range: bytes=0-3'], asked('x')],
  [ASK, [JSON_TYPE], asked('x', { note: 'n'.repeat(30_000) })],
];
const UNUSUAL_CALLS: readonly Request[] = [
  [ASK, [JSON_TYPE], asked('trouble')],
  [ASK, [JSON_TYPE], asked('x', { note: 'n'.repeat(90_000) })],
  [ASK, [JSON_TYPE], asked('x', { note: 'n'.repeat(120_000) })],
  [ASK, [JSON_TYPE], asked(7)],
  [ASK, [JSON_TYPE], asked('a\0b')],
  [ASK, [JSON_TYPE], '{"pageUrl":"\\ud800"}'],
  [ASK, [JSON_TYPE], '[]'],
  [ASK, [JSON_TYPE], 'null'],
  [ASK, [JSON_TYPE], '{"pageUrl":'],
  [ASK, [JSON_TYPE], Buffer.from('{"pageUrl":"\xff"}', 'latin1')],
  [ASK, [JSON_TYPE], ''],
  [ASK, [JSON_TYPE]],
  [ASK, [], asked('x')],
  [ASK, ['Content-Type: text/plain'], asked('x')],
  [ASK, ['Content-Type: application/json; charset=utf-16'], asked('x')],
  [ASK, ['Content-Type: Application/JSON'], asked('x')],
  [ASK, [JSON_TYPE, 'Content-Encoding: gzip'], asked('x')],
  [ASK, [JSON_TYPE, 'Content-Encoding: identity'], asked('x')],
  [ASK, [JSON_TYPE, 'Authorization: Bearer tsk_merchant'], asked('x')],
  [ASK, [JSON_TYPE, 'Expect: wonders'], asked('x')],
  [ASK, [JSON_TYPE, 'Transfer-Encoding: chunked'], '3\r\n{}\n\r\n0\r\n\r\n'],
  [ASK, [JSON_TYPE, 'Host: b'], asked('x')],
  [`${ASK}?`, [JSON_TYPE], asked('x')],
  [`${ASK}?a=1`, [JSON_TYPE], asked('x')],
  [`${ASK}/`, [JSON_TYPE], asked('x')],
  [`POST /documents/${COLD}/ask`, [JSON_TYPE], asked('x')],
  [`POST /documents/${WARM.toUpperCase()}/ask`, [JSON_TYPE], asked('x')],
  ['POST /documents/not-a-uuid-but-just-as-long-as-one-is/ask', [JSON_TYPE], asked('x')],
  [`PUT /documents/${WARM}/ask`, [JSON_TYPE], asked('x')],
  [`GET /documents/${WARM}/ask`, [JSON_TYPE], asked('x')],
];

function requestText([line, headers = [], body]: Request): Buffer {
  const isChunked = headers.some((header) => header.startsWith('Transfer-Encoding'));
  const length = body === undefined || isChunked ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  const head = [`${line} HTTP/1.1`, 'Host: a', ...headers, ...length, 'Connection: close', '', ''];
  return Buffer.concat([Buffer.from(head.join('\r\n')), Buffer.from(body ?? '')]);
}

const named = (requests: readonly Request[]) =>
  requests.map((request): [string, Request] => [request.flat().join(', ').slice(0, 150), request]);

/** The same bytes by both ways, the first of them before the framework, and counted alike. */
async function expectFromMemory(request: Request): Promise<string> {
  const [before, records] = [fast.handled, fast.records.length];
  const answer = await converse(fast.port, requestText(request));
  expect(answer).toBe(await converse(usual.port, requestText(request)));
  expect(answer).toMatch(/^HTTP\/1\.1 (200|304) /);
  expect(fast.handled).toBe(before);
  expect(fast.records.slice(records)).toHaveLength(1);
  const { operation, method, status } = fast.records.at(-1) as RequestRecord;
  const counted = usual.records.at(-1);
  expect({ operation, method, status }).toEqual({
    operation: counted?.operation,
    method: counted?.method,
    status: counted?.status,
  });
  return answer;
}

async function expectUsual(request: Request): Promise<void> {
  const [before, records] = [fast.handled + usual.handled, fast.records.length];
  const answer = await converse(fast.port, requestText(request));
  expect(answer).toBe(await converse(usual.port, requestText(request)));
  expect(answer).toMatch(/^HTTP\/1\.1 \d/);
  // as often by either way
  expect((fast.handled + usual.handled - before) % 2).toBe(0);
  expect(fast.records.slice(records).map(({ status }) => status)).toEqual([usual.records.at(-1)?.status]);
}

describe('a cached document', () => {
  it.each(named(PLAIN))(
    'is answered before the framework with the same bytes as behind it: %s',
    (_, request) => expectFromMemory(request).then(() => undefined),
  );

  it.each(named(UNUSUAL))('is answered by the framework if the request is unusual: %s', (_, request) =>
    expectUsual(request),
  );

  it('is answered in order when requests are pipelined, whichever path each takes', async () => {
    const pipelined = [`GET ${PATH}`, 'GET /nothing', `HEAD ${PATH}`, `GET /documents/${COLD}/certificate`]
      .map((line) => `${line} HTTP/1.1\r\nHost: a\r\nX-Request-Id: 1\r\n\r\n`)
      .join('');
    const text = pipelined + requestText([`GET ${PATH}`]);
    expect(await converse(fast.port, text)).toBe(await converse(usual.port, text));
  });

  it('over HTTP/1.0, with or without a host, is answered by the framework', async () => {
    for (const headers of ['', 'Host: a\r\n']) {
      const text = `GET ${PATH} HTTP/1.0\r\n${headers}\r\n`;
      expect(await converse(fast.port, text)).toBe(await converse(usual.port, text));
    }
  });

  it('says that the connection closes while the service stops', async () => {
    const stopping = await start('info');
    const connected = once(stopping.server.app.server, 'connection') as Promise<[Socket]>;
    const socket = connect(stopping.port, '127.0.0.1').setEncoding('latin1');
    const get = `GET ${PATH} HTTP/1.1\r\nHost: a\r\n\r\n`;
    socket.write(get);
    const [first] = await once(socket, 'data');
    expect(first).toMatch(/connection: keep-alive/i);
    // half a request, so that the connection is not idle
    const [accepted] = await connected;
    const { bytesRead } = accepted;
    socket.write(get.slice(0, 20));
    await expect.poll(() => accepted.bytesRead, { interval: 2 }).toBe(bytesRead + 20);
    const closed = drain(stopping.server.app, 30_000);
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.write(get.slice(20));
    const [second] = await once(socket, 'data');
    expect(second).toMatch(/connection: close/i);
    await closed;
  });
});

describe('a call whose response is cached', () => {
  it.each(named(PLAIN_CALLS))(
    'is answered before the framework with the same bytes as behind it: %s',
    (_, request) => expectFromMemory(request).then(() => undefined),
  );

  it.each(named(UNUSUAL_CALLS))('is answered by the framework if the call is unusual: %s', (_, request) =>
    expectUsual(request),
  );

  it('is answered in order when calls are pipelined, whichever path each takes', async () => {
    const pipelined = [asked('1'), asked(2), asked('3'), asked('trouble'), asked('4')]
      .map(
        (body) =>
          `${ASK} HTTP/1.1\r\nHost: a\r\nX-Request-Id: 1\r\n${JSON_TYPE}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      )
      .join('');
    const text = pipelined + requestText([ASK, [JSON_TYPE], asked('5')]);
    expect(await converse(fast.port, text)).toBe(await converse(usual.port, text));
  });

  it('is answered as behind the framework if garbage follows it on its connection', async () => {
    const text = `${requestText([ASK, [JSON_TYPE], asked('1')])
      .toString()
      .replace('Connection: close\r\n', '')}nonsense\r\n\r\n`;
    const answer = await converse(fast.port, text);
    expect(answer).toBe(await converse(usual.port, text));
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('is answered however its request is split', async () => {
    const bytes = requestText([ASK, [JSON_TYPE], asked('1')]);
    for (const cut of [10, bytes.length - 20, bytes.length - 1]) {
      const socket = connect(fast.port, '127.0.0.1').setNoDelay().setEncoding('latin1');
      socket.write(bytes.subarray(0, cut));
      await new Promise((resolve) => setTimeout(resolve, 20));
      socket.write(bytes.subarray(cut));
      const [answer] = await once(socket, 'data');
      expect(answer).toMatch(/^HTTP\/1\.1 200 .*\r\n\r\n\{"asked":"1"\}$/s);
      socket.destroy();
    }
  });

  it('has the same line in the log as by the framework', async () => {
    const lineOf = async ({ port, log }: Running) => {
      const before = log.length;
      await converse(port, requestText([`${ASK}`, [JSON_TYPE, 'X-Request-Id: logged'], asked('x')]));
      const ofItsMoment = { time: undefined, ms: undefined };
      return log.slice(before).map((line) => ({ ...JSON.parse(line), ...ofItsMoment }));
    };
    const written = await lineOf(fast);
    expect(written).toHaveLength(1);
    expect(written).toEqual(await lineOf(usual));
  });

  it('is refused by the framework under overload', async () => {
    const busy = { admit: () => false, done: () => {}, lateSince: () => 0, watch: () => {}, close: () => {} };
    const crowded = await start('info', busy);
    const answer = await converse(crowded.port, requestText([ASK, [JSON_TYPE], asked('x')]));
    expect(answer).toMatch(/^HTTP\/1\.1 503 /);
    expect(crowded.records).toHaveLength(1);
    await drain(crowded.server.app, 100);
  });
});
