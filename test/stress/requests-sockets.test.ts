import { describe, expect, it } from 'vitest';
import { type RawOptions, requestHead, type Step, statuses } from './support/raw.ts';
import { session } from './support/session.ts';

const JWKS = '/api/v1/.well-known/jwks.json';
const LONG_NAME = `X-A: ${'a'.repeat(4_000)}\r\n`;

const here = session('odd connections');

const say = (steps: readonly Step[], options?: RawOptions) => here.say(steps, options);
const verifyLine = () => `POST ${here.verifyPath()} HTTP/1.1`;
const JSON_FIELD = 'Content-Type: application/json';
const body = () => JSON.stringify({ productUrl: here.world.mine.products[0]?.url });

describe('messages', () => {
  it('of HTTP/1.0 are answered, and the connection closed unless it is to be kept alive', async () => {
    const bare = await say([`GET ${JWKS} HTTP/1.0\r\n\r\n`]);
    expect([statuses(bare), bare.closed]).toEqual([[200], true]);
    const kept = await say([`GET ${JWKS} HTTP/1.0\r\nConnection: keep-alive\r\n\r\n`], { patience: 700 });
    expect([statuses(kept), kept.closed]).toEqual([[200], false]);
  });

  it.each([
    'GET / HTTP/1.1\nHost: a\n\n',
    'GET / HTTP/9.9\r\nHost: a\r\n\r\n',
    'GET / HTTP/2.0\r\nHost: a\r\n\r\n',
    'GET  /  HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET / FTP/1.1\r\nHost: a\r\n\r\n',
    'get / HTTP/1.1\r\nHost: a\r\n\r\n',
    'WONDER / HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET /\x00 HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET /é HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET /api/v1/../../etc/passwd HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    'GET http://evil.example/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    'GET ?x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    'GET * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    'OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    'GET //// HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    'GET /%2e%2e/%00 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n',
    'GET / HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n',
    'GET / HTTP/1.1\r\nHost : a\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: a\r\n folded: x\r\nConnection: close\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: a\r\nX: a\x00b\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: a\r\n: x\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: a\r\nX\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: upgrade, close\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\nHTTP2-Settings: x\r\nConnection: Upgrade, HTTP2-Settings\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: a\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    '\r\n\r\n\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    `GET / HTTP/1.1\r\nHost: a\r\n${LONG_NAME.repeat(100)}\r\n`,
  ])('%j get one response of ours', async (text) => {
    const talk = await say([Buffer.from(text, 'latin1')], { enough: 1, patience: 4_000 });
    expect(statuses(talk)).toHaveLength(1);
    // input that can still be understood may be answered: at the root there is a page
    expect([200, 400, 404, 405, 408, 431]).toContain(statuses(talk)[0]);
  });

  it('with duplicates of a unique header are judged once', async () => {
    const fields = ['Authorization: Bearer x', `Authorization: Bearer ${here.world.mine.key}`];
    const keys = await say([
      requestHead('GET /api/v1/registry/stores HTTP/1.1', ...fields, 'Connection: close'),
    ]);
    expect(statuses(keys)).toEqual([401]);
    const lengths = await say([
      requestHead(verifyLine(), JSON_FIELD, 'Content-Length: 2', 'Content-Length: 3') + body(),
    ]);
    expect(statuses(lengths)).toEqual([400]);
    const types = await say([
      requestHead(
        verifyLine(),
        JSON_FIELD,
        'Content-Type: text/plain',
        `Content-Length: ${body().length}`,
        'Connection: close',
      ) + body(),
    ]);
    expect(statuses(types)).toEqual([200]);
    const ids = await say([
      requestHead(`GET ${JWKS} HTTP/1.1`, 'X-Request-Id: a', 'X-Request-Id: b', 'Connection: close'),
    ]);
    expect(statuses(ids)).toEqual([200]);
  });
});

