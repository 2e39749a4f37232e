import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { plain, type Witness, type WitnessAnswer } from './witness.ts';

/** Bytes of a request: a note of 64 KiB, and 63 hashes. */
const LIMIT = 65_536 + 4_096;
/** Milliseconds for a whole request: each is small. */
const REQUEST_TIME = 15_000;
/** Connections at a time. */
const CONNECTIONS = 512;

/**
 * The HTTP interface of a witness (c2sp.org/tlog-witness): `add-checkpoint`, the latest cosigned checkpoint of each log, and `health`.
 *
 * @param onFault - told of faults of the witness, which answers 500 and cosigns nothing
 */
export function createWitnessServer(witness: Witness, onFault: (error: unknown) => void): Server {
  const server = createServer({ connectionsCheckingInterval: 5_000 }, (request, response) => {
    answer(witness, request)
      .catch((error: unknown) => {
        onFault(error);
        return plain(500, 'The witness cannot answer now.\n');
      })
      .then((it) => send(request, response, it))
      .catch(() => response.destroy());
  });
  server.requestTimeout = REQUEST_TIME;
  server.headersTimeout = REQUEST_TIME;
  server.maxConnections = CONNECTIONS;
  return server;
}

async function answer(witness: Witness, request: IncomingMessage): Promise<WitnessAnswer> {
  const pathname = pathOf(request.url ?? '');
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (pathname === '/add-checkpoint') {
    if (request.method !== 'POST') return { ...plain(405, 'POST only.\n'), headers: { allow: 'POST' } };
    const body = await bodyOf(request);
    if (body === undefined)
      return { ...plain(413, 'The request is too large.\n'), headers: { connection: 'close' } };
    return witness.addCheckpoint(body);
  }
  const [, hash] = /^\/([0-9a-f]{64})\/checkpoint$/.exec(pathname) ?? [];
  if (hash === undefined && pathname !== '/health') return plain(404, 'There is nothing at this address.\n');
  if (!isRead) return { ...plain(405, 'GET only.\n'), headers: { allow: 'GET, HEAD' } };
  return hash === undefined ? witness.health() : witness.latestCheckpoint(hash);
}

/** Of a request target; of one in absolute form without its host. `//` is one, and no URL. */
const pathOf = (target: string): string =>
  target.startsWith('/') ? (target.split('?', 1)[0] ?? '') : (URL.parse(target)?.pathname ?? '');

/** `undefined` above the limit; the rest is not read. */
async function bodyOf(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of request) {
    size += (piece as Uint8Array).length;
    if (size > LIMIT) return undefined;
    pieces.push(piece as Uint8Array);
  }
  return Buffer.concat(pieces);
}

function send(request: IncomingMessage, response: ServerResponse, it: WitnessAnswer): void {
  const bytes = Buffer.from(it.body);
  response.writeHead(it.status, {
    'content-type': it.type,
    'content-length': bytes.length,
    'cache-control': 'no-store',
    ...it.headers,
  });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}
