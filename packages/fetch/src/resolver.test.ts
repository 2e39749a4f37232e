import { createSocket, type Socket } from 'node:dgram';
import { afterEach, describe, expect, it } from 'vitest';
import { FetchFault } from './failure.ts';
import { type Resolver, resolveHost, resolveTxt } from './resolver.ts';

type Answer = readonly Buffer[] | 'NXDOMAIN' | 'SERVFAIL' | 'silence';

const A = 1;
const NS = 2;
const TXT = 16;
const AAAA = 28;

let nameServer: Socket | undefined;
afterEach(() => {
  nameServer?.close();
  nameServer = undefined;
});

/** A name server on loopback that responds with the result of `answer` (RFC 1035 section 4). */
async function serverAnswering(answer: (type: number) => Answer) {
  const socket = createSocket('udp4');
  nameServer = socket;
  socket.on('message', (query, sender) => {
    const question = questionIn(query);
    const records = answer(question.type);
    if (records === 'silence') return;
    socket.send(reply(query, question, records), sender.port, sender.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return { servers: [`127.0.0.1:${socket.address().port}`], timeout: 1_000, tries: 1 };
}

async function resolverAnswering(answer: (type: number) => Answer): Promise<Resolver> {
  const options = await serverAnswering(answer);
  return { resolve: (host, aborting) => resolveHost(host, aborting, options) };
}

function questionIn(query: Buffer): { end: number; type: number } {
  let at = 12;
  while (query[at] !== 0) at += (query[at] ?? 0) + 1;
  return { end: at + 5, type: query.readUInt16BE(at + 1) };
}

function reply(
  query: Buffer,
  question: { end: number; type: number },
  records: Exclude<Answer, 'silence'>,
): Buffer {
  const header = Buffer.from(query.subarray(0, 12));
  const rcode = records === 'NXDOMAIN' ? 3 : records === 'SERVFAIL' ? 2 : 0;
  const data = typeof records === 'string' ? [] : records;
  header.writeUInt16BE(0x8180 | rcode, 2);
  header.writeUInt16BE(data.length, 6);
  header.fill(0, 8);
  const answers = data.map((rdata) => {
    const head = Buffer.from([0xc0, 0x0c, 0, question.type, 0, 1, 0, 0, 0, 60, 0, rdata.length]);
    return Buffer.concat([head, rdata]);
  });
  return Buffer.concat([header, query.subarray(12, question.end), ...answers]);
}

const v4 = Buffer.from([93, 184, 215, 14]);
const v6 = Buffer.from('26064700000000000000000000000001', 'hex');
const root = Buffer.from([1, 97, 0]);
const signal = new AbortController().signal;

describe('a name', () => {
  it('resolves to all its addresses, of both families', async () => {
    const resolver = await resolverAnswering((type) => (type === A ? [v4] : [v6]));
    expect(await resolver.resolve('shop.example', signal)).toEqual({
      kind: 'addresses',
      addresses: ['93.184.215.14', '2606:4700::1'],
    });
  });

  it('resolves to those of one family if the other fails', async () => {
    const resolver = await resolverAnswering((type) => (type === A ? [v4] : 'SERVFAIL'));
    expect(await resolver.resolve('shop.example', signal)).toEqual({
      kind: 'addresses',
      addresses: ['93.184.215.14'],
    });
  });

  it.each(['NXDOMAIN', []] as const)('is unknown when both families answer %j', async (answer) => {
    const resolver = await resolverAnswering(() => answer);
    expect(await resolver.resolve('shop.example', signal)).toEqual({ kind: 'unknown' });
  });

  it.each(['SERVFAIL', 'silence'] as const)(
    'with failing servers (%s) is unresolvable while the resolver itself works',
    async (answer) => {
      const resolver = await resolverAnswering((type) => (type === NS ? [root] : answer));
      expect(await resolver.resolve('shop.example', signal)).toMatchObject({ kind: 'broken' });
    },
  );
});

describe('a failure of the resolver itself is ours, and thrown', () => {
  it.each(['SERVFAIL', 'silence'] as const)('%s to everything', async (answer) => {
    const resolver = await resolverAnswering(() => answer);
    await expect(resolver.resolve('shop.example', signal)).rejects.toBeInstanceOf(FetchFault);
  });

  it('nothing listens at its address', async () => {
    const options = { servers: ['127.0.0.1:1'], timeout: 1_000, tries: 1 };
    await expect(resolveHost('shop.example', signal, options)).rejects.toBeInstanceOf(FetchFault);
  });
});

describe('TXT records', () => {
  const name = '_touchstone-challenge.shop.example';
  const lookUp = async (answer: (type: number) => Answer) =>
    resolveTxt(name, signal, await serverAnswering(answer));

  it('are read with their strings concatenated', async () => {
    const record = Buffer.from('\u0003one\u0004 two');
    expect(await lookUp((type) => (type === TXT ? [record] : []))).toEqual({ records: ['one two'] });
  });

  it.each(['NXDOMAIN', []] as const)('are none when the answer is %j', async (answer) => {
    expect(await lookUp(() => answer)).toEqual({ records: [] });
  });

  it.each(['SERVFAIL', 'silence'] as const)(
    'are unresolvable with failing servers (%s), unless the resolver itself fails',
    async (answer) => {
      expect(await lookUp((type) => (type === NS ? [root] : answer))).toMatchObject({ kind: 'broken' });
      nameServer?.close();
      await expect(lookUp(() => answer)).rejects.toBeInstanceOf(FetchFault);
    },
  );
});

it('aborting ends the lookup at once, with the given reason', async () => {
  const resolver = await resolverAnswering((type) => (type === AAAA ? [v6] : 'silence'));
  const leaving = new AbortController();
  const looking = resolver.resolve('shop.example', leaving.signal);
  leaving.abort(new Error('gone home'));
  await expect(looking).rejects.toThrow('gone home');
});
