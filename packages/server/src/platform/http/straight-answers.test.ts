import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { RequestRecord } from '../metrics/request-durations.ts';
import { documentReply } from './implement.ts';
import { drain } from './listen.ts';
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
  atHand: (id, query) => (id === WARM && (query === '' || query === '?full=true') ? document : undefined),
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
    atHand: (id, query) => (id === '' && query === '' ? document : undefined),
  };
}

interface Running {
  readonly port: number;
  readonly server: TestServer;
  readonly records: RequestRecord[];
  handled: number;
}

/** @param level - a line for each request asks for the usual way */
async function start(level: 'info' | 'debug'): Promise<Running> {
  const running = { handled: 0 };
  const records: RequestRecord[] = [];
  const server = testServer({
    routes: [certificateRoute, keysRoute].map((route) => route(() => (running.handled += 1))),
    logger: pino({ level }, { write: () => {} }),
    onRequestDone: (record) => void records.push(record),
  });
  await server.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.app.server.address() as AddressInfo;
  return Object.assign(running, { port, server, records });
}

async function converse(port: number, text: string): Promise<string> {
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

let straight: Running;
let usual: Running;
beforeAll(async () => {
  [straight, usual] = await Promise.all([start('info'), start('debug')]);
});
afterAll(() => Promise.all([straight, usual].map(({ server }) => drain(server.app, 100))));

/** Its first line without the version, and its headers. */
type Request = readonly [line: string, headers?: readonly string[]];

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

const requestText = ([line, headers = []]: Request) =>
  [`${line} HTTP/1.1`, 'Host: a', ...headers, 'Connection: close', '', ''].join('\r\n');

const named = (requests: readonly Request[]) =>
  requests.map((request): [string, Request] => [request.flat().join(', '), request]);

describe('a document at hand', () => {
  it.each(named(PLAIN))(
    'is answered before the framework to the byte as behind it: %s',
    async (_, request) => {
      const [before, records] = [straight.handled, straight.records.length];
      const answer = await converse(straight.port, requestText(request));
      expect(answer).toBe(await converse(usual.port, requestText(request)));
      expect(answer).toMatch(/^HTTP\/1\.1 (200|304) /);
      expect(straight.handled).toBe(before);
      expect(straight.records.slice(records)).toHaveLength(1);
      const { operation, method, status } = straight.records.at(-1) as RequestRecord;
      const counted = usual.records.at(-1);
      expect({ operation, method, status }).toEqual({
        operation: counted?.operation,
        method: counted?.method,
        status: counted?.status,
      });
    },
  );

  it.each(named(UNUSUAL))(
    'is answered the usual way where the request is unusual: %s',
    async (_, request) => {
      const answer = await converse(straight.port, requestText(request));
      expect(answer).toBe(await converse(usual.port, requestText(request)));
      expect(answer).toMatch(/^HTTP\/1\.1 \d/);
    },
  );

  it('is answered in order when requests are pipelined, whichever way each goes', async () => {
    const pipelined = [`GET ${PATH}`, 'GET /nothing', `HEAD ${PATH}`, `GET /documents/${COLD}/certificate`]
      .map((line) => `${line} HTTP/1.1\r\nHost: a\r\nX-Request-Id: 1\r\n\r\n`)
      .join('');
    const last = requestText([`GET ${PATH}`]);
    expect(await converse(straight.port, pipelined + last)).toBe(
      await converse(usual.port, pipelined + last),
    );
  });

  it('over HTTP/1.0, with or without a host, is answered the usual way', async () => {
    for (const headers of ['', 'Host: a\r\n']) {
      const text = `GET ${PATH} HTTP/1.0\r\n${headers}\r\n`;
      expect(await converse(straight.port, text)).toBe(await converse(usual.port, text));
    }
  });

  it('says that the connection closes while the service stops', async () => {
    const stopping = await start('info');
    const socket = connect(stopping.port, '127.0.0.1').setEncoding('latin1');
    const get = `GET ${PATH} HTTP/1.1\r\nHost: a\r\n\r\n`;
    socket.write(get);
    const [first] = await once(socket, 'data');
    expect(first).toMatch(/connection: keep-alive/i);
    // half a request, so that the connection is not idle
    socket.write(get.slice(0, 20));
    await new Promise((resolve) => setTimeout(resolve, 50));
    const closed = drain(stopping.server.app, 5_000);
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.write(get.slice(20));
    const [second] = await once(socket, 'data');
    expect(second).toMatch(/connection: close/i);
    await closed;
  });
});
