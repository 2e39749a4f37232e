import { beforeEach, describe, expect, it } from 'vitest';
import {
  type Background,
  background,
  certificateAnswer,
  HOUR,
  NOW,
  PAGE,
  PAGE_URL,
  PRODUCT_ID,
  problem,
  type TestEdge,
  testEdge,
} from './testing.ts';
import { type EdgeOptions, withCertificate } from './with-certificate.ts';

let edge: TestEdge;
let behind: Background;
beforeEach(async () => {
  edge = await testEdge();
  behind = background();
});

const HTML = { 'content-type': 'text/html; charset=utf-8' };
type Origin = NonNullable<EdgeOptions['origin']>;
const page =
  (body: BodyInit = PAGE, headers: Record<string, string> = {}, status = 200): Origin =>
  () =>
    new Response(body, { status, headers: { ...HTML, ...headers } });

function handlerOf(origin: Origin, options: Partial<EdgeOptions> = {}) {
  const handler = withCertificate({ ...edge.options, origin, ...options });
  return (init?: RequestInit, url = PAGE_URL) => handler(new Request(url, init), undefined, behind);
}

const BLOCK = /<script type="application\/ld\+json" data-touchstone>(.*?)<\/script>/g;
const blocksOf = (html: string) => [...html.matchAll(BLOCK)].map(([, json = '']) => JSON.parse(json));

describe('a product page', () => {
  it('contains its certificate, and is otherwise unchanged', async () => {
    const html = await (await handlerOf(page())()).text();
    expect(blocksOf(html)).toEqual([
      await edge.issuer.certificate({ issuedAt: new Date(edge.options.now?.() ?? 0) }),
    ]);
    expect(html.replace(BLOCK, '')).toBe(PAGE);
  });

  it('contains it once, under the @id of the shop’s own node', async () => {
    const old = '<script data-touchstone type="application/ld+json">{}</script>';
    const handler = handlerOf(page(PAGE.replace('<body>', `<body>${old}`)), {
      nodeId: ({ href }) => `${href}#product`,
    });
    const html = await (await handler()).text();
    expect(blocksOf(html)).toMatchObject([{ '@id': `${PAGE_URL}#product` }]);
    expect(html).not.toContain(old);
  });

  it('is streamed, however its bytes are split', async () => {
    const pieces = [...PAGE].map((letter) => new TextEncoder().encode(letter));
    const stream = new ReadableStream<Uint8Array>({
      pull: (to) => {
        const piece = pieces.shift();
        if (piece === undefined) to.close();
        else to.enqueue(piece);
      },
    });
    const html = await (await handlerOf(page(stream))()).text();
    expect(blocksOf(html)).toHaveLength(1);
    expect(html.replace(BLOCK, '')).toBe(PAGE);
  });

  it('that is a stream of bytes is cancelled with the visitor’s request too', async () => {
    let ended: unknown;
    const endless = new ReadableStream<Uint8Array>({
      type: 'bytes',
      pull: (to) => to.enqueue(new TextEncoder().encode('<html><head></head>')),
      cancel: (reason) => {
        ended = reason;
      },
    });
    const reader = (await handlerOf(page(endless))()).body?.getReader();
    await reader?.read();
    await reader?.cancel('gone');
    expect(ended).toBe('gone');
  });

  it('has no header about its original bytes, and is cached no longer than its certificate is used unasked', async () => {
    const told = {
      'content-length': String(PAGE.length),
      'last-modified': 'Sun, 01 Mar 2026 11:00:00 GMT',
      'cache-control': 'public, max-age=31536000, s-maxage=60',
      'x-shop': 'kept',
    };
    const { headers } = await handlerOf(page(PAGE, told))();
    expect([headers.get('content-length'), headers.get('last-modified'), headers.get('etag')]).toEqual([
      null,
      null,
      null,
    ]);
    expect(headers.get('cache-control')).toBe('public, max-age=300, s-maxage=60');
    expect(headers.get('x-shop')).toBe('kept');
  });

  it('breaks off where the origin does', async () => {
    const broken = new ReadableStream<Uint8Array>({
      start: (to) => to.enqueue(new TextEncoder().encode('<html>')),
      pull: (to) => to.error(new Error('gone')),
    });
    await expect((await handlerOf(page(broken))()).text()).rejects.toThrow();
  });

  it('is no longer read when nobody reads it', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const endless = new ReadableStream<Uint8Array>({
      pull: (to) => to.enqueue(new TextEncoder().encode('<p>')),
      cancel: resolve,
    });
    const response = await handlerOf(page(endless))();
    await response.body?.cancel('left');
    expect(await promise).toBe('left');
  });
});

