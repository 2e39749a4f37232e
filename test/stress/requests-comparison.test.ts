import { describe, expect, it } from 'vitest';
import { productPage } from '../kit/shop.ts';
import { session } from './support/session.ts';

/** Maximum milliseconds of the service's main thread for one request, whatever is compared in it. */
const MOST = 250;
/** The same for 4 MB of names, mostly for parsing them. */
const MOST_OF_NAMES = 450;
/** Characters of each unusual value: a body may have 1 MB, a certificate on a page 400,000. */
const IN_BODY = 973_000;
const ON_PAGE = 390_000;

const here = session('long comparisons', { settings: { TOUCHSTONE_PAGE_CACHE_SECONDS: '900' } });

type Node = Record<string, unknown> & { 'svc:issuedFor': Record<string, unknown> };

/** Changes of a genuine certificate by an anonymous caller, with one value of this number of characters. */
const LONG: Readonly<Record<string, (certificate: Node, url: string, size: number) => Node>> = {
  'parameters in url': (node, url, size) => ({ ...node, url: `${url}?${'a&'.repeat(size / 2)}` }),
  'distinct parameters in url': (node, url, size) => {
    const junk = Array.from({ length: size / 8 }, (_, index) => `&${index}`).join('');
    return { ...node, url: `${url}?${junk}` };
  },
  'percent signs in url': (node, url, size) => ({ ...node, url: `${url}/${'%2'.repeat(size / 2)}` }),
  'collections in url': (node, _, size) => ({
    ...node,
    url: `http://mine.example${'/collections'.repeat(size / 12)}`,
  }),
  'letters in the domain': (node, _, size) => inDomain(node, `${'ß'.repeat(size / 2)}.example`),
  'labels in the domain': (node, _, size) => inDomain(node, 'ä.'.repeat(size / 3)),
  'dots in the domain': (node, _, size) => inDomain(node, '.'.repeat(size)),
  'digits in productID': (node, _, size) => ({ ...node, productID: '0'.repeat(size) }),
};

function inDomain(node: Node, domain: string): Node {
  return { ...node, 'svc:issuedFor': { ...node['svc:issuedFor'], domain } };
}

/** Milliseconds of the main thread. */
async function costOf(asked: { path: string; body: string }): Promise<{ ms: number; answer: string }> {
  const before = await here.world.service.cpu();
  const answer = await here.ask({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    ...asked,
  });
  const after = await here.world.service.cpu();
  expect(answer.status).toBe(200);
  return { ms: after - before, answer: answer.body.toString() };
}

async function certificate(): Promise<{ id: string; url: string; node: Node }> {
  const { id, url } = here.world.mine.products[0] ?? { id: '', url: '' };
  const path = `/api/v1/mc4p/products/${id}/certificate`;
  const { body } = await here.ask({ method: 'GET', path, headers: {} });
  return { id, url, node: JSON.parse(body.toString()) as Node };
}

/** The same with an invalid signature. */
function forged(node: Node): Node {
  const proof = node.proof as { jwt: string };
  const last = proof.jwt.endsWith('A') ? 'Q' : 'A';
  return { ...node, proof: { ...proof, jwt: proof.jwt.slice(0, -1) + last } };
}

describe.each(Object.entries(LONG))('%s', (_, lengthen) => {
  it.each([
    ['signed', (node: Node) => node],
    ['forged', forged],
  ])('%s: one is cheap, and so are four in a batch', async (kind, sign) => {
    const { id, url, node } = await certificate();
    const document = sign(lengthen(node, url, IN_BODY));
    const one = await costOf({
      path: `/api/v1/mc4p/products/${id}/verify`,
      body: JSON.stringify({ productUrl: url, document }),
    });
    const items = Array.from({ length: 4 }, () => ({ productId: id, productUrl: url, document }));
    const four = await costOf({
      path: '/api/v1/mc4p/verify-batch',
      body: JSON.stringify({ items }),
    });
    console.info(`${kind}: one ${Math.round(one.ms)} ms, four ${Math.round(four.ms)} ms`);
    expect(one.ms).toBeLessThan(MOST);
    expect(four.ms).toBeLessThan(MOST);
  });

  it('on a page: a batch of checks of it is cheap', async () => {
    const { url, node } = await certificate();
    const page = `${url}-long`;
    const odd = lengthen(node, url, ON_PAGE);
    here.world.shop.put(page, productPage([odd, odd, odd]));
    const items = Array.from({ length: 3 }, () => ({ url: page }));
    await costOf({
      path: '/api/v1/mc4p/page-checks',
      body: JSON.stringify({ url: page, freshness: 'fresh' }),
    });
    const { ms, answer } = await costOf({
      path: '/api/v1/mc4p/page-checks/batch',
      body: JSON.stringify({ items }),
    });
    console.info(`page checks: ${Math.round(ms)} ms`);
    expect(answer).toContain('"checks_failed"');
    expect(ms).toBeLessThan(MOST);
  });
});

it('the longest accepted productUrl is cheap', async () => {
  const { id, url, node } = await certificate();
  const productUrl = `${url}?${'a&'.repeat(IN_BODY / 2)}`;
  const body = JSON.stringify({ productUrl, document: node });
  const { ms, answer } = await costOf({ path: `/api/v1/mc4p/products/${id}/verify`, body });
  expect(JSON.parse(answer).checkDetails.boundToUrl).toMatchObject({ result: false, reason: 'url_too_long' });
  expect(ms).toBeLessThan(MOST);
});

it('documents with very many names: others are answered between two of a batch', async () => {
  const { id, url, node } = await certificate();
  const items = ['a', 'b', 'c', 'd'].map((letter) => {
    const names = Array.from({ length: 30_000 }, (_, index) => [`${letter}${index.toString(36)}`, 1]);
    return { productId: id, productUrl: url, document: { ...node, ...Object.fromEntries(names) } };
  });
  let isOver = false;
  const whole = costOf({ path: '/api/v1/mc4p/verify-batch', body: JSON.stringify({ items }) }).finally(() => {
    isOver = true;
  });
  let longest = 0;
  let before = await here.world.service.cpu();
  while (!isOver) {
    await here.ask({ method: 'GET', path: '/healthz', headers: {} });
    const now = await here.world.service.cpu();
    longest = Math.max(longest, now - before);
    before = now;
  }
  const { ms, answer } = await whole;
  console.info(`names: ${Math.round(ms)} ms, ${Math.round(longest)} ms between two others`);
  expect(answer.match(/"status":"verified"/g)).toHaveLength(4);
  expect(longest).toBeLessThan(MOST_OF_NAMES);
  expect(ms).toBeLessThan(2 * MOST_OF_NAMES);
});
