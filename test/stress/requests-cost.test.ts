import { VERIFICATION_TOOL } from '@touchstone/certificate/issue';
import { MODERN_REVISION } from '@touchstone/contract/tools';
import { describe, expect, it } from 'vitest';
import { session } from './support/session.ts';

/** Maximum milliseconds of the main thread for one request, whatever its body of 1 MB contains. */
const MOST = 250;
/** Bytes: just under the limit, including the surrounding JSON. */
const SIZE = 1_048_576 - 600;

const here = session('dear bodies');

const times = (fragment: string, around = ''): string =>
  fragment.repeat(Math.floor((SIZE - around.length) / fragment.length));
const list = (fragment: string) => `[${times(`${fragment},`).slice(0, -1)}]`;
const nested = (open: string, close: string, inner = '1') => {
  const depth = Math.floor(SIZE / (open.length + close.length));
  return open.repeat(depth) + inner + close.repeat(depth);
};
const numbered = (entry: (n: number) => string) => {
  const entries: string[] = [];
  for (let n = 0, size = 0; size < SIZE - 100; n += 1) {
    const next = entry(n);
    entries.push(next);
    size += next.length + 1;
  }
  return entries.join(',');
};

/** Values of about 1 MB of JSON, each repeating one fragment. */
const VALUES: Readonly<Record<string, string>> = {
  'empty lists': list('[]'),
  'empty objects': list('{}'),
  numbers: list('1'),
  'long numbers': list('1e308'),
  nulls: list('null'),
  'empty texts': list('""'),
  'nested lists': nested('[', ']'),
  'nested objects': nested('{"a":', '}'),
  'nested named objects': nested('{"svc:issuedFor":', '}'),
  'one name over and over': `{${times('"a":1,').slice(0, -1)}}`,
  'many names': `{${numbered((n) => `"${n.toString(36)}":1`)}}`,
  'many vocabulary names': `{${numbered((n) => `"svc:${n.toString(36)}":1`)}}`,
  'a long text': `"${times('x')}"`,
  'escaped letters': `"${times('\\u0041')}"`,
  'escaped quotes': `"${times('\\"')}"`,
  'escaped backslashes': `"${times('\\\\')}"`,
  'wide characters': `"${times('杯').slice(0, SIZE / 3)}"`,
  'lone surrogates': `"${times('\\ud800')}"`,
  'invisible characters': `"${times('\\u202e')}"`,
  dots: `"${times('.')}"`,
  'parts of a token': `"${times('eyJ.')}"`,
  'base64url of one part': `"eyJhbGciOiJSUzI1NiJ9.${times('YWFh')}.AA"`,
  spaces: `"${times(' ')}"`,
  slashes: `"https://mine.example/${times('/')}"`,
  percents: `"https://mine.example/${times('%25')}"`,
  'dot segments': `"https://mine.example/${times('../')}"`,
  parameters: `"https://mine.example/?${times('a=1&')}"`,
  'parameters of every name': `"https://mine.example/?${numbered((n) => n.toString(36)).replaceAll(',', '&')}"`,
  labels: `"https://${times('a.')}example/"`,
  'a document in a text': `"${times('{\\"a\\":')}"`,
  'lists in a text': `"[${times('[],')}[]]"`,
  'texts in texts': JSON.stringify(JSON.stringify(JSON.stringify('\\'.repeat(SIZE / 9)))),
  'a repeated certificate': list(
    '{"@type":"Product","svc:issuedFor":{"domain":"a"},"proof":{"jwt":"a.b.c"}}',
  ),
};

interface Slot {
  readonly headers?: Readonly<Record<string, string>>;
  readonly path: () => string;
  readonly body: (value: string) => string;
}

const verify = (body: (value: string, url: string) => string): Slot => ({
  path: () => `/api/v1/mc4p/products/${here.world.mine.products[0]?.id}/verify`,
  body: (value) => body(value, here.world.mine.products[0]?.url ?? ''),
});
const document = (member: string) =>
  verify(
    (value, url) =>
      `{"productUrl":"${url}","document":{"@type":"Product",${member.replace('$', () => value)}}}`,
  );
const image = (body: (value: string) => string): Slot => ({
  path: () => `/api/v1/mc4p/${here.world.mine.products[0]?.images[0]}/verify`,
  body,
});
const tool = (name: string, argument: string): Slot => ({
  path: () => '/mcp',
  body: (value) =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":{"${argument}":${value}}}}`,
});

const message = (members: string): Slot => ({
  path: () => '/mcp',
  body: (value) => `{"jsonrpc":"2.0","id":1,${members.replace('$', () => value)}}`,
});
/** For the revision of the protocol without initialisation, whose messages each contain that data. */
const modern = (method: string, members: string): Slot => ({
  path: () => '/mcp',
  headers: { 'mcp-protocol-version': MODERN_REVISION, 'mcp-method': method },
  body: (value) =>
    `{"jsonrpc":"2.0","id":1,"method":"${method}","params":{${members.replace('$', () => value)}}}`,
});
const ENVELOPE = `"io.modelcontextprotocol/protocolVersion":"${MODERN_REVISION}","io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},"io.modelcontextprotocol/clientCapabilities":`;