describe('framing', () => {
  const chunked = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;
  const SMUGGLED = `GET ${JWKS} HTTP/1.1\r\nHost: smuggled\r\n\r\n`;

  it('by any valid chunks is understood', async () => {
    const te = 'Transfer-Encoding: chunked';
    const text = body();
    const bytes = [...text].map((letter) => `1\r\n${letter}\r\n`).join('');
    for (const framed of [
      chunked(text),
      `${bytes}0\r\n\r\n`,
      `${text.length.toString(16)};ext=1;other="x y"\r\n${text}\r\n0\r\n\r\n`,
      `000${text.length.toString(16).toUpperCase()}\r\n${text}\r\n000\r\nTrailer: x\r\nX-B: 5\r\n\r\n`,
    ]) {
      const talk = await say([requestHead(verifyLine(), JSON_FIELD, te, 'Connection: close'), framed]);
      expect(statuses(talk)).toEqual([200]);
    }
    const empty = await say([requestHead(verifyLine(), JSON_FIELD, te, 'Connection: close'), '0\r\n\r\n']);
    expect(statuses(empty)).toEqual([422]);
    const over = Buffer.alloc(1_200_000, 'x').toString();
    const large = await say([requestHead(verifyLine(), JSON_FIELD, te), chunked(over)]);
    expect(statuses(large)).toEqual([413]);
  });

  it.each([
    ['a length and chunks', ['Content-Length: 6', 'Transfer-Encoding: chunked'], '0\r\n\r\nG'],
    ['chunks and a length', ['Transfer-Encoding: chunked', 'Content-Length: 6'], '0\r\n\r\nG'],
    ['two lengths', ['Content-Length: 0', `Content-Length: ${SMUGGLED.length}`], ''],
    ['a list of lengths', ['Content-Length: 0, 5'], ''],
    ['a signed length', ['Content-Length: +5'], '{}'],
    ['a negative length', ['Content-Length: -1'], '{}'],
    ['a hexadecimal length', ['Content-Length: 0x2'], '{}'],
    ['an endless length', [`Content-Length: ${'9'.repeat(30)}`], '{}'],
    ['no length', ['Content-Length:'], '{}'],
    ['an odd encoding', ['Transfer-Encoding: xchunked'], '{}'],
    ['an encoding that ends in none', ['Transfer-Encoding: chunked, identity'], '0\r\n\r\n'],
    ['chunks twice', ['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'], '0\r\n\r\n'],
    ['a tab before its encoding', ['Transfer-Encoding:\tchunked', 'Content-Length: 4'], '0\r\n\r\n'],
    ['a folded encoding', ['Transfer-Encoding:\r\n chunked', 'Content-Length: 4'], '0\r\n\r\n'],
    ['a space after the name', ['Transfer-Encoding : chunked', 'Content-Length: 4'], '0\r\n\r\n'],
    ['an encoding with a vertical tab', ['Transfer-Encoding: \x0bchunked', 'Content-Length: 4'], '0\r\n\r\n'],
    ['a chunk size that is not a number', ['Transfer-Encoding: chunked'], 'zz\r\n{}\r\n0\r\n\r\n'],
    ['a chunk of endless size', ['Transfer-Encoding: chunked'], `${'f'.repeat(20)}\r\n{}`],
    ['a negative chunk', ['Transfer-Encoding: chunked'], '-2\r\n{}\r\n0\r\n\r\n'],
    ['a chunk without its end', ['Transfer-Encoding: chunked'], '2\r\n{}0\r\n\r\n'],
    ['bare line feeds', ['Transfer-Encoding: chunked'], '2\n{}\n0\n\n'],
    ['a length in the trailer', ['Transfer-Encoding: chunked'], '2\r\n{}\r\n0\r\nContent-Length: 5\r\n\r\n'],
    ['a space before the chunk size', ['Transfer-Encoding: chunked'], ' 2\r\n{}\r\n0\r\n\r\n'],
  ])('by %s never smuggles a second request', async (_, fields, payload) => {
    const talk = await say([requestHead(verifyLine(), JSON_FIELD, ...fields) + payload + SMUGGLED], {
      patience: 5_000,
    });
    expect(statuses(talk).filter((status) => status < 400)).toEqual([]);
    expect(talk.closed).toBe(true);
    expect(statuses(talk).length).toBeLessThanOrEqual(2);
  });

  it('by too short a length refuses the rest as malformed', async () => {
    const talk = await say([requestHead(verifyLine(), JSON_FIELD, 'Content-Length: 2') + body()]);
    expect(statuses(talk)).toEqual([422, 400]);
  });

  it('by too large a chunk extension is refused before memory is allocated', async () => {
    const long = `2;${'x'.repeat(200_000)}\r\n{}\r\n0\r\n\r\n`;
    const talk = await say([requestHead(verifyLine(), JSON_FIELD, 'Transfer-Encoding: chunked'), long]);
    expect(statuses(talk)[0]).toBeGreaterThanOrEqual(400);
  });
});

describe('pipelining', () => {
  it('answers a hundred requests in order, also after refused ones', async () => {
    const wanted: [string, number][] = Array.from({ length: 100 }, (_, i) =>
      i % 3 === 0 ? [JWKS, 200] : i % 3 === 1 ? [`/nowhere/${i}`, 404] : ['/api/v1/registry/stores', 401],
    );
    const text = wanted.map(([path]) => requestHead(`GET ${path} HTTP/1.1`)).join('');
    const talk = await say([text], { enough: 100 });
    expect(statuses(talk)).toEqual(wanted.map(([, status]) => status));
  });

  it('ends after a response that closes the connection', async () => {
    const talk = await say([
      requestHead(`GET ${JWKS} HTTP/1.1`, 'Connection: close') + requestHead(`GET ${JWKS} HTTP/1.1`),
    ]);
    expect(statuses(talk)).toEqual([200]);
    expect(talk.closed).toBe(true);
  });

  it('sends no bodies for HEAD and 304', async () => {
    const path = `/api/v1/mc4p/products/${here.world.mine.products[0]?.id}/certificate`;
    const text =
      requestHead(`HEAD ${path} HTTP/1.1`) +
      requestHead(`GET ${path} HTTP/1.1`, 'If-None-Match: *') +
      requestHead(`HEAD /nowhere HTTP/1.1`) +
      requestHead(`GET ${JWKS} HTTP/1.1`);
    const talk = await say([text], { enough: 4, methods: ['HEAD', 'GET', 'HEAD', 'GET'] });
    expect(statuses(talk)).toEqual([200, 304, 404, 200]);
    expect(talk.rest).toHaveLength(0);
  });
});
