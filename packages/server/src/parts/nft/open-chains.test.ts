import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { openChains } from './open-chains.ts';

const CLAIM = { contract: '0x01', tokenId: 1n, transactionHash: '0x02' } as const;

let endpoint: Server | undefined;
afterEach(() => {
  endpoint?.close();
  endpoint?.closeAllConnections();
});

async function read(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<unknown> {
  endpoint = createServer(answer).listen(0, '127.0.0.1');
  await once(endpoint, 'listening');
  const { port } = endpoint.address() as AddressInfo;
  const chain = { name: 'slow', chainId: 1, rpcUrl: `http://127.0.0.1:${port}/secret` };
  return openChains([chain], 1, 500)
    .read(chain, CLAIM)
    .catch((error: unknown) => error);
}

// without a deadline, neither of these would end before the test's timeout
test.each([
  ['never answers', () => {}],
  [
    'answers a byte at a time',
    (_request: IncomingMessage, response: ServerResponse) => {
      const timer = setInterval(() => response.write(' '), 50);
      response.on('close', () => clearInterval(timer));
    },
  ],
])('an endpoint that %s is abandoned, and reported as a timeout', async (_name, answer) => {
  expect(await read(answer)).toMatchObject({
    code: 'chain_unavailable',
    publicMessage: 'The chain did not answer within 0.5 seconds. Nothing was recorded: try again.',
    retryAfter: 30,
    cause: { message: 'the endpoint of slow took over 500 ms' },
  });
});

test('one that fails at once is not reported as a timeout', async () => {
  const error = await read((_request, response) => response.writeHead(500).end());
  expect(error).toMatchObject({
    code: 'chain_unavailable',
    publicMessage: 'The chain cannot be read at the moment.',
  });
});

test('an endpoint that redirects is not followed, since its address may contain a token', async () => {
  const seen: unknown[] = [];
  const hostile = createServer((request, response) => {
    seen.push(request.url);
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(hostile, 'listening');
  const location = `http://127.0.0.1:${(hostile.address() as AddressInfo).port}`;
  const fault = await read((_, response) => response.writeHead(307, { location: `${location}/x` }).end());
  expect(fault).toMatchObject({
    cause: { message: `the endpoint of slow redirects to ${location}, which is not followed` },
  });
  expect(seen).toEqual([]);
  hostile.close();
});

test('an answer without end is not read', async () => {
  let sent = 0;
  await read((_, response) => {
    const pour = (): void => {
      while (!response.destroyed) {
        sent += 65_536;
        if (!response.write(Buffer.alloc(65_536, 32))) return void response.once('drain', pour);
      }
    };
    pour();
  });
  // both attempts, and what lies in buffers
  expect(sent).toBeLessThan(2 * 5_000_000 + 20_000_000);
});
