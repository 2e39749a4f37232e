import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Tally } from './support/contract.ts';
import { type Conversation, converse, hang, type RawOptions, type Step } from './support/raw.ts';
import { openWorld, type World } from './support/world.ts';

/** Short, so that slowness is told from breakage within seconds. */
const TIMEOUTS = {
  headers: 1_500,
  body: 1_500,
  streamIdle: 1_500,
  request: 30_000,
  keepAlive: 2_000,
  socketIdle: 5_000,
};
const JWKS = '/api/v1/.well-known/jwks.json';
const LONG_NAME = `X-A: ${'a'.repeat(4_000)}\r\n`;

let world: World;
const tally = new Tally();

beforeAll(async () => {
  world = await openWorld({ timeouts: TIMEOUTS });
});
afterAll(async () => {
  const { faults } = await world.service.told();
  console.info(`odd connections: ${tally.summary()}`);
  await world.close();
  expect(faults).toEqual([]);
  expect(tally.broken).toEqual([]);
});

async function say(steps: readonly Step[], options: RawOptions = {}): Promise<Conversation> {
  const talk = await converse(world.service.port, steps, options);
  for (const [index, answer] of talk.answers.entries()) {
    const method = options.methods?.[index];
    const promised = method === undefined ? world.promised : { ...world.promised, method };
    tally.note(answer, promised, String(steps[0]).slice(0, 80));
  }
  expect(world.service.crash()).toBeNull();
  return talk;
}

const statuses = ({ answers }: Conversation) => answers.map(({ status }) => status);
const head = (line: string, ...fields: string[]) => `${[line, 'Host: a', ...fields].join('\r\n')}\r\n\r\n`;
const verifyLine = () => `POST /api/v1/mc4p/products/${world.mine.products[0]?.id}/verify HTTP/1.1`;
const JSON_FIELD = 'Content-Type: application/json';
const body = () => JSON.stringify({ productUrl: world.mine.products[0]?.url });

describe('messages', () => {
  it('of HTTP/1.0 are answered, and the connection closed unless it is to be kept', async () => {
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
  ])('%j get one answer of ours', async (text) => {
    const talk = await say([Buffer.from(text, 'latin1')], { enough: 1, patience: 4_000 });
    expect(statuses(talk)).toHaveLength(1);
    // what can be understood in spite of all may be answered: the root sends on to the documentation
    expect([302, 400, 404, 405, 408, 431]).toContain(statuses(talk)[0]);
  });

  it('said in several headers where one is meant are judged once', async () => {
    const fields = ['Authorization: Bearer x', `Authorization: Bearer ${world.mine.key}`];
    const keys = await say([head('GET /api/v1/registry/stores HTTP/1.1', ...fields, 'Connection: close')]);
    expect(statuses(keys)).toEqual([401]);
    const lengths = await say([
      head(verifyLine(), JSON_FIELD, 'Content-Length: 2', 'Content-Length: 3') + body(),
    ]);
    expect(statuses(lengths)).toEqual([400]);
    const types = await say([
      head(
        verifyLine(),
        JSON_FIELD,
        'Content-Type: text/plain',
        `Content-Length: ${body().length}`,
        'Connection: close',
      ) + body(),
    ]);
    expect(statuses(types)).toEqual([200]);
    const ids = await say([
      head(`GET ${JWKS} HTTP/1.1`, 'X-Request-Id: a', 'X-Request-Id: b', 'Connection: close'),
    ]);
    expect(statuses(ids)).toEqual([200]);
  });
});

