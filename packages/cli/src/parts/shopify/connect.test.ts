import { afterEach, expect, it } from 'vitest';
import { type LoopbackServer, loopbackServer, runCli } from '../../testing.ts';

const ID = '6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b01';
const AT = '2026-03-01T12:00:00.000Z';
const CONNECTION = {
  shop: 'kettles.myshopify.com',
  state: 'current',
  storefront: 'https://kettles.example',
  webhooks: true,
  products: 3,
  published: 3,
  failed: 0,
  connectedAt: AT,
  readAt: AT,
  problems: [],
};
const PROBLEM = {
  code: 'shopify_token_refused',
  detail: 'It answered 401.',
  nextStep: 'Install it again.',
  since: AT,
};

let server: LoopbackServer | undefined;
afterEach(() => server?.close());

/** Runs `connect` against a service that sends these responses in order and repeats the last one. */
async function connect(words: readonly string[], answers: object[], env: Record<string, string> = {}) {
  const asked: string[] = [];
  server = await loopbackServer((request) => {
    asked.push(`${request.method} ${request.path} ${request.body}`.trim());
    return { status: 200, body: answers.length > 1 ? answers.shift() : answers[0] };
  });
  const ran = await runCli(['connect', 'shopify', ID, ...words, '--service', server.url], {
    env: { TOUCHSTONE_KEY: 'tsk_0', ...env },
  });
  return { ...ran, asked };
}

it('connects with the token and the secret from the environment, and says what to do next', async () => {
  const { code, out, asked } = await connect(['--shop', CONNECTION.shop], [CONNECTION], {
    TOUCHSTONE_SHOPIFY_TOKEN: 'shpat_1',
    TOUCHSTONE_SHOPIFY_SECRET: 'shpss_1',
  });
  expect(code).toBe(0);
  expect(asked[0]).toContain(`PUT /api/v1/registry/stores/${ID}/shopify`);
  expect(JSON.parse(asked[0]?.slice(asked[0].indexOf('{')) ?? '')).toEqual({
    shop: CONNECTION.shop,
    accessToken: 'shpat_1',
    clientSecret: 'shpss_1',
  });
  expect(out).toContain('3 of 3 products carry their certificate');
  expect(out).toContain('theme editor');
});

it.each([
  ['--client-id', ['--client-id', '0f1e'], {}],
  [
    'TOUCHSTONE_SHOPIFY_CLIENT_ID',
    [],
    { TOUCHSTONE_SHOPIFY_CLIENT_ID: '0f1e', TOUCHSTONE_SHOPIFY_TOKEN: 'x' },
  ],
])('connects with the client ID of %s and the secret', async (_, words, env) => {
  const { code, asked } = await connect(['--shop', CONNECTION.shop, ...words], [CONNECTION], {
    TOUCHSTONE_SHOPIFY_SECRET: 'shpss_1',
    ...env,
  });
  expect(code).toBe(0);
  expect(JSON.parse(asked[0]?.slice(asked[0].indexOf('{')) ?? '')).toEqual({
    shop: CONNECTION.shop,
    clientId: '0f1e',
    clientSecret: 'shpss_1',
  });
});

it.each([
  ['client ID or token', [], '--client-id'],
  ['secret', ['--client-id', '0f1e'], 'TOUCHSTONE_SHOPIFY_SECRET'],
])('asks for a missing %s before it sends any request', async (_, words, named) => {
  const { code, err, asked } = await connect(['--shop', CONNECTION.shop, ...words], [CONNECTION]);
  expect([code, asked]).toEqual([64, []]);
  expect(err).toContain(named);
});

it('waits with --watch until it is finished, and reports problems', async () => {
  const failing = { ...CONNECTION, state: 'failing', problem: PROBLEM, failed: 1, webhooks: false };
  const problems = [
    { externalProductId: '77', ...PROBLEM, code: 'shopify_row_refused', detail: 'name: too long' },
  ];
  const { code, out } = await connect(
    ['--watch'],
    [
      { ...CONNECTION, state: 'reading' },
      { ...failing, problems },
    ],
  );
  expect(code).toBe(2);
  expect(out).toContain('Install it again. It answered 401.');
  expect(out).toContain('77: Install it again. name: too long');
  expect(out).toContain('TOUCHSTONE_SHOPIFY_SECRET');
});

it('names the command that connects a store that is not connected', async () => {
  const detail = 'The store is not connected to a Shopify shop: PUT …/stores/{id}/shopify connects it.';
  server = await loopbackServer(() => ({
    status: 404,
    body: { title: 't', status: 404, detail, code: 'shopify_not_connected' },
  }));
  const { code, err } = await runCli(['connect', 'shopify', ID, '--service', server.url], {
    env: { TOUCHSTONE_KEY: 'tsk_0' },
  });
  expect(code).toBe(3);
  expect(err).toContain('\nConnect it: touchstone connect shopify <store-id> --shop ');
});

it('prints JSON', async () => {
  const { out } = await connect(['--json'], [CONNECTION]);
  expect(JSON.parse(out)).toEqual(CONNECTION);
});
