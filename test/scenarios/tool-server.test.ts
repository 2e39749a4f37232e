import { request } from 'node:http';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { covers, scenario } from '../kit/scenario.ts';
import { type Json, useScene } from '../kit/service.ts';
import { productPage } from '../kit/shop.ts';

const PAGE = 'http://shop.example/products/kettle';
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

const scene = await useScene({
  TOUCHSTONE_MCP_URL: 'https://tools.certificates.example',
  TOUCHSTONE_TRUST_PROXY: '127.0.0.0/8',
});
scene.shop.put(PAGE, productPage({ '@type': 'Product', name: 'Kettle' }));

/** A raw request with its own Host header (which fetch does not allow). */
async function post(
  body: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'POST',
  query = '',
): Promise<{ status: number; json: Json }> {
  const { hostname, port } = new URL(scene.service.url);
  const sent = request({
    hostname,
    port,
    path: `/mcp${query}`,
    method,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'content-length': Buffer.byteLength(body),
      ...headers,
    },
  });
  sent.end(body);
  return new Promise((resolve, reject) => {
    sent.on('error', reject);
    sent.on('response', async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
      resolve({ status: response.statusCode ?? 0, json: JSON.parse(data) as Json });
    });
  });
}

describe('the tool server', () => {
  scenario(
    'answers under the names of the service and of loopback, and refuses any other host or origin',
    covers('EP7-TOOL'),
    async () => {
      const list = JSON.stringify(LIST);
      const { port } = new URL(scene.service.url);
      for (const host of [
        'tools.certificates.example',
        'certificates.example',
        `localhost:${port}`,
        `[::1]:${port}`,
      ]) {
        expect((await post(list, { host })).status).toBe(200);
        expect((await post(list, { host, origin: `https://${host}` })).status).toBe(200);
      }
      for (const headers of [
        { host: 'evil.example' },
        { host: `evil.example:${port}`, origin: 'http://localhost' },
        { host: 'certificates.example.evil.example' },
        { host: 'localhost', origin: 'https://evil.example' },
        { host: 'localhost', origin: 'null' },
      ]) {
        const { status, json } = await post(list, headers);
        expect([status, json.jsonrpc, (json.error as Json).code]).toEqual([403, '2.0', -32000]);
      }
    },
  );

  scenario('reports every fault of a message in JSON-RPC', covers('EP7-SHAPE'), async () => {
    const big = JSON.stringify({ ...LIST, params: { fill: 'x'.repeat(1024 * 1024) } });
    for (const [body, headers, expected] of [
      ['{', {}, [400, -32700]],
      ['', {}, [400, -32700]],
      [JSON.stringify([LIST, LIST]), {}, [400, -32600]],
      [big, {}, [413, -32000]],
      [JSON.stringify(LIST), { 'content-type': 'text/plain' }, [415, -32000]],
      [JSON.stringify({ ...LIST, method: 'no/such' }), {}, [200, -32601]],
      [JSON.stringify({ ...LIST, method: 'tools/call', params: { name: 'x' } }), {}, [200, -32602]],
    ] as const) {
      const { status, json } = await post(body, headers);
      expect([status, (json.error as Json | undefined)?.code], body.slice(0, 80)).toEqual(expected);
      expect(json.jsonrpc).toBe('2.0');
    }
    for (const method of ['GET', 'DELETE']) expect((await post('', {}, method)).status).toBe(405);
  });

  scenario('keeps no stream open for notifications that are never sent', covers('EP7-SHAPE'), async () => {
    const client = new Client(
      { name: 't', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    await client.connect(new StreamableHTTPClientTransport(new URL(`${scene.service.url}/mcp`)));
    await expect(client.listen({ toolsListChanged: true })).rejects.toThrow(/limit/i);
    await client.close();
  });

  scenario(
    'counts fresh checks by the address of its client, together with those over HTTP',
    covers('EP7-SHAPE', 'LIMIT-FRESH'),
    async () => {
      const from = { 'x-forwarded-for': '203.0.113.9' };
      const call = {
        ...LIST,
        method: 'tools/call',
        params: { name: 'check_product_page', arguments: { url: PAGE, freshness: 'fresh' } },
      };
      const byTool = async () => {
        const { result } = (await post(JSON.stringify(call), from)).json as {
          result: { structuredContent: Json };
        };
        return result.structuredContent;
      };
      const byHttp = () =>
        scene.call('POST', '/api/v1/mc4p/page-checks', { url: PAGE, freshness: 'fresh' }, from);
      for (let i = 0; i < 5; i++) {
        expect(await byTool()).toMatchObject({ verdict: 'no_certificate' });
        expect((await byHttp()).status).toBe(200);
      }
      expect(await byTool()).toMatchObject({
        error: { code: 'fresh_rate_limited', retryAfter: expect.any(Number) },
      });
      expect((await byHttp()).status).toBe(429);
    },
  );

  it('lists only what a client asks for by its address, and answers calls of the others', async () => {
    const listed = async (query: string) => {
      const { result } = (await post(JSON.stringify(LIST), {}, 'POST', query)).json as {
        readonly result: { readonly tools: readonly { readonly name: string }[] };
      };
      return result.tools.map(({ name }) => name);
    };
    const core = (await listed('')).slice(0, 4);
    expect(core).toEqual([
      'verify_svc_certificate',
      'check_product_page',
      'get_product_certificate',
      'explain_code',
    ]);
    expect(await listed('?tools=core')).toEqual(core);
    expect(await listed('?tools=explain_code&tools=%20check_product_page')).toEqual([core[1], core[3]]);
    const call = {
      ...LIST,
      method: 'tools/call',
      params: { name: 'explain_code', arguments: { code: 'verified' } },
    };
    expect((await post(JSON.stringify(call), {}, 'POST', '?tools=check_product_page')).json).toMatchObject({
      result: { structuredContent: { code: 'verified' } },
    });
    const unknown = await post(JSON.stringify(LIST), {}, 'POST', '?tools=core,buy');
    expect(unknown).toMatchObject({ status: 400 });
    expect(JSON.stringify(unknown.json)).toContain(
      'tools names \\"buy\\". It takes core, verify_svc_certificate, ',
    );
  });
});
