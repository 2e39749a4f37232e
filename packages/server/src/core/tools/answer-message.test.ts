import {
  createMcpHandler,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { MODERN_REVISION, PROTOCOL_REVISIONS } from '@touchstone/contract/tools';
import { createToolBox, createToolServer, type Era, type ToolServerContext } from '@touchstone/mcp';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { answerMessage } from './answer-message.ts';
import { MessageTransport } from './message-transport.ts';

const box = createToolBox('1.2.3', {});
const gone = async () => {
  throw new Error('gone');
};
const contextFor = (getCertificate: (id: string) => Promise<string>): ToolServerContext => ({
  use: {
    verifyProduct: gone,
    checkPage: gone,
    getCertificate,
    findCertificate: gone,
    getJwks: async () => '{"keys":[]}',
  },
  faultOf: () => ({ code: 'internal', message: 'A fault.' }),
});
const context = contextFor(async (id) => JSON.stringify({ productID: id }));
const serverOf = (era: Era) => {
  const transport: MessageTransport<ToolServerContext> = new MessageTransport(
    createToolServer(box, ({ mcpReq }) => transport.contextOf(mcpReq.id), era),
  );
  return transport;
};
const servers = { modern: serverOf('modern'), older: serverOf('older') };

type Headers = Readonly<Record<string, string>>;

async function ours(message: unknown, headers: Headers) {
  const reply = await answerMessage(message, headers, (era, request) => servers[era].ask(request, context));
  return { status: reply.status, body: reply.body };
}

/** The same by the HTTP transports of the protocol's library, with a server for each message. */
async function theirs(message: unknown, headers: Headers) {
  const make = () => createToolServer(box, () => context);
  const request = new Request('http://localhost/mcp', {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
  });
  const isOlder =
    headers['mcp-protocol-version'] !== MODERN_REVISION && (await isLegacyRequest(request, message));
  const response = isOlder ? await older(make(), request, message) : await modern(make, request, message);
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

async function older(server: Server, request: Request, parsedBody: unknown): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  return transport.handleRequest(request, { parsedBody });
}

const modern = (make: () => Server, request: Request, parsedBody: unknown) =>
  createMcpHandler(make, { maxSubscriptions: 0, legacy: 'reject' }).fetch(request, { parsedBody });

/** Faults that we report in our own words. */
function withoutOwnWords({ status, body }: { status: number; body: unknown }) {
  const { error } = (body ?? {}) as { error?: { code: number } };
  const isOwn = error !== undefined && [-32_020, -32_600].includes(error.code);
  return { status, body: isOwn ? error.code : body };
}

const METHODS = [
  'tools/call',
  'tools/list',
  'resources/read',
  'prompts/get',
  'initialize',
  'server/discover',
  'subscriptions/listen',
  'notifications/initialized',
  'notifications/cancelled',
  'completion/complete',
  'ping',
  'no/such',
];
const REVISIONS = [...PROTOCOL_REVISIONS, '1999-01-01'];
const NAMES = ['explain_code', 'get_product_certificate', 'verify_before_you_buy', 'unknown'];

const meta = fc.record(
  {
    'io.modelcontextprotocol/protocolVersion': fc.constantFrom(MODERN_REVISION, ...REVISIONS),
    'io.modelcontextprotocol/clientInfo': fc.constant({ name: 'test', version: '1' }),
    'io.modelcontextprotocol/clientCapabilities': fc.constant({}),
  },
  { requiredKeys: ['io.modelcontextprotocol/protocolVersion', 'io.modelcontextprotocol/clientCapabilities'] },
);
const params = fc.record(
  {
    name: fc.constantFrom(...NAMES),
    uri: fc.constantFrom('touchstone://jwks', 'touchstone://codes/verified', 'x:'),
    arguments: fc.constantFrom(
      { code: 'verified' },
      { productId: '7c9e6679-7425-40de-944b-e07fc1f90ae7' },
      {},
    ),
    protocolVersion: fc.constantFrom(...REVISIONS),
    capabilities: fc.constant({}),
    clientInfo: fc.constant({ name: 'test', version: '1' }),
    notifications: fc.constant({ toolsListChanged: true }),
    _meta: meta,
  },
  { requiredKeys: [] },
);
const message = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      jsonrpc: fc.constant('2.0'),
      id: fc.nat(9),
      method: fc.constantFrom(...METHODS),
      params,
    }),
  },
  fc.record({ jsonrpc: fc.constant('2.0'), method: fc.constantFrom(...METHODS), params }),
  fc.record({ jsonrpc: fc.constant('2.0'), id: fc.nat(9), result: fc.constant({}) }),
  fc.jsonValue({ maxDepth: 2 }),
);
const headers = fc.record(
  {
    accept: fc.constantFrom('application/json, text/event-stream', 'application/json'),
    'mcp-protocol-version': fc.constantFrom(MODERN_REVISION, ...REVISIONS),
    'mcp-method': fc.constantFrom(...METHODS),
    'mcp-name': fc.constantFrom(...NAMES, '=?base64?ZXhwbGFpbl9jb2Rl?='),
  },
  { requiredKeys: [] },
);
/** Headers as a client writes them, for as many messages as others. */
const exchange = fc.tuple(message, headers, fc.boolean()).map(([body, some, isRight]) => {
  const { method, params: given } = (body ?? {}) as { method?: string; params?: Record<string, unknown> };
  const name = method === 'resources/read' ? given?.uri : given?.name;
  if (!isRight || typeof method !== 'string') return { body, sent: some as Headers };
  return {
    body,
    sent: {
      ...some,
      accept: 'application/json, text/event-stream',
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
    } as Headers,
  };
});

test('a message is answered as by the HTTP transports of the protocol’s library', async () => {
  await fc.assert(
    fc.asyncProperty(exchange, async ({ body, sent }) => {
      // arrays are refused before (envelope.ts)
      fc.pre(!Array.isArray(body) && body !== undefined);
      const plain = JSON.parse(JSON.stringify(body)) as unknown;
      const expected = withoutOwnWords(await theirs(plain, sent));
      const found = JSON.parse(JSON.stringify(withoutOwnWords(await ours(plain, sent))));
      expect(found).toEqual(JSON.parse(JSON.stringify(expected)));
    }),
    { numRuns: 1_000 },
  );
});

test('calls with the same id, at the same time, are answered each to its caller', async () => {
  const ids = ['7c9e6679-7425-40de-944b-e07fc1f90ae7', '7c9e6679-7425-40de-944b-e07fc1f90ae8'];
  const held = Promise.withResolvers<void>();
  const answers = ids.map((productId) =>
    answerMessage(
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'get_product_certificate', arguments: { productId } },
      },
      { accept: 'application/json, text/event-stream' },
      (era, request) =>
        servers[era].ask(
          request,
          contextFor(async (id) => {
            await held.promise;
            return JSON.stringify({ productID: id });
          }),
        ),
    ),
  );
  // refers to the first of them, and reaches none
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
  expect(await ours(cancelled, { accept: 'application/json, text/event-stream' })).toMatchObject({
    status: 202,
  });
  held.resolve();
  expect(await Promise.all(answers)).toMatchObject(
    ids.map((productID) => ({ status: 200, body: { id: 1, result: { structuredContent: { productID } } } })),
  );
});
