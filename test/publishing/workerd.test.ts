import type { RequestListener } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import {
  createTestIssuer,
  TEST_ISSUER,
  TEST_PRODUCT,
  type TestIssuer,
} from '@touchstone/certificate/testing';
import { verifyFromHtml } from '@touchstone/page';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { httpServer, type TestServer } from '../kit/servers.ts';
import { MINIFLARE, openWorkerd, type Workerd } from './runtime.ts';

const ID = TEST_PRODUCT.productId;
const PAGE_URL = `https://shop.example/products/${ID}`;
const PAGE = '<!doctype html><html><head><title>Cup</title></head><body><h1>Cup – é</h1></body></html>';
const BLOCK = /<script type="application\/ld\+json" data-touchstone>(.*?)<\/script>/g;

type Answer = RequestListener;
let answers: { origin: Answer; service: Answer };
let servers: TestServer[];
let asked: (string | undefined)[];
let issuer: TestIssuer;
let certificate: Record<string, unknown>;
let workerd: Workerd;

async function listening(answer: Answer): Promise<string> {
  const server = await httpServer(answer);
  servers.push(server);
  return server.url;
}

const html =
  (body: string | Uint8Array, headers: Record<string, string> = {}): Answer =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body);
  };

const serving: Answer = (request, response) => {
  const isSame = request.headers['if-none-match'] === '"c1"';
  response
    .writeHead(isSame ? 304 : 200, { 'content-type': 'application/ld+json', etag: '"c1"' })
    .end(isSame ? undefined : JSON.stringify(certificate));
};

async function open(options: { badge?: boolean; freshFor?: number; patience?: number } = {}): Promise<void> {
  const ORIGIN = await listening((request, response) => answers.origin(request, response));
  const SERVICE = await listening((request, response) => {
    asked.push(request.headers['if-none-match']);
    answers.service(request, response);
  });
  workerd = await openWorkerd({ ORIGIN, SERVICE, OPTIONS: { patience: 5_000, ...options } });
}

describe.skipIf(MINIFLARE === null)(
  `in workerd${MINIFLARE === null ? ' (skipped: npm run tools)' : ''}`,
  () => {
    beforeAll(async () => {
      issuer = await createTestIssuer();
      const now = new Date();
      certificate = await issuer.certificate({
        issuedAt: now,
        claims: { url: PAGE_URL },
        document: { url: PAGE_URL },
      });
    });
    beforeEach(() => {
      servers = [];
      asked = [];
      answers = { origin: html(PAGE), service: serving };
    });
    afterEach(async () => {
      await workerd.close();
      await Promise.all(servers.map((server) => server.close()));
    });

    it('a page gets its certificate, which verifies, and is otherwise unchanged', async () => {
      await open();
      const text = await (await workerd.fetch(PAGE_URL)).text();
      expect(text.replace(BLOCK, '')).toBe(PAGE);
      const { verdict } = await verifyFromHtml(text, {
        pageUrl: PAGE_URL,
        trustedIssuers: [TEST_ISSUER],
        jwks: issuer.jwks,
        now: new Date(),
      });
      expect(verdict).toBe('verified');
    });

    it('with the badge it loads the script from the service, and the policy of the page is unchanged', async () => {
      const policy = "script-src 'self' https://certs.example";
      answers.origin = html(PAGE, { 'content-security-policy': policy });
      await open({ badge: true });
      const response = await workerd.fetch(PAGE_URL);
      const text = await response.text();
      const script = `<script type="module" data-touchstone src="${TEST_ISSUER}/badge.js"></script>`;
      expect(text).toContain(`</script>${script}</head>`);
      expect(text.replace(script, '').replace(BLOCK, '')).toBe(PAGE);
      expect(response.headers.get('content-security-policy')).toBe(policy);
    });

    it('the runtime’s cache stores the certificate: the service is asked once', async () => {
      await open();
      for (let visit = 0; visit < 3; visit += 1) {
        expect(await (await workerd.fetch(PAGE_URL)).text()).toMatch(BLOCK);
      }
      expect(asked).toEqual([undefined]);
    });

    it('and revalidates it by its ETag after the response', async () => {
      await open({ freshFor: 0 });
      await (await workerd.fetch(PAGE_URL)).text();
      const { promise, resolve } = Promise.withResolvers<void>();
      answers.service = (request, response) => {
        serving(request, response);
        resolve();
      };
      expect(await (await workerd.fetch(PAGE_URL)).text()).toMatch(BLOCK);
      await promise;
      expect(asked).toEqual([undefined, '"c1"']);
    });

    it('if the service is unreachable, or does not answer: the same bytes and headers', async () => {
      for (const service of [
        ((request) => void request.socket.destroy()) satisfies Answer,
        (() => {}) satisfies Answer,
        html('<h1>Sorry</h1>'),
      ]) {
        answers.service = service;
        answers.origin = html(PAGE, { etag: '"p1"' });
        await open({ patience: 20 });
        const plain = await workerd.fetch(PAGE_URL.replace('/products/', '/plain/'));
        const page = await workerd.fetch(PAGE_URL);
        expect(new Uint8Array(await page.arrayBuffer())).toEqual(new Uint8Array(await plain.arrayBuffer()));
        const told = ({ headers }: Response) =>
          ['etag', 'content-type', 'content-length'].map((name) => headers.get(name));
        expect(told(page)).toEqual(told(plain));
        await workerd.close();
      }
      await open();
    });

    it.each(['gzip', 'br'])('a page in %s is decoded, and arrives completely', async (coding) => {
      const bytes = coding === 'gzip' ? gzipSync(PAGE) : brotliCompressSync(PAGE);
      answers.origin = html(bytes, { 'content-encoding': coding });
      await open();
      const text = await (await workerd.fetch(PAGE_URL)).text();
      expect(text).toMatch(BLOCK);
      expect(text.replace(BLOCK, '')).toBe(PAGE);
    });

    it.each([
      [
        'ambiguous markup, where HTMLRewriter ends it',
        '<select><option>1<iframe src=x></iframe><p>rest</p>',
        'utf-8',
      ],
      ['an unknown charset, which HTMLRewriter refuses', '<p>rest</p>', 'klingon'],
      ['a tag of 4 MB', `<img src="${'a'.repeat(4_000_000)}"><p>rest</p>`, 'utf-8'],
    ])('a page of %s arrives completely, with its certificate', async (_, body, charset) => {
      const page = PAGE.replace('<h1>', `${body}<h1>`);
      answers.origin = html(page, { 'content-type': `text/html; charset=${charset}` });
      await open();
      const text = await (await workerd.fetch(PAGE_URL)).text();
      expect(text).toMatch(BLOCK);
      expect(text.replace(BLOCK, '') === page).toBe(true);
    });

    it('while page and certificate are unchanged, a conditional request is answered 304', async () => {
      answers.origin = (request, response) => {
        const isSame = request.headers['if-none-match'] === '"p1"';
        response
          .writeHead(isSame ? 304 : 200, { 'content-type': 'text/html', etag: '"p1"' })
          .end(isSame ? undefined : PAGE);
      };
      await open();
      const first = await workerd.fetch(PAGE_URL);
      await first.text();
      const tag = first.headers.get('etag') ?? '';
      const again = await workerd.fetch(PAGE_URL, { headers: { 'if-none-match': tag } });
      expect([again.status, again.headers.get('etag')]).toEqual([304, tag]);
    });
  },
);
