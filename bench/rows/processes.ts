import { once } from 'node:events';
import { connect } from 'node:net';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { isWhole, type Request, request } from '../kit/load.ts';
import { alternate, type Measure, median, ratioOf } from '../kit/rounds.ts';
import { cost, type Row, rate } from '../kit/row.ts';
import type { Bench, BenchContext } from '../kit/run.ts';
import { type Service, startService } from '../kit/server.ts';
import { certificatePath, certifiedShop, verifyRequest } from '../kit/shop.ts';

const ROUNDS = 12;
const CONNECTIONS = 16;
/** Pipelined requests per connection: the client must leave the cores to the service. */
const AHEAD = 16;
const GETS = 20_000;
const VERIFIES = 4_000;

/**
 * The same load on a service with one process and with two. If the client needs a core that two processes would use, the rates depend on
 * both client and service; so the time of the busiest process is printed too, which limits the rate on a machine with a core for every
 * process.
 */
export const processes: Bench = async (context) => {
  if (availableParallelism() < 2) {
    context.tell('left out: there is one core');
    return [];
  }
  const [one, two] = [await open(context, 1), await open(context, 2)];
  const figures = await alternate(ROUNDS, {
    getOne: rateOf(one.service, one.get, GETS),
    getTwo: rateOf(two.service, two.get, GETS),
    verifyOne: rateOf(one.service, one.verify, VERIFIES),
    verifyTwo: rateOf(two.service, two.verify, VERIFIES),
    getOfOne: busiestOf(one.service, one.get, GETS),
    getOfTwo: busiestOf(two.service, two.get, GETS),
    verifyOfOne: busiestOf(one.service, one.verify, VERIFIES),
    verifyOfTwo: busiestOf(two.service, two.verify, VERIFIES),
  });
  const row = (name: string, more: number[], less: number[]): Row => ({
    name,
    against: 'one process',
    ratio: ratioOf(more, less),
    goal: ['>=', 1.6],
    detail: `${rate(median(more))} against ${rate(median(less))}`,
  });
  const busiest = (name: string, ofOne: number[], ofTwo: number[]): Row => ({
    name: `${name}, a core for each`,
    against: 'one process',
    ratio: ratioOf(ofOne, ofTwo),
    goal: ['>=', 1.6],
    detail: `CPU of the busiest process for an answer of the service: ${cost(median(ofTwo))} against ${cost(median(ofOne))}`,
  });
  return [
    row('warm GET, two processes', figures.getTwo, figures.getOne),
    row('POST verify, two processes', figures.verifyTwo, figures.verifyOne),
    busiest('warm GET, two processes', figures.getOfOne, figures.getOfTwo),
    busiest('POST verify, two processes', figures.verifyOfOne, figures.verifyOfTwo),
  ];
};

async function open({ folder, onEnd }: BenchContext, count: number) {
  const service = await startService({
    folder: join(folder, String(count)),
    settings: { TOUCHSTONE_PROCESSES: String(count) },
  });
  onEnd(service.close);
  const product = await certifiedShop(service);
  const get = request('GET', certificatePath(product.productId));
  return { service, get, verify: verifyRequest(product).request };
}

/** Responses per second, for responses of equal length, so that the client only counts bytes. */
function rateOf({ port }: Service, asked: Request, count: number): Measure {
  const each = Math.ceil(count / CONNECTIONS);
  let length: Promise<number> | undefined;
  return async () => {
    length ??= lengthOfAnswer(port, asked);
    const expected = await length;
    const begun = performance.now();
    await Promise.all(Array.from({ length: CONNECTIONS }, () => converse(port, asked, each, expected)));
    return (each * CONNECTIONS) / ((performance.now() - begun) / 1_000);
  };
}

/** Processor time of the busiest process per response of the whole service, in microseconds. */
function busiestOf(service: Service, asked: Request, count: number): Measure {
  const load = rateOf(service, asked, count);
  return async () => {
    const before = await service.cpuOfEach();
    await load();
    const after = await service.cpuOfEach();
    return Math.max(...[...after].map(([pid, used]) => used - (before.get(pid) ?? 0))) / count;
  };
}

async function lengthOfAnswer(port: number, asked: Request): Promise<number> {
  const socket = connect(port, '127.0.0.1');
  socket.write(asked.bytes);
  let received = Buffer.alloc(0);
  while (!isWhole(received, asked)) {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    received = Buffer.concat([received, chunk]);
  }
  socket.destroy();
  return received.length;
}

async function converse(port: number, asked: Request, count: number, length: number): Promise<void> {
  const socket = connect(port, '127.0.0.1').setNoDelay();
  let sent = 0;
  let received = 0;
  const send = () => {
    const next = Math.min(count, Math.floor(received / length) + AHEAD) - sent;
    // sends half of them at once, otherwise the client would write as often as it reads
    if (next === 0 || (next < AHEAD / 2 && sent + next < count)) return;
    sent += next;
    socket.write(Buffer.concat(Array.from({ length: next }, () => asked.bytes)));
  };
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.on('error', reject).on('close', () => reject(new Error('The server closed the connection.')));
  socket.on('data', (chunk: Buffer) => {
    received += chunk.length;
    if (received < count * length) send();
    else if (received === count * length) resolve();
    else reject(new Error('An answer has another length.'));
  });
  send();
  await promise.finally(() => socket.destroy());
}