/** Positions of a value in requests that are open to everybody. */
const SLOTS: Readonly<Record<string, Slot>> = {
  'verify: the body': verify((value) => value),
  'verify: productUrl': verify((value) => `{"productUrl":${value}}`),
  'verify: document': verify((value, url) => `{"productUrl":"${url}","document":${value}}`),
  'verify: an unknown member': verify((value, url) => `{"productUrl":"${url}","x":${value}}`),
  'document: proof': document('"proof":$'),
  'document: proof.jwt': document('"proof":{"jwt":$}'),
  'document: url': document('"url":$,"proof":{"jwt":"a.b.c"}'),
  'document: productID': document('"productID":$,"proof":{"jwt":"a.b.c"}'),
  'document: svc:issuedFor': document('"svc:issuedFor":$,"proof":{"jwt":"a.b.c"}'),
  'document: svc:images': document('"svc:images":$,"proof":{"jwt":"a.b.c"}'),
  'document: @graph': document('"@graph":$'),
  'verify-batch: items': { path: () => '/api/v1/mc4p/verify-batch', body: (value) => `{"items":${value}}` },
  'items/verify: items': {
    path: () => '/api/v1/mc4p/items/verify',
    body: (value) => `{"items":${value}}`,
  },
  'items/verify: an item': {
    path: () => '/api/v1/mc4p/items/verify',
    body: (value) => `{"items":[{"@type":"Product","name":"x","gtin":${value},"image":${value}}]}`,
  },
  'page check: the body': { path: () => '/api/v1/mc4p/page-checks', body: (value) => value },
  'page check: url': { path: () => '/api/v1/mc4p/page-checks', body: (value) => `{"url":${value}}` },
  'page-checks/batch: items': {
    path: () => '/api/v1/mc4p/page-checks/batch',
    body: (value) => `{"items":${value}}`,
  },
  'image verify: domain': image((value) => `{"domain":${value}}`),
  'image verify: verifyField': image(
    (value) => `{"domain":"mine.example","verifyField":${value},"fieldValue":"x"}`,
  ),
  'image verify: fieldValue': image(
    (value) => `{"domain":"mine.example","verifyField":"productUrl","fieldValue":${value}}`,
  ),
  'tools: the body': { path: () => '/mcp', body: (value) => value },
  'tools: method': { path: () => '/mcp', body: (value) => `{"jsonrpc":"2.0","id":1,"method":${value}}` },
  'tools: id': {
    path: () => '/mcp',
    body: (value) => `{"jsonrpc":"2.0","id":${value},"method":"tools/list"}`,
  },
  'tools: params': message('"method":"tools/call","params":$'),
  'tools: arguments': message('"method":"tools/call","params":{"name":"explain_code","arguments":$}'),
  'tools: name': message('"method":"tools/call","params":{"name":$}'),
  'tools: _meta': message('"method":"tools/list","params":{"_meta":$}'),
  'tools: capabilities': message(
    '"method":"initialize","params":{"protocolVersion":"2025-11-25","clientInfo":{"name":"x","version":"1"},"capabilities":$}',
  ),
  'tools: experimental capabilities': message(
    '"method":"initialize","params":{"protocolVersion":"2025-11-25","clientInfo":{"name":"x","version":"1"},"capabilities":{"experimental":$}}',
  ),
  'tools: result': message('"result":$'),
  'tools: error': message('"error":{"code":1,"message":"x","data":$}'),
  'tools: uri': message('"method":"resources/read","params":{"uri":$}'),
  'tools: arguments of a prompt': message(
    '"method":"prompts/get","params":{"name":"verify_before_you_buy","arguments":$}',
  ),
  'tools of today: params': modern('tools/list', `"_meta":{${ENVELOPE}{}},"x":$`),
  'tools of today: _meta': modern('tools/list', `"_meta":{${ENVELOPE}{},"x":$}`),
  'tools of today: capabilities': modern('tools/list', `"_meta":{${ENVELOPE}$}`),
  'tools: document': tool(VERIFICATION_TOOL, 'document'),
  'tools: url': tool('check_product_page', 'url'),
};

describe('a body of 1 MB', () => {
  it.each(Object.keys(SLOTS))('takes little of the main thread, whatever is repeated in %s', async (name) => {
    const slot = SLOTS[name] as Slot;
    const dear: string[] = [];
    let most = { spent: 0, what: '' };
    for (const [what, value] of Object.entries(VALUES)) {
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...slot.headers,
      };
      const measure = async () => {
        const before = await here.world.service.cpu();
        const { status } = await here.ask({
          method: 'POST',
          path: slot.path(),
          headers,
          body: slot.body(value),
        });
        expect(status, what).toBeLessThan(500);
        return (await here.world.service.cpu()) - before;
      };
      let spent = await measure();
      // again, since a garbage collection may have been due
      if (spent > MOST) spent = Math.min(spent, await measure());
      if (spent > most.spent) most = { spent, what };
      if (spent > MOST) dear.push(`${what}: ${Math.round(spent)} ms`);
    }
    console.info(`${name}: at most ${Math.round(most.spent)} ms (${most.what})`);
    expect(dear).toEqual([]);
  });
});
