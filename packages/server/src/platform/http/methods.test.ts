import { METHODS, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestServer, testServer } from './testing.ts';

let server: TestServer;
beforeAll(async () => {
  server = testServer();
  await server.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => server.app.close());

const ID = '01234567-89ab-4def-8123-456789abcdef';

function send(method: string, path: string, headers: Record<string, string> = {}): Promise<number> {
  const { port } = server.app.server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, method, path, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    })
      .on('error', reject)
      .end();
  });
}

it.each(METHODS.filter((method) => !['CONNECT', 'GET', 'HEAD', 'OPTIONS'].includes(method)))(
  'answers %s with 405 if a path has only GET, whatever the type of the body',
  async (method) => {
    for (const type of [undefined, ';', 'application/json']) {
      const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
      expect(await send(method, `/things/${ID}/certificate`, headers)).toBe(405);
    }
  },
);

it('does not check the type of a body that an operation ignores', async () => {
  const headers = { authorization: 'Bearer tsk_operator', 'content-type': ';' };
  expect(await send('DELETE', `/things/${ID}`, headers)).toBe(204);
});
