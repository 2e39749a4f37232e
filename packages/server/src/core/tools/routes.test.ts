import type { ToolUseCases } from '@touchstone/mcp';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../platform/errors.ts';
import { testServer } from '../../platform/http/testing.ts';
import { mcpRoute } from './routes.ts';

const faults: unknown[] = [];
const away = async () => {
  throw new ServiceError('database_unavailable', { retryAfter: 2 });
};
const use: ToolUseCases = {
  verifyProduct: away,
  checkPage: async () => {
    throw new Error('password of the database: hunter2');
  },
  getCertificate: away,
  findCertificate: away,
  getJwks: away,
};
const { app } = testServer({
  routes: [
    mcpRoute({
      useCasesFor: () => use,
      allowedHostnames: ['localhost'],
      onFault: (error) => void faults.push(error),
    }),
  ],
});

async function post(message: unknown, headers: Record<string, string> = {}) {
  const answer = await app.inject({
    method: 'POST',
    url: '/mcp',
    headers: {
      host: 'localhost',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify(message) ?? '',
  });
  const text = /^data: (.*)$/m.exec(answer.body)?.[1] ?? answer.body;
  return { status: answer.statusCode, json: text === '' ? undefined : JSON.parse(text) };
}

const MODERN = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const call = (name: string, args: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
});

describe('a fault of ours', () => {
  test('is reported with its code, and logged', async () => {
    faults.length = 0;
    const productId = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
    const { json } = await post(call('get_product_certificate', { productId }));
    expect(json.result).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'database_unavailable', retryAfter: 2 } },
    });
    expect(faults).toHaveLength(1);
  });

  test('never exposes internal messages', async () => {
    const { json } = await post(call('check_product_page', { url: 'https://shop.example/' }));
    expect(json.result.structuredContent.error.code).toBe('internal');
    expect(JSON.stringify(json)).not.toContain('hunter2');
    expect(String(faults.at(-1))).toContain('hunter2');
  });

  test('of a resource is an error with the code as its data', async () => {
    const params = { uri: 'touchstone://jwks' };
    const { json } = await post({ jsonrpc: '2.0', id: 1, method: 'resources/read', params });
    expect(json.error).toMatchObject({ code: -32603, data: { code: 'database_unavailable' } });
  });
});

test.each(['2026-07-28', '2025-11-25'])(
  'a client that disconnects, by revision %s, ends the work done for it',
  async (revision) => {
    const begun = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    const waiting: ToolUseCases = {
      ...use,
      checkPage: ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            reject(signal.reason);
            ended.resolve();
          });
          begun.resolve();
        }),
    };
    const row = mcpRoute({ useCasesFor: () => waiting, allowedHostnames: ['127.0.0.1'], onFault: () => {} });
    const server = testServer({ routes: [row] }).app;
    const url = await server.listen({ host: '127.0.0.1', port: 0 });
    const caller = new AbortController();
    const { params, ...message } = call('check_product_page', { url: 'https://shop.example/' });
    const asking = fetch(`${url}/mcp`, {
      method: 'POST',
      signal: caller.signal,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': revision,
        ...(revision === '2026-07-28' && { 'mcp-method': message.method, 'mcp-name': params.name }),
      },
      body: JSON.stringify({
        ...message,
        params: { ...params, ...(revision === '2026-07-28' && { _meta: MODERN }) },
      }),
    });
    await begun.promise;
    caller.abort();
    await expect(asking).rejects.toThrow('aborted');
    await ended.promise;
    // which waits for every answer that is still owed
    await server.close();
  },
);

const METHODS = [
  'tools/call',
  'tools/list',
  'resources/read',
  'prompts/get',
  'initialize',
  'server/discover',
  'ping',
];
const REVISIONS = ['2026-07-28', '2025-11-25', '2025-03-26', '1999-01-01', 'x'];

const params = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.record({
    name: fc.constantFrom('verify_svc_certificate', 'explain_code', 'verify_before_you_buy', '__proto__', ''),
    arguments: fc.jsonValue({ maxDepth: 4 }),
    uri: fc.oneof(fc.string(), fc.constantFrom('touchstone://codes/%', 'touchstone://certificates/x', 'x:')),
    protocolVersion: fc.constantFrom(...REVISIONS),
    _meta: fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.record({
        'io.modelcontextprotocol/protocolVersion': fc.oneof(fc.constantFrom(...REVISIONS), fc.integer()),
      }),
    ),
  }),
);

test('for any input, the response is JSON-RPC without a fault of the server', async () => {
  const message = fc.oneof(
    fc.jsonValue(),
    fc.record({
      jsonrpc: fc.constantFrom('2.0', '1.0'),
      id: fc.oneof(fc.integer(), fc.string(), fc.constant(null)),
      method: fc.oneof(fc.constantFrom(...METHODS), fc.string()),
      params,
    }),
  );
  const revision = fc.constantFrom('', ...REVISIONS);
  await fc.assert(
    fc.asyncProperty(message, revision, async (body, version) => {
      const { status, json } = await post(body, version === '' ? {} : { 'mcp-protocol-version': version });
      expect(status).toBeLessThan(500);
      // a notification, or an answer to nothing, is taken without one
      if (json === undefined) expect(status).toBe(202);
      else expect(json.jsonrpc).toBe('2.0');
    }),
    { numRuns: 500 },
  );
});