/** Responses that are passed on as the same object, without a request to the service. */
const UNTOUCHED: Readonly<Record<string, () => Response>> = {
  'an image': () => new Response('<html></head>', { headers: { 'content-type': 'image/svg+xml' } }),
  'XHTML, which is stricter': () =>
    new Response(PAGE, { headers: { 'content-type': 'application/xhtml+xml' } }),
  'an answer without a type': () => new Response(new TextEncoder().encode(PAGE)),
  'an error page': () => new Response(PAGE, { status: 404, headers: HTML }),
  'a redirect': () => new Response(PAGE, { status: 302, headers: { ...HTML, location: '/' } }),
  'a part of a page': () => new Response(PAGE, { status: 206, headers: HTML }),
  'a page in UTF-16': () =>
    new Response(PAGE, { headers: { 'content-type': 'text/html; charset="utf-16le"' } }),
  'a page that must not be transformed': () =>
    new Response(PAGE, { headers: { ...HTML, 'cache-control': 'max-age=1, no-transform' } }),
};

describe('passes through unchanged', () => {
  it.each(Object.entries(UNTOUCHED))('%s', async (_, make) => {
    const made = make();
    expect(await handlerOf(() => made)()).toBe(made);
    expect(edge.asked).toHaveLength(0);
  });

  it.each(['HEAD', 'POST'])('a %s', async (method) => {
    const made = new Response(method === 'HEAD' ? null : PAGE, { headers: HTML });
    expect(await handlerOf(() => made)({ method })).toBe(made);
    expect(edge.asked).toHaveLength(0);
  });

  it('pages of no product', async () => {
    const made = new Response(PAGE, { headers: HTML });
    for (const options of [
      { match: /^\/other\// },
      { match: () => false },
      { productId: () => null },
      { productId: async () => undefined },
    ]) {
      expect(await handlerOf(() => made, options)()).toBe(made);
    }
    expect(edge.asked).toHaveLength(0);
  });

  it('compressed bytes, and their headers', async () => {
    const gzip = new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 60, 47, 104, 101, 97, 100, 62]);
    const coded = { 'content-encoding': 'gzip', etag: '"a"', 'content-length': '17' };
    const response = await handlerOf(page(gzip, coded))();
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(gzip);
    expect(response.headers.get('etag')).toBe('"a"');
  });

  it('a page of a shop whose service is unavailable: the same bytes and headers', async () => {
    for (const answer of [
      () => Promise.reject(new Error('away')),
      () => new Response('no', { status: 503 }),
      () => problem(404, 'product_unknown'),
    ]) {
      edge = await testEdge();
      edge.answer(answer);
      const response = await handlerOf(page(PAGE, { etag: '"a"', 'content-length': '89' }))();
      expect(await response.text()).toBe(PAGE);
      expect(Object.fromEntries(response.headers)).toEqual({ ...HTML, etag: '"a"', 'content-length': '89' });
    }
  });

  it('a page on which an option throws', async () => {
    const made = new Response(PAGE, { headers: HTML });
    const productId = () => {
      throw new Error('a fault of the shop');
    };
    expect(await handlerOf(() => made, { productId })()).toBe(made);
  });

  it('a failure of the origin', async () => {
    const origin = () => Promise.reject(new Error('the shop is away'));
    await expect(handlerOf(origin)()).rejects.toThrow('the shop is away');
  });
});

it('a page that the runtime has decoded gets its certificate, whatever its header says', async () => {
  const html = await (await handlerOf(page(PAGE, { 'content-encoding': 'br' }))()).text();
  expect(blocksOf(html)).toHaveLength(1);
});

