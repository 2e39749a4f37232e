import { createTestIssuer, TEST_ISSUER, testStatusList } from '@touchstone/certificate/testing';
import { createStatusLists, statusListUri } from '@touchstone/certificate/withdrawal';
import { beforeEach, describe, expect, it } from 'vitest';
import { createCertificates } from './certificates.ts';
import {
  type Background,
  background,
  certificateAnswer,
  HOUR,
  NOW,
  PAGE_URL,
  PRODUCT_ID,
  problem,
  type TestEdge,
  testEdge,
} from './testing.ts';

let edge: TestEdge;
let behind: Background;
beforeEach(async () => {
  edge = await testEdge();
  behind = background();
});

const MINUTE = 60_000;
const DAY = 24 * HOUR;
const query = () => ({ pageUrl: PAGE_URL, productId: PRODUCT_ID, waitUntil: behind.waitUntil });
const found = async (options = {}, more = {}) => {
  const certificates = createCertificates({ ...edge.options, ...options });
  return () => certificates.find({ ...query(), ...more });
};

describe('a certificate', () => {
  it('is fetched once, then used for five minutes, then revalidated by its ETag while it is used', async () => {
    const find = await found();
    expect((await find())?.['svc:issuedFor']).toMatchObject({ productID: PRODUCT_ID });
    edge.travel(5 * MINUTE - 1);
    await find();
    expect(edge.asked).toHaveLength(1);
    edge.travel(2);
    expect(await find()).not.toBeNull();
    await behind.done();
    expect(edge.asked.map(({ etag }) => etag)).toEqual([null, `"${NOW}"`]);
    await find();
    expect(edge.asked).toHaveLength(2);
  });

  it('is replaced by its successor one visit later', async () => {
    const find = await found();
    const first = await find();
    edge.travel(6 * MINUTE);
    await edge.issue();
    expect(await find()).toEqual(first);
    await behind.done();
    expect(await find()).not.toEqual(first);
  });

  it('older than a quarter of an hour is revalidated first, and used if the service is unavailable', async () => {
    const find = await found();
    await find();
    edge.travel(3 * DAY);
    edge.answer(() => Promise.reject(new Error('away')));
    expect(await find()).not.toBeNull();
    edge.travel(HOUR);
    await edge.issue();
    const next = await find();
    expect(next?.['svc:record']).toMatchObject({ issuedAt: new Date(NOW + 3 * DAY + HOUR).toISOString() });
  });

  it('is never used after its proof has expired', async () => {
    const find = await found();
    await find();
    edge.answer(() => Promise.reject(new Error('away')));
    edge.travel(7 * DAY - HOUR);
    expect(await find()).not.toBeNull();
    edge.travel(HOUR - 1_000);
    expect(await find()).toBeNull();
  });

  it('is not put on any page but its own', async () => {
    expect(await (await found({}, { pageUrl: `${PAGE_URL}?utm_source=x` }))()).not.toBeNull();
    expect(await (await found({}, { pageUrl: `${PAGE_URL}?id=2` }))()).toBeNull();
    expect(await (await found({}, { pageUrl: 'https://preview.example/products/cup' }))()).toBeNull();
  });

  it('is found by the URL of the page if nobody names the product', async () => {
    const find = await found({}, { productId: undefined });
    expect(await find()).not.toBeNull();
    expect(edge.asked[0]?.url).toBe(
      `https://certificates.example/api/v1/mc4p/certificates?url=${encodeURIComponent(PAGE_URL)}`,
    );
  });
});

describe('a certificate about which there are status lists', () => {
  it.each([
    ['invalid', false],
    ['suspended', false],
    ['valid', true],
    [null, true],
  ] as const)('%s: in the page: %s, even if the service is unavailable', async (status, isInPage) => {
    const asked: unknown[][] = [];
    const statusLists = {
      lookUp: async (...about: unknown[]) => {
        asked.push(about);
        return { status, reason: 'not_looked_at' } as const;
      },
    };
    await (await found())();
    edge.answer(() => Promise.reject(new Error('away')));
    edge.travel(DAY);
    const certificate = await (await found())();
    expect((await (await found({ statusLists }))()) !== null).toBe(isInPage);
    expect(asked).toEqual([[certificate?.proof.jwt, TEST_ISSUER, new Date(NOW + DAY)]]);
  });

  it('is in no page once a list of the service says that it was withdrawn', async () => {
    const uri = statusListUri(TEST_ISSUER, 7);
    const signer = await createTestIssuer('lists');
    const listOf = (value: number) =>
      testStatusList(signer, uri, { issuedAt: new Date(edge.options.now?.() ?? 0), values: { 5: value } });
    let list = await listOf(0);
    const fetch = async (url: unknown) =>
      url === uri ? new Response(list) : Response.json({ ...signer.jwks, claim_required_from: 0 });
    const statusLists = createStatusLists({ trustedIssuers: [TEST_ISSUER], fetch });
    const status = { status_list: { idx: 5, uri } };
    const certificate = await edge.issuer.certificate({ issuedAt: new Date(NOW), claims: { status } });
    edge.answer(() => certificateAnswer(certificate, '"listed"'));
    const find = await found({ statusLists, service: `${TEST_ISSUER}/`, freshFor: 86_400 });
    expect(await find()).not.toBeNull();
    edge.travel(15 * MINUTE);
    list = await listOf(1);
    expect(await find()).toBeNull();
    expect(edge.asked).toHaveLength(1);
  });

  it.each([
    ['fail', () => Promise.reject(new Error('bug'))],
    [
      'throw',
      () => {
        throw new Error('bug');
      },
    ],
    ['never answer', () => new Promise<never>(() => {})],
  ])('is in the page if they %s', async (_, lookUp) => {
    expect(await (await found({ statusLists: { lookUp }, patience: 20 }))()).not.toBeNull();
  });
});

