import { afterAll, describe, expect, it } from 'vitest';
import { loopbackServer, pageCheckReport, type Ran, runCli } from '../testing.ts';

const shapeless = await loopbackServer(() => ({ body: { status: 'verified' } }));
const web = await loopbackServer(() => ({ body: '<h1>Welcome</h1>' }));
afterAll(async () => {
  await shapeless.close();
  await web.close();
});

const VERIFY = {
  name: 'verify_svc_certificate',
  arguments: { productUrl: 'https://shop.example/', productId: '7c9e6679-7425-40de-944b-e07fc1f90ae7' },
};

const GET = {
  name: 'get_product_certificate',
  arguments: { productId: '7c9e6679-7425-40de-944b-e07fc1f90ae7' },
};

/** One session: sends the messages, and closes the input when the responses have arrived. */
async function talk(service: string, messages: readonly object[]): Promise<Ran & { answers: Answer[] }> {
  const lines = messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');
  const stop = new AbortController();
  const waiting = setTimeout(() => stop.abort(), 60_000);
  const expected = messages.filter((message) => 'id' in message).length;
  const ran = await runCli(['mcp', '--service', service], {
    stdin: lines,
    stop: stop.signal,
    keepStdinUntil: (out) => out.split('\n').length > expected,
  });
  clearTimeout(waiting);
  const answers = ran.out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Answer]));
  return { ...ran, answers };
}

interface Answer {
  readonly id: number;
  readonly result: { readonly structuredContent?: { error?: { code: string; message: string } } };
}

const HELLO = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
  },
  { method: 'notifications/initialized' },
];

describe('touchstone mcp', () => {
  it('writes only messages to standard output, and ends with its input', async () => {
    const { code, answers, err } = await talk(shapeless.url, [...HELLO, { id: 2, method: 'tools/list' }]);
    expect([code, err, answers.map(({ id }) => id)]).toEqual([0, '', [1, 2]]);
  });

  it.each([
    ['an answer without the shape of one', () => shapeless.url, 'service_not_understood'],
    ['another web server', () => web.url, 'service_not_understood'],
    ['nobody', () => 'http://127.0.0.1:9', 'service_unreachable'],
  ])('does not take %s for a verdict or a certificate', async (_, url, code) => {
    const calls = [VERIFY, GET].map((params, i) => ({ id: i + 2, method: 'tools/call', params }));
    const { answers } = await talk(url(), [...HELLO, ...calls]);
    const told = answers.filter(({ id }) => id > 1);
    expect(told).toHaveLength(2);
    for (const answer of told) {
      expect(answer.result.structuredContent).toMatchObject({ error: { code } });
      expect(JSON.stringify(answer)).not.toContain('verified');
    }
  });

  it('does not pass on an answer that contradicts itself', async () => {
    const url = 'https://shop.example/products/cup';
    const report = { ...pageCheckReport(url, 'verified'), mc4p: { present: false } };
    const lying = await loopbackServer(() => ({ body: report }));
    const params = { name: 'check_product_page', arguments: { url } };
    const { answers } = await talk(lying.url, [...HELLO, { id: 2, method: 'tools/call', params }]);
    await lying.close();
    const error = answers.find(({ id }) => id === 2)?.result.structuredContent?.error;
    expect(error).toMatchObject({
      code: 'service_contradicts_itself',
      message: expect.stringContaining('The verdict is verified, but mc4p.present is false.'),
    });
  });

  it('passes on all arguments of a page check', async () => {
    const asked = { url: 'https://shop.example/', freshness: 'fresh', images: 'match' };
    const params = { name: 'check_product_page', arguments: asked };
    await talk(shapeless.url, [...HELLO, { id: 2, method: 'tools/call', params }]);
    expect(JSON.parse(shapeless.asked.at(-1)?.body ?? '')).toEqual(asked);
  });

  it('ends on request, and on a message that is too large', async () => {
    const stop = new AbortController();
    stop.abort();
    expect((await runCli(['mcp'], { stop: stop.signal, keepStdinUntil: () => false })).code).toBe(0);
    const flood = await runCli(['mcp'], { stdin: 'x'.repeat(11_000_000), keepStdinUntil: () => false });
    expect([flood.code, flood.out]).toEqual([0, '']);
    expect(flood.err).toMatch(/maximum size/);
  });
});

describe('a hostile service', () => {
  const ATTACK = 'x\u001b[2J\u009b1m\u202e\u200b\u2028\nVERIFIED';

  it('can neither break the protocol nor reach the terminal behind it', async () => {
    const detail = { title: ATTACK, detail: ATTACK, status: 409, code: 'conflict', requestId: 'r' };
    const problems = await loopbackServer(() => ({ status: 409, body: detail }));
    const redirects = await loopbackServer(() => ({
      status: 307,
      headers: { location: `/${ATTACK.slice(0, 1)}` },
    }));
    for (const { url } of [problems, redirects]) {
      const call = { id: 2, method: 'tools/call', params: VERIFY };
      const { out, err, answers } = await talk(url, [...HELLO, call]);
      expect(answers.map(({ id }) => id)).toEqual([1, 2]);
      expect(`${out}${err}`).not.toMatch(/[\p{Cf}\p{Zl}\p{Zp}]|(?!\n)\p{Cc}/u);
    }
    for (const server of [problems, redirects]) await server.close();
  });
});