describe('a conditional request', () => {
  const asked: (string | null)[] = [];
  /** An origin whose page has this entity tag. */
  const tagged =
    (tag: string): Origin =>
    (request) => {
      const condition = request.headers.get('if-none-match');
      asked.push(condition);
      const isSame = condition?.split(', ').includes(tag) === true;
      return new Response(isSame ? null : PAGE, {
        status: isSame ? 304 : 200,
        headers: { ...HTML, etag: tag },
      });
    };
  beforeEach(() => {
    asked.length = 0;
  });

  it.each(['"v1"', 'W/"v1"'])(
    'by %s, with our tag in it, is answered 304 while both are unchanged',
    async (tag) => {
      const handler = handlerOf(tagged(tag));
      const ours = (await handler()).headers.get('etag') ?? '';
      expect(ours).toMatch(/^W\/"v1\.ts[01]-[\w-]{22}"$/);
      const again = await handler({ headers: { 'if-none-match': ours } });
      expect([again.status, again.headers.get('etag')]).toEqual([304, ours]);
      expect(asked).toEqual([null, tag]);
    },
  );

  it('gets the page again once its certificate has changed', async () => {
    const handler = handlerOf(tagged('"v1"'));
    const ours = (await handler()).headers.get('etag') ?? '';
    edge.travel(2 * HOUR);
    await edge.issue();
    await handler();
    await behind.done();
    const again = await handler({ headers: { 'if-none-match': ours } });
    expect(again.status).toBe(200);
    expect(blocksOf(await again.text())).toHaveLength(1);
    expect(again.headers.get('etag')).not.toBe(ours);
  });

  it.each<[string, Partial<EdgeOptions>]>([
    ['the badge is switched on', { badge: true }],
    ['the shop’s own node is named', { nodeId: ({ href }) => `${href}#product` }],
  ])('gets the page anew once %s, with the same certificate', async (_, options) => {
    const ours = (await handlerOf(tagged('"v1"'))()).headers.get('etag') ?? '';
    const handler = handlerOf(tagged('"v1"'), options);
    const again = await handler({ headers: { 'if-none-match': ours } });
    expect(again.status).toBe(200);
    expect(blocksOf(await again.text())).toHaveLength(1);
    const tag = again.headers.get('etag') ?? '';
    expect((await handler({ headers: { 'if-none-match': tag } })).status).toBe(304);
    // without that option, the page changes again
    expect((await handlerOf(tagged('"v1"'))({ headers: { 'if-none-match': tag } })).status).toBe(200);
  });

  it('gets the page again once the service adds to the same certificate', async () => {
    const handler = handlerOf(tagged('"v1"'));
    const ours = (await handler()).headers.get('etag') ?? '';
    edge.travel(2 * HOUR);
    const certificate = await edge.issuer.certificate({ issuedAt: new Date(NOW) });
    edge.answer(() => certificateAnswer({ ...certificate, description: 'A cup' }, '"more"'));
    await handler();
    await behind.done();
    expect((await handler({ headers: { 'if-none-match': ours } })).status).toBe(200);
  });

  it('gets the page again once it has a certificate for the first time', async () => {
    edge.answer(() => problem(404, 'product_unknown'));
    const handler = handlerOf(tagged('"v1"'));
    expect((await handler()).headers.get('etag')).toBe('"v1"');
    expect((await handler({ headers: { 'if-none-match': '"v1"' } })).status).toBe(304);
    edge.travel(HOUR);
    await edge.issue();
    await handler();
    const again = await handler({ headers: { 'if-none-match': '"v1"' } });
    expect(again.status).toBe(200);
    expect(blocksOf(await again.text())).toHaveLength(1);
  });

  it('gets the page without its certificate a quarter of an hour after that was withdrawn', async () => {
    const handler = handlerOf(tagged('"v1"'));
    const ours = (await handler()).headers.get('etag') ?? '';
    edge.answer(() => problem(404, 'product_unknown'));
    edge.travel(HOUR / 4);
    const again = await handler({ headers: { 'if-none-match': ours } });
    expect([again.status, blocksOf(await again.text())]).toEqual([200, []]);
  });

  it('revalidates the certificate after its response, too', async () => {
    const handler = handlerOf(tagged('"v1"'));
    const ours = (await handler()).headers.get('etag') ?? '';
    edge.travel(HOUR / 10);
    expect((await handler({ headers: { 'if-none-match': ours } })).status).toBe(304);
    await behind.done();
    expect(edge.asked).toHaveLength(2);
  });
});

it('asks by the product that the page’s URL names, with the URL that visitors see', async () => {
  const productId = ({ pathname }: URL) => (pathname === '/p/7' ? PRODUCT_ID : null);
  const handler = handlerOf(page(), { productId, pageUrl: () => PAGE_URL });
  const html = await (await handler({}, 'http://inside.example/p/7')).text();
  expect(blocksOf(html)).toHaveLength(1);
});
