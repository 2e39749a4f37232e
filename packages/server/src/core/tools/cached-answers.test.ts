import { createKeySet, verifyAtOnce } from '@touchstone/certificate';
import { createTestIssuer, TEST_ISSUER, TEST_NOW, TEST_PRODUCT } from '@touchstone/certificate/testing';
import type { CachedUseCases, ToolUseCases } from '@touchstone/mcp';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { testServer } from '../../platform/http/testing.ts';
import { nodeRs256, nodeSha256 } from '../keys/rsa-keys.ts';
import { mcpRoute } from './routes.ts';

const HEADERS = {
  host: 'localhost',
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};
const { productId } = TEST_PRODUCT;
const UNSEEN_ID = '1b0e7a5c-6d1f-4b4e-9f57-0d4b0f6f2a11';
const COLD_ID = '2b0e7a5c-6d1f-4b4e-9f57-0d4b0f6f2a11';
let document: Record<string, unknown>;
let ask: (
  body: unknown,
  headers: Record<string, string>,
) => Promise<{ cached: string | undefined; sent: string }>;

beforeAll(async () => {
  const issuer = await createTestIssuer();
  document = await issuer.certificate();
  const keySet = createKeySet(issuer.jwks, nodeRs256(), nodeSha256());
  const verified: CachedUseCases['verifyProduct'] = (input) =>
    verifyAtOnce({
      ...input,
      keySet,
      issuers: [TEST_ISSUER],
      now: TEST_NOW,
      registry: {
        issuedFor: 'shop.example',
        domains: [],
        coverage: { certifiedAssets: 1, totalAssets: 2, coveragePercent: 50 },
        publishing: true,
      },
    }) ?? undefined;
  const texts: Record<string, string> = {
    [productId]: JSON.stringify(document),
    // bidirectional controls, a line break and half a pair in what a shop wrote
    [UNSEEN_ID]: JSON.stringify({ name: 'cup\u202e\n\u0007 ä \ud800', '@type': 'Product', 'a\u200b': 1 }),
  };
  const known = (id: string) => texts[id] ?? JSON.stringify({ cold: true });
  const use: ToolUseCases = {
    verifyProduct: async (input) => verified(input) ?? Promise.reject(new Error('no verdict')),
    checkPage: () => Promise.reject(new Error('not asked here')),
    getCertificate: async (id) => known(id),
    findCertificate: () => Promise.reject(new Error('not asked here')),
    getJwks: () => Promise.reject(new Error('not asked here')),
  };
  const cached: CachedUseCases = {
    verifyProduct: (input) => (input.productId === COLD_ID ? undefined : verified(input)),
    getCertificate: (id) => (id === COLD_ID ? undefined : known(id)),
  };
  const options = { useCasesFor: () => use, allowedHostnames: ['localhost'], onFault: () => {} };
  // injected requests bypass the handlers before the framework
  const { app } = testServer({ routes: [mcpRoute(options)] });
  const route = mcpRoute({ ...options, cached });
  ask = async (body, further) => {
    const headers = { ...HEADERS, ...further };
    const answer = await app.inject({ method: 'POST', url: '/mcp', headers, body: JSON.stringify(body) });
    const isPlain = answer.statusCode === 200 && answer.headers['content-type'] === 'application/json';
    return {
      cached: route.cachedAnswer?.({ id: '', body: JSON.parse(JSON.stringify(body)), headers }),
      sent: isPlain ? answer.body : `${answer.statusCode} ${answer.headers['content-type']} ${answer.body}`,
    };
  };
});

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const message = (params: object, further: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params,
  ...further,
});
const modern = (name: string) => ({
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': name,
});
const older = { 'mcp-protocol-version': '2025-11-25' };

