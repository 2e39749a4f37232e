import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { hang, type RawOptions, requestHead, type Step, statuses } from './support/raw.ts';
import { session } from './support/session.ts';

/** Short, so that tests distinguish slow from broken within seconds. */
const TIMEOUTS = {
  headers: 1_500,
  body: 1_500,
  streamIdle: 1_500,
  request: 30_000,
  keepAlive: 2_000,
  socketIdle: 5_000,
};
const JWKS = '/api/v1/.well-known/jwks.json';
const here = session('slow clients', { timeouts: TIMEOUTS });

const say = (steps: readonly Step[], options?: RawOptions) => here.say(steps, options);
const verifyLine = () => `POST ${here.verifyPath()} HTTP/1.1`;
const JSON_FIELD = 'Content-Type: application/json';
const body = () => JSON.stringify({ productUrl: here.world.mine.products[0]?.url });

describe('slow and half-open clients', () => {
  it.each([
    ['inside the request line', ['GET /api'] as Step[]],
    ['inside the headers', ['GET / HTTP/1.1\r\nHost: a\r\nX-A: '] as Step[]],
  ])('that stop %s get 408 in time', async (_, steps) => {
    const talk = await say(steps, { patience: 8_000 });
    expect(statuses(talk)).toEqual([408]);
    expect(talk.ms).toBeLessThan(TIMEOUTS.headers + 3_000);
  });

  it('that never send a byte are disconnected without a response', async () => {
    const talk = await say([], { patience: 8_000 });
    expect(statuses(talk)).toEqual([]);
    expect(talk.ms).toBeLessThan(TIMEOUTS.headers + 3_000);
  });

  it('that send a header byte by byte are disconnected', async () => {
    const drip: Step[] = ['GET / HTTP/1.1\r\nHost: a\r\nX-Slow: '];
    for (let turn = 0; turn < 60; turn++) drip.push('x', 100);
    const talk = await say(drip, { patience: 8_000 });
    expect(statuses(talk)).toEqual([408]);
    expect(talk.ms).toBeLessThan(TIMEOUTS.headers + 3_000);
  });

  it('that send a body byte by byte are disconnected, however it is framed', async () => {
    for (const [frame, bite] of [
      ['Content-Length: 5000', 'x'],
      ['Transfer-Encoding: chunked', '1\r\nx\r\n'],
    ] as const) {
      const drip: Step[] = [requestHead(verifyLine(), JSON_FIELD, frame)];
      for (let turn = 0; turn < 80; turn++) drip.push(bite, 100);
      const talk = await say(drip, { patience: 15_000, enough: 1 });
      expect(statuses(talk)).toEqual([408]);
      expect(talk.ms).toBeLessThan(TIMEOUTS.body + 3_000);
    }
  });

  it('that stop within a stream of rows are disconnected, and the rows before are written', async () => {
    const row = (id: string) =>
      `${JSON.stringify({ externalProductId: id, name: id, url: `http://mine.example/${id}` })}\n`;
    const first = row('stream-1') + row('stream-2');
    const line = `PUT /api/v1/registry/stores/${here.world.mine.storeId}/products HTTP/1.1`;
    const fields = ['Content-Type: application/x-ndjson', `Authorization: Bearer ${here.world.mine.key}`];
    const talk = await say([requestHead(line, ...fields, `Content-Length: ${first.length + 100}`), first], {
      patience: 8_000,
      enough: 1,
    });
    // nothing was processed yet, so the response must not claim otherwise
    expect(statuses(talk)).toEqual([408]);
  });

  it('that disconnect within a body leave nothing behind', async () => {
    const before = await here.world.service.memory();
    for (let turn = 0; turn < 100; turn++) {
      const socket = connect(here.world.service.port, '127.0.0.1');
      socket.on('error', () => {});
      socket.write(
        requestHead(verifyLine(), JSON_FIELD, 'Content-Length: 1000000') + 'x'.repeat(500_000),
        () => {
          if (turn % 2 === 0) socket.destroy();
          else socket.resetAndDestroy();
        },
      );
      await delay(5);
    }
    await delay(500);
    const after = await here.world.service.memory();
    expect(after.heapUsed - before.heapUsed).toBeLessThan(20_000_000);
    const talk = await say([requestHead(`GET ${JWKS} HTTP/1.1`, 'Connection: close')]);
    expect(statuses(talk)).toEqual([200]);
  });

  it('200 at a time, for several seconds, do not slow the others', async () => {
    const latency = async () => {
      const times: number[] = [];
      for (let turn = 0; turn < 60; turn++) {
        const answer = await here.ask({
          method: 'POST',
          path: `/api/v1/mc4p/products/${here.world.mine.products[0]?.id}/verify`,
          headers: { 'content-type': 'application/json' },
          body: body(),
        });
        expect(answer.status).toBe(200);
        times.push(answer.ms);
      }
      return times.toSorted((a, b) => a - b)[30] ?? 0;
    };
    const beginnings = [
      '',
      'GET / HTTP/1.1\r\nHost: a\r\nX-A: ',
      requestHead(verifyLine(), JSON_FIELD, 'Content-Length: 900000') + 'x'.repeat(1_000),
      requestHead(verifyLine(), JSON_FIELD, 'Transfer-Encoding: chunked'),
      requestHead(`GET ${JWKS} HTTP/1.1`),
    ];
    const control = await latency();
    const open = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        hang(here.world.service.port, beginnings[i % beginnings.length] ?? ''),
      ),
    );
    const beside = await latency();
    for (const socket of open) socket.destroy();
    console.info(
      `median verify: ${control.toFixed(1)} ms alone, ${beside.toFixed(1)} ms beside 200 half-open`,
    );
    expect(beside).toBeLessThan(control * 2 + 10);
  });

  it('that do not read their response are disconnected', async () => {
    const socket = await hang(
      here.world.service.port,
      requestHead('GET /api/v1/openapi.json HTTP/1.1').repeat(200),
    );
    socket.pause();
    await delay(TIMEOUTS.socketIdle * 2 + 2_000);
    // a paused reader notices the end only when it writes twice
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
