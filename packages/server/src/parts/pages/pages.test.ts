import * as contract from '@touchstone/contract';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { useFolder } from '../../../../../test/kit/folder.ts';
import { PARTS } from '../../parts.ts';
import { ServiceError } from '../../platform/errors.ts';
import { renderDocument } from '../../platform/http/rendered-document.ts';
import type { Route } from '../../platform/http/route.ts';
import { testServer } from '../../platform/http/testing.ts';
import { openPages } from './open-pages.ts';
import { writeTestBuild } from './testing.ts';

const ID = '01234567-89ab-4def-8123-456789abcdef';
const GONE = '11234567-89ab-4def-8123-456789abcdef';
const AWAY = '21234567-89ab-4def-8123-456789abcdef';
const BASE = 'https://certs.example';
const ISSUER = { baseUrl: BASE, formerBaseUrls: [] };
const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const HOSTILE = '</script><script>alert(1)</script><!--\u2028\u202e"';

const folder = useFolder('pages');
writeTestBuild(folder);

const document = renderDocument(
  {
    '@type': 'Product',
    'svc:issuedFor': { domain: 'shop.example' },
    proof: { jwt: `e30.${Buffer.from(JSON.stringify({ productName: HOSTILE })).toString('base64url')}.` },
    name: HOSTILE,
  },
  {
    'content-type': 'application/ld+json',
    'cache-control': 'public, max-age=86400',
    'surrogate-key': 'product-1',
  },
);

const certificate: Route = {
  ...contract.getProductCertificate,
  handle: async ({ params }) => {
    const { product_id: id } = params as { product_id: string };
    if (id === GONE) throw new ServiceError('product_unknown');
    if (id === AWAY) throw new ServiceError('signer_unavailable', { retryAfter: 7 });
    return { status: 200, headers: document.headers, body: document.body };
  },
};

const statics = PARTS.flatMap(({ pages = [] }) => pages);
const serve = (folders: readonly string[], options: Parameters<typeof testServer>[0] = {}) => {
  const pages = openPages({
    ...ISSUER,
    folders,
    without: [],
    pages: statics,
    logger: pino({ level: 'silent' }),
  });
  const pageOf = pages.pageFor?.(certificate.id);
  return testServer({
    routes: [pageOf === undefined ? certificate : { ...certificate, pageOf }, ...pages.routes],
    ...options,
  });
};
const { app, log } = serve([folder]);
const get = (path: string, headers: Record<string, string> = {}) => app.inject({ url: path, headers });
const at = (id: string, query = '') => `/api/v1/mc4p/products/${id}/certificate${query}`;

/** What the document gives its script. */
function dataOf(html: string): Record<string, unknown> {
  const text = /<script type="application\/json" id="data">([\s\S]*?)<\/script>/.exec(html)?.[1] ?? '';
  return JSON.parse(text) as Record<string, unknown>;
}

describe('one address for people and programs', () => {
  it.each([undefined, '*/*', 'application/json', 'application/ld+json'])(
    'Accept: %s gets the usual bytes',
    async (accept) => {
      const answer = await get(at(ID), accept === undefined ? {} : { accept });
      expect(answer.rawPayload.equals(document.body.bytes)).toBe(true);
      expect(answer.headers).toMatchObject({
        etag: document.etag,
        vary: 'Accept',
        'content-type': 'application/ld+json',
      });
    },
  );

  it('a person gets a page about it, which contains the response', async () => {
    const answer = await get(at(ID, '?lang=es'), HTML);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'surrogate-key': 'product-1',
      vary: 'Accept, Accept-Language',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
    });
    expect(answer.body).toContain('<html lang="es" dir="ltr">');
    expect(answer.body).toContain('src="/assets/certificate.es-1.js"');
    expect(dataOf(answer.body)).toEqual({
      baseUrl: BASE,
      address: at(ID),
      answer: JSON.parse(String(document.body)),
    });
  });

  it('whose ETag differs by language and build, and is honoured', async () => {
    const [english, spanish] = await Promise.all([get(at(ID), HTML), get(at(ID, '?lang=es'), HTML)]);
    const tags = new Set([document.etag, english.headers.etag, spanish.headers.etag]);
    expect(tags.size).toBe(3);
    const again = await get(at(ID), { ...HTML, 'if-none-match': String(english.headers.etag) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    const asJson = await get(at(ID), { ...HTML, 'if-none-match': document.etag });
    expect(asJson.statusCode).toBe(200);
  });

  it.each([
    ['es-MX,es;q=0.9,en;q=0.8', 'es'],
    ['de, fr', 'en'],
    ['en', 'en'],
  ])('a reader of %s gets %s', async (accepted, language) => {
    const answer = await get(at(ID), { ...HTML, 'accept-language': accepted });
    expect(answer.body).toContain(`<html lang="${language}"`);
  });

  it('HEAD is answered like GET, and ranges are never served', async () => {
    const whole = await get(at(ID), HTML);
    const head = await app.inject({ method: 'HEAD', url: at(ID), headers: HTML });
    expect([head.statusCode, head.body, head.headers.etag, head.headers['content-length']]).toEqual([
      200,
      '',
      whole.headers.etag,
      whole.headers['content-length'],
    ]);
    const part = await get(at(ID), { ...HTML, range: 'bytes=0-9' });
    expect([part.statusCode, part.body, part.headers['content-range']]).toEqual([200, whole.body, undefined]);
  });

  it.each([(tag: string) => `W/${tag}`, (tag: string) => `"other", ${tag}`, () => '*'])(
    'is a 304 if its ETag is sent as %s',
    async (naming) => {
      const { etag } = (await get(at(ID), HTML)).headers;
      const again = await get(at(ID), { ...HTML, 'if-none-match': naming(String(etag)) });
      expect([again.statusCode, again.body, again.headers.vary]).toEqual([
        304,
        '',
        'Accept, Accept-Language',
      ]);
    },
  );

  it('hostile text stays text', async () => {
    const { body } = await get(at(ID), HTML);
    expect(body).not.toContain('<script>alert');
    expect(body).not.toMatch(/[\u2028\u2029]/);
    expect(body).toContain('&lt;/script&gt;');
    expect(body.match(/<script/g)).toHaveLength(2);
  });
});