describe('framing', () => {
  const chunked = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;
  const SMUGGLED = `GET ${JWKS} HTTP/1.1\r\nHost: smuggled\r\n\r\n`;

  it('by chunks of every lawful kind is understood', async () => {
    const te = 'Transfer-Encoding: chunked';
    const text = body();
    const bytes = [...text].map((letter) => `1\r\n${letter}\r\n`).join('');
    for (const framed of [
      chunked(text),
      `${bytes}0\r\n\r\n`,
      `${text.length.toString(16)};ext=1;other="x y"\r\n${text}\r\n0\r\n\r\n`,
      `000${text.length.toString(16).toUpperCase()}\r\n${text}\r\n000\r\nTrailer: x\r\nX-B: 5\r\n\r\n`,
    ]) {
      const talk = await say([head(verifyLine(), JSON_FIELD, te, 'Connection: close'), framed]);
      expect(statuses(talk)).toEqual([200]);
    }
    const empty = await say([head(verifyLine(), JSON_FIELD, te, 'Connection: close'), '0\r\n\r\n']);
    expect(statuses(empty)).toEqual([422]);
    const over = Buffer.alloc(1_200_000, 'x').toString();
    const large = await say([head(verifyLine(), JSON_FIELD, te), chunked(over)]);
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
    ['a chunk size that is no number', ['Transfer-Encoding: chunked'], 'zz\r\n{}\r\n0\r\n\r\n'],
    ['a chunk of endless size', ['Transfer-Encoding: chunked'], `${'f'.repeat(20)}\r\n{}`],
    ['a negative chunk', ['Transfer-Encoding: chunked'], '-2\r\n{}\r\n0\r\n\r\n'],
    ['a chunk without its end', ['Transfer-Encoding: chunked'], '2\r\n{}0\r\n\r\n'],
    ['bare line feeds', ['Transfer-Encoding: chunked'], '2\n{}\n0\n\n'],
    ['a length in the trailer', ['Transfer-Encoding: chunked'], '2\r\n{}\r\n0\r\nContent-Length: 5\r\n\r\n'],
    ['a space before the chunk size', ['Transfer-Encoding: chunked'], ' 2\r\n{}\r\n0\r\n\r\n'],
  ])('by %s never lets a second request in', async (_, fields, payload) => {
    const talk = await say([head(verifyLine(), JSON_FIELD, ...fields) + payload + SMUGGLED], {
      patience: 5_000,
    });
    expect(statuses(talk).filter((status) => status < 400)).toEqual([]);
    expect(talk.closed).toBe(true);
    expect(statuses(talk).length).toBeLessThanOrEqual(2);
  });

  it('by too short a length refuses the rest as no request', async () => {
    const talk = await say([head(verifyLine(), JSON_FIELD, 'Content-Length: 2') + body()]);
    expect(statuses(talk)).toEqual([422, 400]);
  });

  it('by too large a chunk extension is refused before memory is', async () => {
    const long = `2;${'x'.repeat(200_000)}\r\n{}\r\n0\r\n\r\n`;
    const talk = await say([head(verifyLine(), JSON_FIELD, 'Transfer-Encoding: chunked'), long]);
    expect(statuses(talk)[0]).toBeGreaterThanOrEqual(400);
  });
});

describe('pipelining', () => {
  it('answers a hundred requests in their order, also behind refused ones', async () => {
    const wanted: [string, number][] = Array.from({ length: 100 }, (_, i) =>
      i % 3 === 0 ? [JWKS, 200] : i % 3 === 1 ? [`/nowhere/${i}`, 404] : ['/api/v1/registry/stores', 401],
    );
    const text = wanted.map(([path]) => head(`GET ${path} HTTP/1.1`)).join('');
    const talk = await say([text], { enough: 100 });
    expect(statuses(talk)).toEqual(wanted.map(([, status]) => status));
  });

  it('ends behind an answer that closes the connection', async () => {
    const talk = await say([
      head(`GET ${JWKS} HTTP/1.1`, 'Connection: close') + head(`GET ${JWKS} HTTP/1.1`),
    ]);
    expect(statuses(talk)).toEqual([200]);
    expect(talk.closed).toBe(true);
  });

  it('keeps the bodies of HEAD and 304 off the wire', async () => {
    const path = `/api/v1/mc4p/products/${world.mine.products[0]?.id}/certificate`;
    const text =
      head(`HEAD ${path} HTTP/1.1`) +
      head(`GET ${path} HTTP/1.1`, 'If-None-Match: *') +
      head(`HEAD /nowhere HTTP/1.1`) +
      head(`GET ${JWKS} HTTP/1.1`);
    const talk = await say([text], { enough: 4, methods: ['HEAD', 'GET', 'HEAD', 'GET'] });
    expect(statuses(talk)).toEqual([200, 304, 404, 200]);
    expect(talk.rest).toHaveLength(0);
  });
});

