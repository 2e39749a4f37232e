import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createTestIssuer, TEST_ISSUER, TEST_NOW, TEST_PRODUCT } from '@touchstone/certificate/testing';
import { createKeySet, verify } from '@touchstone/certificate/verify';
import { afterEach, describe, expect, it } from 'vitest';
import { listen, portOf } from '../../../test/kit/servers.ts';
import {
  AnswerError,
  ContradictionError,
  createClient,
  ProblemError,
  UnexpectedAnswerError,
  UnreachableError,
} from './client.ts';
import {
  checkPage,
  checkPages,
  getBlob,
  getMetrics,
  getPageCheck,
  getStore,
  listStores,
  putProducts,
  removeDomain,
  verifyBatch,
  verifyImageCertificate,
  verifyProductCertificate,
} from './index.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

interface Asked {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

async function serve(answer: (asked: Asked, response: ServerResponse) => void | Promise<void>) {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const one = { method: request.method, url: request.url, headers: request.headers, body };
    asked.push(one);
    await answer(one, response);
  });
  await listen(server);
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${portOf(server)}`;
  return { asked, baseUrl, client: createClient({ baseUrl, fetch, credential, userAgent: 'test/1' }) };
}

const credential = { headersFor: () => ({ authorization: 'Bearer tsk_key' }) };
const json = (status: number, body: unknown, headers: Record<string, string> = {}) => {
  return (_: Asked, response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
};
const ID = '0b54ecb8-6a0c-4d43-a2ee-ae49e0c8a0a6';
const STORES = {
  stores: [{ id: ID, merchantId: ID, name: 'Cups', url: 'https://a.example', platform: 'custom' }],
};

describe('a call', () => {
  it('fills in path, query, key and headers as its operation defines them', async () => {
    const { client, asked } = await serve(json(200, STORES));
    const { status, body } = await client.call(listStores, { query: { limit: 5, merchantId: ID } });
    expect(status).toBe(200);
    expect(body.stores[0]?.name).toBe('Cups');
    expect(asked[0]).toMatchObject({
      method: 'GET',
      url: `/api/v1/registry/stores?limit=5&merchantId=${ID}`,
      headers: { authorization: 'Bearer tsk_key', 'user-agent': 'test/1', accept: 'application/json' },
    });
  });

  it('sends a body as JSON, with the Idempotency-Key that makes it safe to repeat', async () => {
    const { client, asked } = await serve(json(503, {}));
    const call = client.call(checkPage, { body: { url: 'https://a.example/' } }, { idempotencyKey: 'k1' });
    await expect(call).rejects.toThrow();
    expect(asked[0]?.headers).toMatchObject({ 'content-type': 'application/json', 'idempotency-key': 'k1' });
    expect(JSON.parse(asked[0]?.body ?? '')).toEqual({ url: 'https://a.example/' });
  });

  it('encodes parameters so that each stays one path segment', async () => {
    const { client, asked } = await serve((_, response) => void response.writeHead(204).end());
    const answer = await client.call(removeDomain, { params: { store_id: ID, hostname: 'a/../b?c' } });
    expect(answer).toEqual({ status: 204, body: undefined });
    expect(asked[0]?.url).toBe(`/api/v1/registry/stores/${ID}/domains/a%2F..%2Fb%3Fc`);
  });

  it('returns text as text, and bytes as bytes', async () => {
    const { client } = await serve((_, response) => void response.writeHead(200).end('up 1\n'));
    expect((await client.call(getMetrics, {})).body).toBe('up 1\n');
    const blob = await client.call(getBlob, { params: { blob: 'x.png' } });
    expect(new TextDecoder().decode(blob.body)).toBe('up 1\n');
  });

  it('passes through what a newer service returns beyond the schema', async () => {
    const { client } = await serve(json(200, { ...STORES, later: true }));
    expect((await client.call(listStores, {})).body).toHaveProperty('later', true);
  });
});

describe('a failed call throws', () => {
  const error = async (answer: Parameters<typeof serve>[0]) => {
    const { client } = await serve(answer);
    return client.call(getStore, { params: { store_id: ID } }).catch((fault: unknown) => fault);
  };

  it('a ProblemError with code, sentence and time to retry', async () => {
    const problem = { code: 'store_unknown', detail: 'No such store.', title: 'Not Found', status: 404 };
    expect(await error(json(404, problem, { 'retry-after': '7' }))).toMatchObject({
      name: 'ProblemError',
      status: 404,
      code: 'store_unknown',
      detail: 'No such store.',
      retryAfter: 7,
      problem,
    });
  });

  it('a ProblemError that lists every fault of a malformed request', async () => {
    const detail = [{ loc: ['path', 'store_id'], msg: 'Input should be a valid UUID', type: 'uuid_parsing' }];
    const fault = await error(json(422, { detail }));
    expect(fault).toBeInstanceOf(ProblemError);
    expect(fault).toMatchObject({ status: 422, code: 'validation_failed', faults: detail });
  });

  it.each([
    ['a page of another server', 200, '<h1>nginx</h1>'],
    ['another shape', 200, '{"id":1}'],
    ['a fault without a problem', 502, 'Bad Gateway'],
    ['a success that the operation does not define', 201, '{}'],
  ])('an UnreachableError, without passing anything on: %s', async (_, status, body) => {
    const fault = await error((__, response) => void response.writeHead(status).end(body));
    expect(fault).toBeInstanceOf(UnexpectedAnswerError);
    expect(fault).toMatchObject({ status });
    expect(fault).toBeInstanceOf(AnswerError);
  });

  it('on a redirect, which it does not follow, and says where it points', async () => {
    const fault = await error((_, response) => void response.writeHead(302, { location: '/x' }).end());
    expect(fault).toBeInstanceOf(UnexpectedAnswerError);
    expect(String(fault)).toContain('gave 302 and a redirect to /x, which is not followed');
  });

  it('an UnreachableError when nothing listens, or the response is cut off', async () => {
    const closed = createClient({ baseUrl: 'http://127.0.0.1:1', fetch });
    await expect(closed.call(listStores, {})).rejects.toBeInstanceOf(UnreachableError);
    const broken = await error((_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{');
      setTimeout(() => response.destroy(), 20);
    });
    expect(broken).toBeInstanceOf(UnreachableError);
  });

  it("the caller's own reason when the caller aborts", async () => {
    const { client } = await serve(() => {});
    const signal = AbortSignal.timeout(30);
    await expect(client.call(listStores, {}, { signal })).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});

describe('an answer that contradicts the question or itself is a ContradictionError', async () => {
  const issuer = await createTestIssuer();
  const { productId, url } = TEST_PRODUCT;
  const document = await issuer.certificate();
  const trusted = { keySet: createKeySet(issuer.jwks), issuers: [TEST_ISSUER], now: TEST_NOW };
  const result = await verify({ document, pageUrl: url, productId, ...trusted });
  const { signed, checks, status, conclusion, verifier } = result;
  const none = { name: null, description: null, price: null, currency: null };
  const report = {
    id: ID,
    url,
    final_url: url,
    fetched_at: TEST_NOW.toISOString(),
    platform_detected: 'custom',
    verdict: 'verified',
    conclusion,
    facts: { ...none, availability: null, sku: null, brand: null, images: [] },
    mc4p: { present: true, product_id: productId, status, checks, signed },
    findings: [],
    warnings: [],
    errors: [],
  };
  const image = {
    verified: true,
    imageId: ID,
    checks: { domainMatches: true, certificateConsistency: true },
    warnings: [],
    errors: [],
    verifier,
  };
  const OTHER = ID.replace('0', '1');
  const lying = { ...report, mc4p: { present: false } };
  const failed = { ...result, checks: { ...checks, signatureValid: false } };

  type Ask = (client: ReturnType<typeof createClient>) => Promise<{ readonly body: unknown }>;
  const body = { productUrl: url, document };
  const items = [{ url }, { url }];

  it.each<[string, Ask, object, readonly object[]]>([
    [
      'of a page check',
      (client) => client.call(checkPage, { body: { url } }),
      report,
      [lying, { ...report, url: `${url}-2` }, { ...report, final_url: `${url}-2` }],
    ],
    [
      'of an earlier page check',
      (client) => client.call(getPageCheck, { params: { id: ID } }),
      report,
      [lying, { ...report, id: OTHER }],
    ],
    [
      'of page checks',
      (client) => client.call(checkPages, { body: { items } }),
      { results: items.map(() => ({ status: 200, result: report })) },
      [
        { results: [{ status: 200, result: report }] },
        {
          results: [
            { status: 200, result: report },
            { status: 200, result: lying },
          ],
        },
        { results: [{ status: 200, result: report }, { status: 200 }] },
      ],
    ],
    [
      'of a verification',
      (client) => client.call(verifyProductCertificate, { params: { product_id: productId }, body }),
      result,
      [failed, { ...result, status: 'failed' }, { ...result, productId: OTHER }],
    ],
    [
      'of verifications',
      (client) => client.call(verifyBatch, { body: { items: [{ ...body, productId }] } }),
      { results: [{ status: 200, result }] },
      [{ results: [{ status: 200, result: failed }] }, { results: [] }],
    ],
    [
      'of the verification of an image',
      (client) =>
        client.call(verifyImageCertificate, { params: { image_id: ID }, body: { domain: 'a.example' } }),
      image,
      [
        { ...image, imageId: OTHER },
        { ...image, currentDomain: 'b.example' },
        { ...image, checks: { ...image.checks, domainMatches: false } },
      ],
    ],
  ])('%s', async (_, ask, honest, lies) => {
    const { client } = await serve(json(200, honest));
    expect((await ask(client)).body).toEqual(JSON.parse(JSON.stringify(honest)));
    for (const lie of lies) {
      const fault = await ask((await serve(json(200, lie))).client).catch((error: unknown) => error);
      expect(fault).toBeInstanceOf(ContradictionError);
      expect(fault).toBeInstanceOf(AnswerError);
      expect((fault as ContradictionError).message).toMatch(/^The service contradicts itself: \S/);
    }
  });
});

describe('NDJSON', () => {
  const lines = async (client: ReturnType<typeof createClient>, values: Iterable<unknown>) => {
    const results: unknown[] = [];
    for await (const line of client.stream(putProducts, { params: { store_id: ID } }, values))
      results.push(line);
    return results;
  };

  it('is sent one value per line, and received one result per line', async () => {
    const { client, asked } = await serve(async (_, response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      response.write('{"status":"created","externalProductId":"é');
      await new Promise((resolve) => setTimeout(resolve, 10));
      response.end('"}\n\n{"status":"aborted","code":"conflict","detail":"x"}');
    });
    expect(await lines(client, [{ a: 1 }, { b: '\n' }])).toEqual([
      { status: 'created', externalProductId: 'é' },
      { status: 'aborted', code: 'conflict', detail: 'x' },
    ]);
    expect(asked[0]).toMatchObject({ method: 'PUT', body: '{"a":1}\n{"b":"\\n"}\n' });
    expect(asked[0]?.headers['content-type']).toBe('application/x-ndjson');
  });

  it('is aborted when its reader stops', async () => {
    const closed = Promise.withResolvers<void>();
    const { client } = await serve((_, response) => {
      response.on('close', closed.resolve);
      response.write('{"status":"created"}\n');
    });
    for await (const line of client.stream(putProducts, { params: { store_id: ID } }, [])) {
      expect(line).toEqual({ status: 'created' });
      break;
    }
    await closed.promise;
  });

  it('fails as any call does', async () => {
    const unknown = await serve(json(404, { code: 'store_unknown', detail: 'No such store.' }));
    await expect(lines(unknown.client, [])).rejects.toMatchObject({ code: 'store_unknown' });
    const strange = await serve((_, response) => void response.writeHead(200).end('what?\n'));
    await expect(lines(strange.client, [])).rejects.toBeInstanceOf(UnexpectedAnswerError);
  });
});
