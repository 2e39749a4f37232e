import { AssetCertificateSchema, ProductCertificateSchema } from '@touchstone/certificate/schema';
import { OPERATIONS } from '@touchstone/contract';
import { codesMarkdown, codeTables } from '@touchstone/contract/codes';
import { PAGE_CODES } from '@touchstone/page';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { testServer } from '../../platform/http/testing.ts';
import { discoveryRoutes } from './discovery-routes.ts';
import { docsRoutes } from './routes.ts';

const addresses = {
  baseUrl: 'https://certificates.example',
  mcpUrl: 'https://tools.certificates.example',
  namespaceUrl: 'https://certificates.example/ns#',
};
const { app } = testServer({
  routes: [...docsRoutes('0.0.0', OPERATIONS), ...discoveryRoutes({ ...addresses, version: '0.0.0' })],
});

describe('the documentation loads nothing from other hosts', () => {
  test.each(['/docs', '/docs/codes', '/ns'])('%s allows only its own scripts', async (url) => {
    const page = await app.inject(url);
    expect(page.statusCode).toBe(200);
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(page.body).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    // the policy would stop it: no script between the tags, no handler in an attribute
    expect(page.body).not.toMatch(/<script(?![^>]*\ssrc=)|\son\w+=/);
  });

  test('everything that the page loads exists', async () => {
    const page = await app.inject('/docs');
    const sources = [...page.body.matchAll(/<script src="([^"]+)"/g)].map((match) => match[1] ?? '');
    expect(sources).toHaveLength(2);
    for (const url of sources) {
      const script = await app.inject(url);
      expect([script.statusCode, script.headers['content-type']]).toEqual([
        200,
        'text/javascript; charset=utf-8',
      ]);
    }
    const bundle = await app.inject({ url: sources[0] ?? '', headers: { 'accept-encoding': 'gzip' } });
    expect(bundle.headers['content-encoding']).toBe('gzip');
    expect(bundle.rawPayload.length).toBeLessThan(1_500_000);
  });

  test('the document is served as OpenAPI 3.1', async () => {
    const answer = await app.inject('/api/v1/openapi.json');
    expect(answer.json().openapi).toBe('3.1.1');
    expect(
      (
        await app.inject({
          url: '/api/v1/openapi.json',
          headers: { 'if-none-match': String(answer.headers.etag) },
        })
      ).statusCode,
    ).toBe(304);
  });
});

test('every name of the namespace that a document can contain is explained there', async () => {
  const schemas = {
    ...z.toJSONSchema(ProductCertificateSchema),
    ...z.toJSONSchema(AssetCertificateSchema).properties,
  };
  const names = new Set([...JSON.stringify(schemas).matchAll(/"svc:(\w+)"/g)].map((match) => match[1]));
  expect(names.size).toBeGreaterThan(5);
  const page = await app.inject('/ns');
  for (const name of names) expect(page.body).toContain(`id="${name}"`);
  const document = await app.inject({ url: '/ns', headers: { accept: 'application/ld+json' } });
  expect(document.headers['content-type']).toBe('application/ld+json');
  const terms = (document.json()['@graph'] as { '@id': string }[]).map((term) => term['@id']);
  expect(terms).toEqual(expect.arrayContaining([...names].map((name) => `svc:${name}`)));
  expect(document.json()['@context'].svc).toBe(addresses.namespaceUrl);
});

const at = (namespaceUrl: string) =>
  testServer({ routes: discoveryRoutes({ ...addresses, namespaceUrl, version: '0.0.0' }) }).app;