describe('a fault is a page too, with its status', () => {
  it.each([
    [GONE, 404, 'product_unknown'],
    [AWAY, 503, 'signer_unavailable'],
  ])('%s: %i %s', async (id, status, code) => {
    const answer = await get(at(id), HTML);
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([status, 'no-store']);
    expect(dataOf(answer.body).problem).toMatchObject({ status, code });
    if (status === 503) expect(answer.headers['retry-after']).toBe('7');
    const asJson = await get(at(id));
    expect(asJson.headers['content-type']).toBe('application/problem+json');
  });

  it.each([
    [GONE, 'en', 'unknown en'],
    [GONE, 'es', 'unknown es'],
    [AWAY, 'es', 'away es'],
    ['not-an-id', 'es', 'incomplete es'],
  ])('without scripts %s is explained in %s: %s', async (id, language, sentence) => {
    const { body } = await get(at(id, `?lang=${language}`), HTML);
    const [, read = ''] = /<noscript>([\s\S]*)<\/noscript>/.exec(body) ?? [];
    expect(read).toContain(`<p>${sentence}</p>`);
    expect(body).toContain(`<meta name="description" content="${sentence}">`);
  });

  it('a malformed request is a 422, which says what is wrong', async () => {
    const answer = await get(at('not-an-id'), HTML);
    expect(answer.statusCode).toBe(422);
    expect(dataOf(answer.body).problem).toMatchObject({
      status: 422,
      detail: [{ loc: ['path', 'product_id'] }],
    });
  });

  it('and a failure of ours is still logged', () => {
    expect(log.join()).toContain('signer_unavailable');
  });
});

describe('every page', () => {
  it.each(['/', '/check?url=https%3A%2F%2Fshop.example', '/verify', '/console', at(ID)])(
    '%s loads and runs only our own files',
    async (path) => {
      const answer = await get(path, HTML);
      const policy = String(answer.headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe-(?:inline|eval)(?!')|'unsafe-eval'|https:/);
      expect(answer.headers['referrer-policy']).toBe('no-referrer');
      expect(answer.body).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
      expect(answer.body).not.toMatch(/<style|\sstyle=|\son\w+=/);
      expect(answer.body).toContain('<noscript>');
    },
  );

  it('answers 503 with the reason if it was not built, while documents are served', async () => {
    const { app: without } = serve([]);
    for (const url of ['/', '/check', '/console', '/badge.js', '/badge.svg', '/assets/main-1.js']) {
      const answer = await without.inject({ url, headers: HTML });
      expect([url, answer.statusCode, answer.json()]).toEqual([
        url,
        503,
        expect.objectContaining({ code: 'pages_not_built' }),
      ]);
      expect(answer.headers['cache-control']).toBe('no-store');
    }
    const same = await without.inject({ url: at(ID), headers: HTML });
    expect(same.headers['content-type']).toBe('application/ld+json');
  });
});

describe('the picture of the badge', () => {
  it.each([
    ['/badge.svg', undefined, 'en'],
    ['/badge.svg', 'es-MX,en;q=0.5', 'es'],
    ['/badge.svg?lang=es', 'en', 'es'],
    ['/badge.svg?lang=en&v=2', 'es', 'en'],
    ['/badge.svg?lang=de', 'de, es', 'es'],
  ])('%s for a reader of %s is in %s', async (path, wish, language) => {
    const headers: Record<string, string> = wish === undefined ? {} : { 'accept-language': wish };
    const answer = await get(path, headers);
    expect([answer.statusCode, answer.body]).toEqual([200, `picture in ${language}`]);
    expect(answer.headers).toMatchObject({
      'content-type': 'image/svg+xml',
      vary: 'Accept-Encoding, Accept-Language',
      'cross-origin-resource-policy': 'cross-origin',
    });
    const again = await get(path, { ...headers, 'if-none-match': String(answer.headers.etag) });
    expect(again.statusCode).toBe(304);
    const other = await get(path.replace(/lang=\w+/, ''), {
      'accept-language': language === 'en' ? 'es' : 'en',
    });
    expect(other.headers.etag).not.toBe(answer.headers.etag);
  });
});

describe('the files of pages', () => {
  it('are cached permanently, and sent as they were compressed', async () => {
    const packed = await get('/assets/main-1.js', { 'accept-encoding': 'gzip, deflate, br' });
    expect(packed.headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'access-control-allow-origin': '*',
      vary: 'Accept-Encoding',
    });
    for (const accepted of ['', 'gzip;q=0', 'identity']) {
      const plain = await get('/assets/main-1.js', { 'accept-encoding': accepted });
      expect([plain.headers['content-encoding'], plain.body]).toEqual([undefined, 'main']);
    }
    expect((await get('/assets/picture-1.png')).headers['content-type']).toBe('image/png');
  });

  it.each([
    '/assets/nothing.js',
    '/assets/..%2Fpages.json',
    '/assets/%2e%2e%2fpages.json',
    '/assets/.hidden',
    '/assets/odd%20name',
  ])('%s does not exist', async (path) => {
    expect((await get(path)).statusCode).toBe(404);
  });
});