describe('a plain tool call is answered from memory, with the same bytes as by the protocol library', () => {
  const CALLS: [string, () => object][] = [
    ['get_product_certificate', () => ({ productId })],
    ['get_product_certificate', () => ({ productId: UNSEEN_ID, further: 1 })],
    ['verify_svc_certificate', () => ({ productUrl: TEST_PRODUCT.url, productId, document })],
    ['verify_svc_certificate', () => ({ productUrl: 'https://evil.example/\u202e', document })],
    ['verify_svc_certificate', () => ({ productUrl: TEST_PRODUCT.url, productId })],
    ['verify_svc_certificate', () => ({ productUrl: 'x', productId, document: 'none' })],
  ];
  test.each(CALLS)('%s', async (name, args) => {
    const params = { name, arguments: args() };
    for (const [body, headers] of [
      [message(params), older],
      [message(params, { id: 'ä"\n' }), { 'mcp-protocol-version': '2025-06-18' }],
      [message({ ...params, _meta: META }), modern(name)],
    ] as const) {
      const { cached, sent } = await ask(body, headers);
      expect(cached).toBeDefined();
      expect(cached).toBe(sent);
    }
  });
});

test('a call that is not plain, not cached or fails is left to the library', async () => {
  const params = { name: 'get_product_certificate', arguments: { productId } };
  const client = META['io.modelcontextprotocol/clientInfo'];
  const nullTitle = { ...META, 'io.modelcontextprotocol/clientInfo': { ...client, title: null } };
  const left: [object, Record<string, string>][] = [
    [message(params), {}],
    [message(params), { 'mcp-protocol-version': '2025-03-26' }],
    [message(params), { ...older, accept: 'application/json' }],
    [message(params), { ...older, host: 'evil.example' }],
    [message(params), { ...older, origin: 'http://localhost' }],
    [message(params), modern(params.name)],
    [message({ ...params, _meta: META }), modern('explain_code')],
    [message({ ...params, _meta: META }), older],
    [message({ ...params, _meta: { progressToken: 1 } }), older],
    [message({ ...params, _meta: nullTitle }), modern(params.name)],
    [message({ ...params, arguments: { productId: COLD_ID } }), older],
    [message({ ...params, arguments: { productId: 'x' } }), older],
    [message({ ...params, arguments: { url: 'https://shop.example/' } }), older],
    [message({ ...params, name: 'explain_code', arguments: { code: 'url_differs' } }), older],
    [message({ ...params, name: '__proto__' }), older],
    [message(params, { id: 1.5 }), older],
    [message(params, { id: null }), older],
    [message(params, { method: 'tools/list' }), older],
    [message(params, { further: 1 }), older],
    [[message(params)], older],
  ];
  for (const [body, headers] of left) expect((await ask(body, headers)).cached).toBeUndefined();
});

test('for any input, a response from memory equals that of the library', async () => {
  const some = <T>(...plain: T[]) =>
    fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...plain) }, fc.jsonValue({ maxDepth: 1 }));
  const capabilities = fc.dictionary(
    fc.constantFrom('elicitation', 'roots', 'sampling', 'tasks', 'x'),
    some({}),
    { maxKeys: 2 },
  );
  const meta = fc.record(
    {
      'io.modelcontextprotocol/protocolVersion': some('2026-07-28'),
      'io.modelcontextprotocol/clientInfo': fc.oneof(
        some<object>(META['io.modelcontextprotocol/clientInfo']),
        fc.record({ name: some('n'), version: some('v'), title: some('t') }, { requiredKeys: ['name'] }),
      ),
      'io.modelcontextprotocol/clientCapabilities': capabilities,
    },
    {
      requiredKeys: ['io.modelcontextprotocol/protocolVersion', 'io.modelcontextprotocol/clientCapabilities'],
    },
  );
  const args = fc.oneof(
    fc.record({ productId: some(productId, UNSEEN_ID, productId.toUpperCase()) }),
    fc.record({
      productUrl: some(TEST_PRODUCT.url),
      productId: some(productId),
      document: some<unknown>({ proof: 1 }),
    }),
  );
  const tool = fc.constantFrom('get_product_certificate', 'verify_svc_certificate');
  let answered = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      tool,
      args,
      meta,
      some<unknown>(1, 'a', 0, -1),
      async (isModern, name, given, _meta, id) => {
        const params = { name, arguments: given, ...(isModern ? { _meta } : {}) };
        const { cached, sent } = await ask(message(params, { id }), isModern ? modern(name) : older);
        if (cached === undefined) return;
        answered += 1;
        expect(cached).toBe(sent);
      },
    ),
    { numRuns: 400 },
  );
  expect(answered).toBeGreaterThan(50);
});