describe('a term of the namespace links to its meaning if the namespace is on our own host', () => {
  test.each([
    ['https://certificates.example/vocabulary#', ['/vocabulary']],
    ['https://certificates.example/terms/v1/', ['/terms/v1/', '/terms/v1/issuedFor']],
    ['https://Certificates.example:443/ns#', []],
  ])('%s', async (namespaceUrl, urls) => {
    for (const url of [...urls, '/ns']) {
      const answer = await at(namespaceUrl).inject({ url, headers: { accept: 'application/ld+json' } });
      expect([url, answer.statusCode, answer.json()['@context'].svc]).toEqual([url, 200, namespaceUrl]);
    }
  });

  test.each([
    'https://elsewhere.example/vocabulary#',
    'https://certificates.example.evil.example/vocabulary#',
  ])('%s is served by its own host', async (namespaceUrl) => {
    expect((await at(namespaceUrl).inject('/vocabulary')).statusCode).toBe(404);
    expect((await at(namespaceUrl).inject('/ns')).statusCode).toBe(200);
  });
});

describe('programs that know only the address can discover the rest', () => {
  test('the catalog links to the card, the card to the tool server', async () => {
    const catalog = await app.inject('/.well-known/ai-catalog.json');
    expect(catalog.headers).toMatchObject({
      'content-type': 'application/ai-catalog+json',
      'access-control-allow-origin': '*',
    });
    const [entry] = catalog.json().entries;
    expect(entry.type).toBe('application/mcp-server-card+json');
    expect(entry.url.startsWith(addresses.mcpUrl)).toBe(true);
    const card = await app.inject(new URL(entry.url).pathname);
    expect(card.headers['content-type']).toBe(entry.type);
    expect(card.json()).toMatchObject({
      // as required by the schema of the card
      name: expect.stringMatching(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
      description: expect.stringMatching(/^.{1,100}$/),
      remotes: [{ type: 'streamable-http', url: `${addresses.mcpUrl}/mcp` }],
    });
    expect(card.json().name).toBe('example.certificates.tools/touchstone');
  });

  test('llms.txt names the tools, the calls and the keys', async () => {
    const text = (await app.inject('/llms.txt')).body;
    for (const link of [
      '/mcp',
      '/api/v1/openapi.json',
      '/api/v1/.well-known/jwks.json',
      '/docs/codes',
      '/ns',
    ]) {
      expect(text).toContain(`.example${link})`);
    }
  });

  test('a person gets the namespace as a page, whatever else the browser accepts', async () => {
    for (const accept of ['text/html,application/xhtml+xml,*/*;q=0.8', '*/*', undefined]) {
      const answer = await app.inject({ url: '/ns', headers: accept === undefined ? {} : { accept } });
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(answer.headers.vary).toContain('Accept');
    }
  });
});

describe('every code is explained once', () => {
  test('the page has an anchor for each, to which problem documents link', async () => {
    const page = await app.inject('/docs/codes');
    for (const table of codeTables(PAGE_CODES)) {
      for (const { code } of table.rows) expect(page.body.split(`id="${code}"`)).toHaveLength(2);
    }
  });

  test('no code means two things', () => {
    // a fault if the product is requested, a finding if a page names it; both mean the same
    const shared = new Set(['product_unknown']);
    const sentences = new Map<string, string>();
    // a conclusion with the code of a reason is what follows from that reason
    const tables = codeTables(PAGE_CODES).filter(({ title }) => title !== 'Conclusions');
    for (const { code, sentence } of tables.flatMap((table) => table.rows)) {
      if (shared.has(code)) continue;
      const other = sentences.get(code) ?? sentence;
      // a failure of an image is followed by its next step
      expect(
        other.startsWith(sentence) || sentence.startsWith(other),
        `${code}: ${other} / ${sentence}`,
      ).toBe(true);
      sentences.set(code, sentence);
    }
  });

  test('the Markdown is deterministic, with a row for each', () => {
    const text = codesMarkdown(codeTables(PAGE_CODES));
    expect(text).toBe(codesMarkdown(codeTables(PAGE_CODES)));
    expect(text.match(/^\| `/gm)).toHaveLength(codeTables(PAGE_CODES).flatMap((table) => table.rows).length);
  });
});
