import { afterEach, expect, it } from 'vitest';
import { httpServer, type TestServer } from '../../../test/kit/servers.ts';
import { type ApiClient, createApiClient } from './api-client.ts';

let server: TestServer | undefined;
afterEach(async () => server?.close());

async function clientOf(listener: Parameters<typeof httpServer>[0], bodySize = 1_000): Promise<ApiClient> {
  server = await httpServer(listener);
  return createApiClient({
    userAgent: 'test/1',
    connectTo: [{ host: 'api.example', address: '127.0.0.1', toPort: server.port }],
    limits: { bodySize },
  });
}

it('reports the status of a response whose body is too large', async () => {
  const client = await clientOf((_, response) => void response.writeHead(201).end('x'.repeat(1_001)));
  const result = await client.request('http://api.example/');
  expect(result).toMatchObject({ kind: 'failed', code: 'too_large', status: 201 });
});

it('sends method, headers and body, and returns any status', async () => {
  const client = await clientOf(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { 'content-length': length, 'x-token': token, host } = request.headers;
    response.writeHead(422, { 'Retry-After': '3', 'Content-Type': 'application/json' });
    response.end(
      JSON.stringify({ method: request.method, length, token, host, body: Buffer.concat(parts).toString() }),
    );
  });
  const result = await client.request('http://api.example/graphql', {
    method: 'POST',
    headers: { 'X-Token': 'secret' },
    body: new TextEncoder().encode('{"é":1}'),
  });
  if (result.kind !== 'answer') throw new Error(result.code);
  expect(result.status).toBe(422);
  expect(result.headers['retry-after']).toBe('3');
  expect(JSON.parse(new TextDecoder().decode(result.body))).toEqual({
    method: 'POST',
    length: '8',
    token: 'secret',
    host: 'api.example',
    body: '{"é":1}',
  });
});

it('follows no redirect, since a request for one host must not reach another', async () => {
  const client = await clientOf((_request, response) => {
    response.writeHead(307, { Location: 'http://elsewhere.example/' }).end();
  });
  const result = await client.request('http://api.example/', { method: 'POST', body: new Uint8Array(1) });
  expect(result).toMatchObject({ kind: 'answer', status: 307, finalUrl: 'http://api.example/' });
  expect(server?.hits()).toBe(1);
});

it('is guarded as page fetches are', async () => {
  const client = createApiClient({ userAgent: 'test/1' });
  for (const url of ['http://127.0.0.1/', 'http://[::1]/', 'http://169.254.169.254/latest'])
    expect(await client.request(url, { method: 'POST' })).toMatchObject({ code: 'address_blocked' });
});

it('reads no more of a response than its limit', async () => {
  const client = await clientOf((_request, response) => response.end('x'.repeat(11)), 10);
  expect(await client.request('http://api.example/')).toMatchObject({ kind: 'failed', code: 'too_large' });
});
