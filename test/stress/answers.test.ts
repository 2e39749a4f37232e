import { writeFile } from 'node:fs/promises';
import { createServer as createTcpServer, type Server } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestAuthority } from '../../packages/fetch/src/testing-certificates.ts';
import { useFolder } from '../kit/folder.ts';
import { listen, type TestServer } from '../kit/servers.ts';
import { BOMBS, HEAVY_PAGES } from './support/answers/bodies.ts';
import { type GuardedService, openGuardedService } from './support/answers/guarded-service.ts';
import { dripping, endless, type Misbehaviour, openHostileHost } from './support/answers/hostile-host.ts';

const HOST = 'hostile.example';
const OK = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n';
const redirect = (to: string) => `HTTP/1.1 302 Found\r\nLocation: ${to}\r\nContent-Length: 0\r\n\r\n`;
const encoded = (coding: string, bytes: Uint8Array) => [`${OK}Content-Encoding: ${coding}\r\n\r\n`, bytes];
/** Milliseconds: the ten-second timeout of a fetch, and time to respond on a busy machine. */
const PATIENCE = 20_000;

/** What the host does, and the code that the report must contain; none for a readable page. */
const CASES: Readonly<Record<string, readonly [code: string, answer: Misbehaviour]>> = {
  'a redirect to itself': ['redirect_loop', redirect('/a redirect to itself'.replaceAll(' ', '%20'))],
  'a circle of two': ['redirect_loop', redirect('/back')],
  '!back': ['', redirect('/a%20circle%20of%20two')],
  'ever new addresses': ['too_many_redirects', redirect('/r1')],
  ...Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`!r${n}`, ['', redirect(`/r${n + 1}`)]])),
  'a redirect without an address': [
    'http_status',
    'HTTP/1.1 302 Found\r\nContent-Type: text/html\r\n\r\n<html>',
  ],
  'a redirect to an invalid address': ['redirect_invalid', redirect('http://[')],
  'a redirect of 60 KB': ['http_status', redirect(`http://${HOST}/${'a'.repeat(60_000)}`)],

  'a body without end': ['too_large', endless(`${OK}\r\n`, '<p>'.repeat(20_000))],
  'chunks without end': [
    'too_large',
    endless(`${OK}Transfer-Encoding: chunked\r\n\r\n`, `FFFF\r\n${'a'.repeat(0xffff)}\r\n`),
  ],
  'a chunk extension without end': [
    'response_malformed',
    endless(`${OK}Transfer-Encoding: chunked\r\n\r\n5;`, 'a'.repeat(10_000)),
  ],
  'a gzip without end': [
    'too_large',
    endless(`${OK}Content-Encoding: gzip\r\n\r\n`, gzipSync(Buffer.alloc(100_000))),
  ],
  ...Object.fromEntries(
    Object.entries(BOMBS).map(([name, make]) => {
      const { coding, bytes } = make();
      return [`a bomb of ${name}`, ['too_large', encoded(coding, bytes)]];
    }),
  ),
  'a decompression bomb with a 503': [
    'http_status',
    [
      'HTTP/1.1 503 No\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n',
      gzipSync(Buffer.alloc(50_000_000)),
    ],
  ],
  'more codings than anybody needs': [
    'encoding_unsupported',
    encoded(Array(200).fill('gzip').join(','), Buffer.from('x')),
  ],
  'an unknown coding': ['encoding_unsupported', encoded('rot13', Buffer.from('<html>'))],
  'an invalid gzip': ['encoding_broken', encoded('gzip', Buffer.from('<html>'))],
  'a gzip that breaks off': [
    'encoding_broken',
    encoded('gzip', gzipSync('<html>'.repeat(99)).subarray(0, -9)),
  ],

  'a length too long': ['connection_failed', `${OK}Content-Length: 500\r\n\r\n<html>`],
  'a length too short': ['', `${OK}Content-Length: 6\r\n\r\n<html>and more`],
  'a length over the limit': ['too_large', `${OK}Content-Length: 99999999999\r\n\r\n<html>`],
  'a length below zero': ['response_malformed', `${OK}Content-Length: -1\r\n\r\n<html>`],
  'a length over any number': ['response_malformed', `${OK}Content-Length: ${'9'.repeat(40)}\r\n\r\n<html>`],
  'two lengths': ['response_malformed', `${OK}Content-Length: 6\r\nContent-Length: 7\r\n\r\n<html>`],
  'both a length and chunks': [
    'response_malformed',
    `${OK}Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ],
  'a chunk without a size': ['response_malformed', `${OK}Transfer-Encoding: chunked\r\n\r\nzz\r\n`],
  'a chunk size over any number': [
    'response_malformed',
    `${OK}Transfer-Encoding: chunked\r\n\r\n${'f'.repeat(40)}\r\n<html>`,
  ],

  'interim answers without end': [
    'too_many_interim_responses',
    endless('', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(500)),
  ],
  'early hints without end': [
    'too_many_interim_responses',
    endless('', `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n`.repeat(500)),
  ],
  'an upgrade': [
    'response_malformed',
    'HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n',
  ],
  'headers without end': ['headers_too_large', endless('HTTP/1.1 200 OK\r\n', `X: ${'a'.repeat(8_000)}\r\n`)],
  'thirty thousand headers': [
    'headers_too_large',
    `HTTP/1.1 200 OK\r\n${'X-A: b\r\n'.repeat(30_000)}\r\n<html>`,
  ],
  'a header line without end': ['headers_too_large', endless('HTTP/1.1 200 OK\r\nX: ', 'a'.repeat(60_000))],
  'a status line without end': ['headers_too_large', endless('HTTP/1.1 200 ', 'a'.repeat(60_000))],
  'an invalid status': ['response_malformed', 'HTTP/1.1 2x0 OK\r\n\r\n<html>'],
  'another protocol': ['response_malformed', 'SSH-2.0-OpenSSH_9.6\r\n'],
  'the preface of HTTP/2': ['response_malformed', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  'a NUL in its headers': ['response_malformed', 'HTTP/1.1 200 OK\r\nX: \0\r\n\r\n<html>'],
  nothing: ['connection_failed', ''],
  'a reset': ['connection_failed', (socket) => void socket.resetAndDestroy()],
  'a reset in the middle': [
    'connection_failed',
    (socket) => {
      socket.write(`${OK}\r\n<html>`);
      setTimeout(() => socket.resetAndDestroy(), 50);
    },
  ],

  'a charset that does not exist': [
    '',
    'HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=klingon\r\n\r\n<html>\xff',
  ],
  'a charset that is not its own': [
    '',
    [
      'HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-16le\r\n\r\n',
      '<html><title>Not UTF-16</title>',
    ],
  ],
  'bytes that are not UTF-8': [
    '',
    [`${OK}\r\n`, Buffer.from(Array.from({ length: 9_000 }, (_, n) => (n * 7) % 256))],
  ],
  'nothing but NUL': ['', [`${OK}\r\n`, Buffer.alloc(1_000_000)]],
  'an image that says so': ['not_html', 'HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n\x89PNG'],
  'an image without a type': [
    'not_html',
    ['HTTP/1.1 200 OK\r\n\r\n', Buffer.from('89504e470d0a1a0a00', 'hex')],
  ],
  'an empty page': ['', `${OK}Content-Length: 0\r\n\r\n`],
  'no content': ['not_html', 'HTTP/1.1 204 No Content\r\n\r\n'],

  ...Object.fromEntries(
    Object.entries(HEAVY_PAGES).map(([name, html]) => [
      `a heavy page of ${name}`,
      ['', [`${OK}\r\n`, html().slice(0, 4_999_000)]],
    ]),
  ),

  silence: ['timed_out', () => {}],
  'headers by the drop': ['timed_out', dripping('HTTP/1.1 200 OK\r\n', 'X: y\r\n', 300)],
  'a page by the drop': ['timed_out', dripping(`${OK}\r\n<html>`, '<p>')],
  'chunks by the drop': ['timed_out', dripping(`${OK}Transfer-Encoding: chunked\r\n\r\n`, '1\r\na\r\n')],
  'interim answers by the drop': ['timed_out', dripping('', 'HTTP/1.1 102 Processing\r\n\r\n', 900)],
};

/** HTTPS hosts, the fault of each, and its code. */
const TLS_HOSTS = {
  'sound.example': '',
  'expired.example': 'tls_failed',
  'wrong-name.example': 'tls_failed',
  'self-made.example': 'tls_failed',
  'plain.example': 'tls_failed',
  'silent.example': 'timed_out',
  'closing.example': 'tls_failed',
  'garbage.example': 'tls_failed',
} as const;

const folder = useFolder('answers');
let host: TestServer;
let service: GuardedService;
const servers: Server[] = [];

/** A server with TLS, or with the fault, for each of the hosts. */
async function openTlsHosts(): Promise<{ readonly ca: string; readonly ports: Map<string, number> }> {
  const authority = createTestAuthority();
  const day = 86_400_000;
  const issue = (name: string, days: number, by = authority) =>
    by.issue(name, new Date(Date.now() + days * day));
  const html = `${OK}Content-Length: 6\r\n\r\n<html>`;
  const made: Record<keyof typeof TLS_HOSTS, Server> = {
    'sound.example': createTlsServer(issue('sound.example', 1), (socket) => socket.end(html)),
    'expired.example': createTlsServer(issue('expired.example', -1), (socket) => socket.end(html)),
    'wrong-name.example': createTlsServer(issue('other.example', 1), (socket) => socket.end(html)),
    'self-made.example': createTlsServer(issue('self-made.example', 1, createTestAuthority()), (socket) =>
      socket.end(html),
    ),
    'plain.example': createTcpServer((socket) => socket.once('data', () => socket.end(html))),
    'silent.example': createTcpServer(() => {}),
    'closing.example': createTcpServer((socket) => socket.once('data', () => socket.end())),
    'garbage.example': createTcpServer((socket) =>
      socket.once('data', () => socket.end(Buffer.alloc(5_000, 0x16))),
    ),
  };
  const ports = new Map<string, number>();
  for (const [name, server] of Object.entries(made)) {
    server.on('tlsClientError', () => {}).on('connection', (socket) => socket.on('error', () => {}));
    servers.push(server);
    ports.set(name, await listen(server));
  }
  return { ca: authority.certificate, ports };
}

beforeAll(async () => {
  const answers = Object.entries(CASES).map(([name, [, answer]]) => [`/${name.replace('!', '')}`, answer]);
  host = await openHostileHost(Object.fromEntries(answers));
  const { ca, ports } = await openTlsHosts();
  const caFile = join(folder, 'ca.pem');
  await writeFile(caFile, ca);
  const connectTo = [[HOST, host.port] as const, ...ports].map(([name, port]) => `${name}=127.0.0.1:${port}`);
  service = await openGuardedService({
    settings: { TOUCHSTONE_FETCH_CONNECT_TO: connectTo.join(','), TOUCHSTONE_FETCH_CA_FILE: caFile },
    resolve: () => undefined,
    publicAddresses: [],
    internetPort: 1,
    exemptPorts: [host.port, ...ports.values()],
    canaryPort: 1,
  });
});
afterAll(async () => {
  expect(service.faults).toEqual([]);
  await service.close();
  await host.close();
  for (const server of servers) server.close();
});

async function expectReport(url: string, code: string): Promise<void> {
  const report = await service.check(url);
  const expected =
    code === '' ? { verdict: 'no_certificate', code: '' } : { verdict: 'page_fetch_failed', code };
  expect(report).toMatchObject({ status: 200, ...expected });
  expect(report.took).toBeLessThan(PATIENCE);
}

describe.concurrent('reported, in time', () => {
  const cases = Object.entries(CASES).filter(([name]) => !name.startsWith('!'));
  it.each(cases)('%s', async (name, [code]) => {
    await expectReport(`http://${HOST}/${encodeURIComponent(name)}`, code);
  });

  it.each(Object.entries(TLS_HOSTS))('TLS of %s', async (name, code) => {
    await expectReport(`https://${name}/`, code);
  });
});
