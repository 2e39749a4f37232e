import { createServer, type Server } from 'node:https';
import { createApiClient } from '@touchstone/fetch';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listen, portOf } from '../../../../../test/kit/servers.ts';
import { createTestAuthority } from '../../../../fetch/src/testing-certificates.ts';
import { grantToken } from './access.ts';
import { createAdminClient } from './admin-client.ts';

const SHOP = 'example.myshopify.com';
const servers: Server[] = [];
const seen: unknown[] = [];
let api: ReturnType<typeof createApiClient>;

beforeAll(async () => {
  const authority = createTestAuthority();
  const until = new Date(Date.now() + 86_400_000);
  const serve = async (host: string, location?: string) => {
    const server = createServer(authority.issue(host, until), (request, response) => {
      seen.push(`${request.headers.host} ${request.headers['x-shopify-access-token'] ?? ''}`.trim());
      request.resume();
      if (location === undefined) response.end('{}');
      else response.writeHead(307, { location }).end();
    });
    await listen(server);
    servers.push(server);
    return { host, address: '127.0.0.1', toPort: portOf(server) };
  };
  const connectTo = [await serve(SHOP, 'https://evil.example/admin'), await serve('evil.example')];
  api = createApiClient({ userAgent: 'test/1', ca: authority.certificate, connectTo });
});
afterAll(() => {
  for (const server of servers) server.close();
});

it('token and secret of a shop go to its own host, and along no redirect, which the problem names', async () => {
  const { signal } = new AbortController();
  const client = createAdminClient(api, { shop: SHOP, token: async () => 'shpat_1' });
  const refused = {
    detail: expect.stringContaining('a redirect to https://evil.example, which is not followed'),
  };
  await expect(client.query('{ shop }', {}, signal)).rejects.toMatchObject(refused);
  const secret = { shop: SHOP, clientId: 'c', clientSecret: 'secret' };
  await expect(grantToken(api, secret, { now: new Date(), signal })).rejects.toMatchObject(refused);
  expect(seen).toEqual([`${SHOP} shpat_1`, SHOP]);
});

it('token and secret go to no host that is not one of Shopify, whatever the database names', async () => {
  seen.length = 0;
  const { signal } = new AbortController();
  for (const shop of ['evil.example', 'evil.example/x.myshopify.com', 'x.myshopify.com@evil.example']) {
    const query = async () =>
      createAdminClient(api, { shop, token: async () => 'shpat_1' }, { maxAttempts: 1 }).query(
        '{}',
        {},
        signal,
      );
    await expect(query(), shop).rejects.toThrow('name of a shop');
    const secret = { shop, clientId: 'c', clientSecret: 'secret' };
    await expect(grantToken(api, secret, { now: new Date(), signal })).rejects.toThrow('name of a shop');
  }
  expect(seen).toEqual([]);
});
