import { createServer, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { listen, portOf } from '../../../test/kit/servers.ts';
import { BodyTooLargeError, readBytes, readLines, readText } from './bounded-body.ts';
import { createClient, ProblemError, UnexpectedAnswerError } from './client.ts';
import { getStore, listStores, putProducts, streamCertificates } from './index.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

const ID = '0b54ecb8-6a0c-4d43-a2ee-ae49e0c8a0a6';
/** Bytes that the sockets and streams between both sides hold, besides what is read. */
const BUFFERS = 12_000_000;
const PIECE = Buffer.alloc(65_536, 'a');

/** A server that never stops: `sent()` is the number of bytes that the connection has taken; `closed` when the client ends it. */
async function endless(begin: string, piece: Buffer = PIECE, { status = 200, type = '' } = {}) {
  let sent = 0;
  const closed = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status, type === '' ? {} : { 'content-type': type });
    response.on('close', closed.resolve).on('error', () => {});
    response.write(begin);
    pour(response);
  });
  const pour = (response: ServerResponse) => {
    while (!response.destroyed) {
      sent += piece.length;
      if (!response.write(piece)) return void response.once('drain', () => pour(response));
    }
  };
  await listen(server);
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${portOf(server)}`;
  const limits = { body: 1_000_000, line: 200_000 };
  return {
    baseUrl,
    closed: closed.promise,
    sent: () => sent,
    client: createClient({ baseUrl, fetch, limits }),
  };
}

const drain = async (lines: AsyncIterable<unknown>): Promise<void> => {
  for await (const _ of lines);
};

describe('an endless response ends at the limit, with the connection, and the error says which limit', () => {
  it.each([
    ['JSON', '{"stores":[{"name":"', 200, 'application/json'],
    ['JSON of no stated type', '{"stores":[{"name":"', 200, ''],
    ['a problem document', '{"code":"conflict","detail":"', 409, 'application/problem+json'],
    ['a response of an undefined status', '{"a":"', 299, 'application/json'],
  ])('%s', async (_, begin, status, type) => {
    const { client, closed, sent } = await endless(begin, PIECE, { status, type });
    const fault = await client.call(listStores, {}).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(UnexpectedAnswerError);
    expect(String(fault)).toContain('a response of more than 1 MB, the limit of this client');
    await closed;
    expect(sent()).toBeLessThan(1_000_000 + BUFFERS);
  });

  it('a line, wherever it stands, while lines within the limit may go on for ever', async () => {
    const line = '{"status":"created"}\n';
    const { client, closed, sent } = await endless(`${line}{"status":"`);
    const results: unknown[] = [];
    const reading = (async () => {
      for await (const one of client.stream(putProducts, { params: { store_id: ID } }, [])) results.push(one);
    })();
    await expect(reading).rejects.toThrow('a line of more than 0.2 MB, the limit of this client');
    expect(results).toEqual([{ status: 'created' }]);
    await closed;
    expect(sent()).toBeLessThan(200_000 + BUFFERS);
    const short = await endless('', Buffer.from(line.repeat(1_000)));
    let count = 0;
    for await (const _ of short.client.stream(putProducts, { params: { store_id: ID } }, []))
      if (++count === 200_000) break;
    expect(count).toBe(200_000);
    await short.closed;
  });

  it('the error of a stream', async () => {
    const { client } = await endless('{"code":"conflict","detail":"', PIECE, { status: 409 });
    const lines = client.lines(streamCertificates, { params: { store_id: ID }, query: {} });
    await expect(drain(lines)).rejects.toThrow('a response of more than 1 MB');
  });

  it('and is not read at all if it is not of the type that the call answers', async () => {
    const { client, closed, sent } = await endless('<html>', PIECE, { type: 'text/html' });
    await expect(client.call(listStores, {})).rejects.toBeInstanceOf(UnexpectedAnswerError);
    await closed;
    const lines = client.lines(streamCertificates, { params: { store_id: ID }, query: {} });
    await expect(drain(lines)).rejects.toBeInstanceOf(UnexpectedAnswerError);
    expect(sent()).toBeLessThan(2 * BUFFERS);
  });

  it('is refused before it begins if it announces more than the limit', async () => {
    const announced = { body: new Response('cup').body, headers: new Headers({ 'content-length': '11' }) };
    await expect(readBytes(announced, 10)).rejects.toMatchObject({ name: 'BodyTooLargeError', limit: 10 });
  });
});

describe('a reader', () => {
  const ofPieces = (...pieces: (string | Uint8Array<ArrayBuffer>)[]) => ({
    body: new ReadableStream<Uint8Array<ArrayBuffer>>({
      start(controller) {
        for (const piece of pieces)
          controller.enqueue(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece);
        controller.close();
      },
    }),
  });
  const linesIn = async (response: Parameters<typeof readLines>[0], limit = 100) => {
    const lines: string[] = [];
    for await (const line of readLines(response, limit)) lines.push(line);
    return lines;
  };

  it('keeps characters and lines that arrive in pieces of one byte, and a last line without a line feed', async () => {
    const bytes = new TextEncoder().encode('é\n\n€uro\r\nlast');
    const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
    expect(await linesIn(ofPieces(...single))).toEqual(['é', '', '€uro\r', 'last']);
    expect(await readText(ofPieces(...single), 100)).toBe('é\n\n€uro\r\nlast');
    expect(await readText({ body: null }, 1)).toBe('');
  });

  it('accepts exactly its limit, and not one byte more, decoded', async () => {
    expect(await linesIn(ofPieces('abc\nabc'), 3)).toEqual(['abc', 'abc']);
    await expect(linesIn(ofPieces('abc\nab', 'cd'), 3)).rejects.toMatchObject({ part: 'line', limit: 3 });
    expect((await readBytes(ofPieces('ab', 'c'), 3)).byteLength).toBe(3);
    await expect(readBytes(ofPieces('ab', 'cd'), 3)).rejects.toBeInstanceOf(BodyTooLargeError);
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(50_000_000)));
    });
    await listen(server);
    closers.push(() => server.close());
    const bomb = await fetch(`http://127.0.0.1:${portOf(server)}`);
    await expect(readBytes(bomb, 1_000_000)).rejects.toBeInstanceOf(BodyTooLargeError);
  });
});

it('a ProblemError within the limit stays one', async () => {
  const server = createServer((_, response) => {
    response.writeHead(404).end(JSON.stringify({ code: 'store_unknown', detail: 'x'.repeat(500_000) }));
  });
  await listen(server);
  closers.push(() => server.close());
  const client = createClient({
    baseUrl: `http://127.0.0.1:${portOf(server)}`,
    fetch,
    limits: { body: 1_000_000 },
  });
  await expect(client.call(getStore, { params: { store_id: ID } })).rejects.toBeInstanceOf(ProblemError);
});