describe('a missing certificate', () => {
  it('is remembered for a minute', async () => {
    const find = await found();
    edge.answer(() => problem(404, 'product_unknown'));
    expect(await find()).toBeNull();
    expect(await find()).toBeNull();
    expect(edge.asked).toHaveLength(1);
    edge.travel(61_000);
    await edge.issue();
    expect(await find()).not.toBeNull();
  });

  it('of an inactive product leaves the page unchanged', async () => {
    const find = await found();
    const { proof: _, ...identityOnly } = await edge.issuer.certificate();
    edge.answer(() => certificateAnswer(identityOnly, '"a"'));
    expect(await find()).toBeNull();
    expect(await find()).toBeNull();
    expect(edge.asked).toHaveLength(1);
  });

  it('removes the cached one within a quarter of an hour, however many visitors there are', async () => {
    const visits = [[15], [14, 1], [5, 5, 5], Array.from({ length: 15 }, () => 1)];
    for (const minutes of visits) {
      edge = await testEdge();
      const find = await found();
      await find();
      edge.answer(() => problem(404, 'product_unknown'));
      let last: unknown;
      for (const minute of minutes) {
        edge.travel(minute * MINUTE);
        last = await find();
        await behind.done();
      }
      expect([minutes, last]).toEqual([minutes, null]);
    }
  });

  it('is asked for past shared caches, which may keep certificates for a day', async () => {
    const sent: (string | null)[] = [];
    const fetch = async (_: string, { headers }: RequestInit) => {
      sent.push(new Headers(headers).get('cache-control'));
      return problem(404, 'product_unknown');
    };
    await (await found({ fetch }))();
    expect(sent).toEqual(['no-cache']);
  });

  it('is not requested for an invalid id', async () => {
    expect(await (await found({}, { productId: '../../x' }))()).toBeNull();
    expect(edge.asked).toHaveLength(0);
  });
});

const endless = () =>
  new ReadableStream<Uint8Array>({
    pull: (to) => to.enqueue(new TextEncoder().encode('[1,'.repeat(20_000))),
  });
const ld = { headers: { 'content-type': 'application/ld+json' } };

const BAD: Readonly<Record<string, () => Response | Promise<Response>>> = {
  'a page with status 200': () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
  'a 404 of something else': () => new Response('<html>', { status: 404 }),
  'half of a document': () => new Response('{"@type":"Product"', ld),
  'another document': () => new Response('{"@type":"Organization"}', ld),
  null: () => new Response('null', ld),
  'a body without end': () => new Response(endless(), ld),
  'a redirect': () => new Response(null, { status: 302, headers: { location: 'https://other.example/' } }),
  '304 to a question without a tag': () => new Response(null, { status: 304 }),
  'the certificate of another product': async () =>
    certificateAnswer(
      await edge.issuer.certificate({
        document: { 'svc:issuedFor': { domain: 'shop.example', productID: crypto.randomUUID() } },
      }),
      '"x"',
    ),
  'a proof without an end': async () =>
    certificateAnswer(await edge.issuer.certificate({ document: { proof: { jwt: 'e30.e30.e30' } } }), '"x"'),
  'a proof that has ended': async () =>
    certificateAnswer(await edge.issuer.certificate({ issuedAt: new Date(NOW - 8 * DAY) }), '"x"'),
};

describe('a service that answers', () => {
  it.each(Object.entries(BAD))(
    '%s leaves the page without a certificate, and is not asked on every visit',
    async (_, answer) => {
      const find = await found();
      edge.answer(answer);
      expect(await find()).toBeNull();
      expect(await find()).toBeNull();
      expect(edge.asked.length).toBeLessThanOrEqual(2);
    },
  );

  it('with an error leaves the cached certificate in use', async () => {
    const find = await found();
    await find();
    edge.travel(2 * HOUR);
    edge.answer(() => new Response('oops', { status: 500 }));
    expect(await find()).not.toBeNull();
    await behind.done();
    expect(await find()).not.toBeNull();
    expect(edge.asked).toHaveLength(2);
  });

  it('too late is not waited for, nor by the next page; its certificate is used afterwards', async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    const find = await found({ patience: 1 });
    edge.answer(() => promise);
    expect(await find()).toBeNull();
    expect(await find()).toBeNull();
    resolve(certificateAnswer(await edge.issuer.certificate(), '"late"'));
    await behind.done();
    expect(await find()).not.toBeNull();
  });

  it('not at all is abandoned', async () => {
    const find = await found({ timeout: 1 });
    edge.answer(
      (_, signal) =>
        new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    );
    expect(await find()).toBeNull();
    expect(await find()).toBeNull();
    expect(edge.asked).toHaveLength(1);
  });
});

it('a cache that fails, or contains something else, only costs a request', async () => {
  const failing = {
    match: () => Promise.reject(new Error('no')),
    put: () => Promise.reject(new Error('no')),
  };
  expect(await (await found({ cache: failing }))()).not.toBeNull();
  const other = { match: async () => new Response('<html>'), put: async () => {} };
  expect(await (await found({ cache: other }))()).not.toBeNull();
});
