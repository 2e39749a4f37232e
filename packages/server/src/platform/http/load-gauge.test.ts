import { once } from 'node:events';
import { createConnection, createServer, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { listen, portOf } from '../../../../../test/kit/servers.ts';
import { type LoadGauge, openLoadGauge } from './load-gauge.ts';

let time = 0;
let gauge: LoadGauge;
const open = (now = () => time) => {
  time = 0;
  gauge = openLoadGauge(now);
};
const openWithClient = (now?: () => number) => {
  open(now);
  const server = createServer();
  gauge.watch(server);
  server.emit('connection', new Socket());
};
afterEach(() => gauge.close());

const admitted = (count: number) => Array.from({ length: count }, () => gauge.admit()).filter(Boolean).length;

describe('a request is admitted', () => {
  it('unless it arrives late in a long and crowded iteration of the event loop, and again in the next one', async () => {
    openWithClient();
    expect(admitted(500)).toBe(500);
    time = 300;
    expect(gauge.admit()).toBe(true);
    time = 400;
    expect(gauge.admit()).toBe(false);
    do await delay(20);
    while (!gauge.admit());
    expect(gauge.admit()).toBe(true);
  });

  it('after one heavy task without many requests', () => {
    openWithClient();
    time = 30_000;
    expect(admitted(200)).toBe(200);
  });

  it('unless 2,000 others are still in progress', () => {
    openWithClient();
    expect(admitted(2_500)).toBe(2_000);
    gauge.done();
    expect(admitted(2)).toBe(1);
  });
});

describe('the lag of the event loop', () => {
  it('is known for the current iteration and the earlier ones, at any time', async () => {
    openWithClient();
    expect(gauge.lateSince(0)).toBe(0);
    time = 90;
    expect(gauge.lateSince(0)).toBe(0);
    time = 5_100;
    expect(gauge.lateSince(0)).toBe(5_000);
    expect(gauge.lateSince(4_100)).toBe(1_000);
    // until a tick has ended that iteration
    expect(admitted(201)).toBe(200);
    do await delay(20);
    while (!gauge.admit());
    expect(gauge.lateSince(0)).toBe(5_000);
    time = 7_200;
    expect(gauge.lateSince(0)).toBe(7_000);
    expect(gauge.lateSince(5_100)).toBe(2_000);
  });

  it('is measured only while a client is connected', async () => {
    open();
    const server = createServer();
    gauge.watch(server);
    await listen(server);
    const connect = async () => {
      const client = createConnection(portOf(server), '127.0.0.1');
      const [socket] = (await once(server, 'connection')) as [Socket];
      return { client, left: once(socket, 'close') };
    };
    time = 5_000;
    expect(gauge.lateSince(0)).toBe(0);
    const [first, second] = [await connect(), await connect()];
    time = 6_100;
    expect(gauge.lateSince(0)).toBe(1_000);
    // until a tick has ended that iteration
    expect(admitted(201)).toBe(200);
    do await delay(20);
    while (!gauge.admit());
    first.client.destroy();
    await first.left;
    time = 8_200;
    expect(gauge.lateSince(6_100)).toBe(2_000);
    second.client.destroy();
    await second.left;
    time = 30_000;
    expect(gauge.lateSince(8_200)).toBe(0);
    server.close();
  });

  it('is measured less often while connected clients send no request, and still known', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      let readings = 0;
      openWithClient(() => {
        readings += 1;
        return time;
      });
      const pass = (milliseconds: number) => {
        readings = 0;
        for (const end = time + milliseconds; time < end; ) {
          time += 50;
          vi.advanceTimersByTime(50);
        }
        return readings;
      };
      expect(pass(1_000)).toBe(10);
      pass(1_000);
      expect(pass(60_000)).toBe(120);
      const before = time;
      time += 3_000;
      // less the interval at rest, within which nothing counts as late
      expect(gauge.admit()).toBe(true);
      expect(gauge.lateSince(before)).toBe(2_500);
      gauge.done();
      expect(pass(1_000)).toBe(10);
    } finally {
      vi.useRealTimers();
    }
  });
});