describe('slow and half-open clients', () => {
  it.each([
    ['before the first byte', [] as Step[]],
    ['inside the request line', ['GET /api'] as Step[]],
    ['inside the headers', ['GET / HTTP/1.1\r\nHost: a\r\nX-A: '] as Step[]],
  ])('that stop %s are told 408 in time', async (_, steps) => {
    const talk = await say(steps, { patience: 8_000 });
    expect(statuses(talk)).toEqual([408]);
    expect(talk.ms).toBeLessThan(TIMEOUTS.headers + 3_000);
  });

  it('that drip a header byte by byte are let go', async () => {
    const drip: Step[] = ['GET / HTTP/1.1\r\nHost: a\r\nX-Slow: '];
    for (let turn = 0; turn < 60; turn++) drip.push('x', 100);
    const talk = await say(drip, { patience: 8_000 });
    expect(statuses(talk)).toEqual([408]);
    expect(talk.ms).toBeLessThan(TIMEOUTS.headers + 3_000);
  });

  it('that drip a body byte by byte are let go, whatever frames it', async () => {
    for (const [frame, bite] of [
      ['Content-Length: 5000', 'x'],
      ['Transfer-Encoding: chunked', '1\r\nx\r\n'],
    ] as const) {
      const drip: Step[] = [head(verifyLine(), JSON_FIELD, frame)];
      for (let turn = 0; turn < 80; turn++) drip.push(bite, 100);
      const talk = await say(drip, { patience: 15_000, enough: 1 });
      expect(statuses(talk)).toEqual([408]);
      expect(talk.ms).toBeLessThan(TIMEOUTS.body + 3_000);
    }
  });

  it('that stop within a stream of rows are let go, and the rows before are written', async () => {
    const row = (id: string) =>
      `${JSON.stringify({ externalProductId: id, name: id, url: `http://mine.example/${id}` })}\n`;
    const first = row('stream-1') + row('stream-2');
    const line = `PUT /api/v1/registry/stores/${world.mine.storeId}/products HTTP/1.1`;
    const fields = ['Content-Type: application/x-ndjson', `Authorization: Bearer ${world.mine.key}`];
    const talk = await say([head(line, ...fields, `Content-Length: ${first.length + 100}`), first], {
      patience: 8_000,
      enough: 1,
    });
    // nothing was answered for yet, so nothing may be claimed
    expect(statuses(talk)).toEqual([408]);
  });

  it('that leave in the midst of a body leave nothing behind', async () => {
    const before = await world.service.memory();
    for (let turn = 0; turn < 100; turn++) {
      const socket = connect(world.service.port, '127.0.0.1');
      socket.on('error', () => {});
      socket.write(head(verifyLine(), JSON_FIELD, 'Content-Length: 1000000') + 'x'.repeat(500_000), () => {
        if (turn % 2 === 0) socket.destroy();
        else socket.resetAndDestroy();
      });
      await delay(5);
    }
    await delay(500);
    const after = await world.service.memory();
    expect(after.heapUsed - before.heapUsed).toBeLessThan(20_000_000);
    const talk = await say([head(`GET ${JWKS} HTTP/1.1`, 'Connection: close')]);
    expect(statuses(talk)).toEqual([200]);
  });

  it('200 at a time, kept up for seconds, do not slow the others', async () => {
    const latency = async () => {
      const times: number[] = [];
      for (let turn = 0; turn < 60; turn++) {
        const answer = await world.client.ask({
          method: 'POST',
          path: `/api/v1/mc4p/products/${world.mine.products[0]?.id}/verify`,
          headers: { 'content-type': 'application/json' },
          body: body(),
        });
        tally.note(answer, world.promised, 'verify beside slow ones');
        expect(answer.status).toBe(200);
        times.push(answer.ms);
      }
      return times.toSorted((a, b) => a - b)[30] ?? 0;
    };
    const beginnings = [
      '',
      'GET / HTTP/1.1\r\nHost: a\r\nX-A: ',
      head(verifyLine(), JSON_FIELD, 'Content-Length: 900000') + 'x'.repeat(1_000),
      head(verifyLine(), JSON_FIELD, 'Transfer-Encoding: chunked'),
      head(`GET ${JWKS} HTTP/1.1`),
    ];
    const control = await latency();
    const open = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        hang(world.service.port, beginnings[i % beginnings.length] ?? ''),
      ),
    );
    const beside = await latency();
    for (const socket of open) socket.destroy();
    console.info(
      `median verify: ${control.toFixed(1)} ms alone, ${beside.toFixed(1)} ms beside 200 half-open`,
    );
    expect(beside).toBeLessThan(control * 2 + 10);
  });

  it('that read nothing of what they asked for are let go', async () => {
    const socket = await hang(world.service.port, head('GET /api/v1/openapi.json HTTP/1.1').repeat(200));
    socket.pause();
    await delay(TIMEOUTS.socketIdle * 2 + 2_000);
    // a reader that is paused hears of the end only when it says something, and then again
    const reset = new Promise<boolean>((resolve) => {
      socket.on('error', () => resolve(true)).on('close', () => resolve(true));
      setTimeout(() => resolve(false), 3_000).unref();
    });
    socket.write('\r\n');
    await delay(300);
    socket.write('\r\n');
    expect(await reset).toBe(true);
    socket.destroy();
  });
});
