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
