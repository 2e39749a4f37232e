import { PageCheckReportSchema } from '@touchstone/certificate/schema';
import { describe, expect } from 'vitest';
import { covers, scenario } from '../kit/scenario.ts';
import { BASE_URL, codes, type Json, useScene } from '../kit/service.ts';
import { productPage } from '../kit/shop.ts';

const DAY = 86_400;

const scene = await useScene();
const store = await scene.store('shop.example');
const kettle = await store.product('kettle');
const certificate = await scene.certificate(kettle.id);

/** Serves the product's page with these nodes and checks it. */
async function checked(...nodes: readonly unknown[]): Promise<Json> {
  scene.shop.put(kettle.url, productPage(...nodes));
  return scene.checkPage(kettle.url);
}

const pointingTo = (source: Json) => ({ ...certificate, 'svc:status': { canonicalSource: source } });

describe('each of the ten page verdicts', () => {
  scenario(
    'verified: a signed certificate, every check passed',
    covers('PV-VERIFIED', 'CAP-PAGE', 'EP4-POST', 'PAGE-MC4P', 'AUTH-2'),
    async () => {
      const report = await checked(certificate);
      expect(report).toMatchObject({ verdict: 'verified', errors: [], warnings: [] });
      expect(report.mc4p).toEqual({
        present: true,
        product_id: kettle.id,
        issued_to: 'shop.example',
        status: 'verified',
        signed: expect.objectContaining({ kind: 'product', url: kettle.url }),
        checks: expect.objectContaining({ boundToUrl: true, domainVerified: true }),
        withdrawal: { status: 'valid', reason: 'not_withdrawn' },
      });
    },
  );

  scenario(
    'unverified: names a product, but nothing is signed',
    covers('PV-UNVERIFIED', 'PV-NOT-FAILURES'),
    async () => {
      const { proof: _proof, ...identity } = certificate;
      const report = await checked(identity);
      expect(report).toMatchObject({ verdict: 'unverified', mc4p: { status: 'unverified' }, errors: [] });
      expect(codes(report.warnings)).toEqual(['proof_absent']);
    },
  );

  scenario(
    'certificate_expired: authentic but older than 7 days',
    covers('PV-EXPIRED', 'PV-NOT-FAILURES'),
    async () => {
      scene.travel(8 * DAY);
      const report = await checked(certificate);
      scene.travel(-8 * DAY);
      expect(report).toMatchObject({ verdict: 'certificate_expired', errors: [] });
      expect(codes(report.warnings)[0]).toBe('certificate_past_lifetime');
    },
  );

  scenario('checks_failed: a check did not pass', covers('PV-CHECKS-FAILED'), async () => {
    const report = await checked({ ...certificate, url: 'http://shop.example/products/teapot' });
    expect(report).toMatchObject({ verdict: 'checks_failed', mc4p: { status: 'failed' } });
    expect(codes(report.errors)).toEqual(['document_differs']);
  });

  scenario(
    'no_certificate: no svc:issuedFor node on the page',
    covers('PV-NO-CERTIFICATE', 'PAGE-MC4P-NONE'),
    async () => {
      const report = await checked({ '@context': 'https://schema.org', '@type': 'Product', name: 'Kettle' });
      expect(report).toMatchObject({ verdict: 'no_certificate', errors: [] });
      expect(report.mc4p).toEqual({ present: false });
    },
  );

  scenario(
    'invalid_certificate: a node with an unusable canonicalSource',
    covers('PV-INVALID', 'PV-CANDIDATES'),
    async () => {
      const url = `${BASE_URL}/api/v1/mc4p/products/kettle/certificate`;
      const report = await checked(pointingTo({ '@type': 'EntryPoint', url }));
      expect([report.verdict, codes(report.errors)]).toEqual([
        'invalid_certificate',
        ['canonical_source_path'],
      ]);
    },
  );

  scenario(
    'canonical_mismatch: canonicalSource on a host that is not allowed',
    covers('PV-MISMATCH', 'AUTH-NO-FOLLOW'),
    async () => {
      const asked = scene.shop.asked.length;
      const report = await checked(
        pointingTo({ url: `https://other.example/api/v1/mc4p/products/${kettle.id}/certificate` }),
      );
      expect([report.verdict, codes(report.errors)]).toEqual([
        'canonical_mismatch',
        ['canonical_host_foreign'],
      ]);
      expect(scene.shop.asked.slice(asked)).toEqual(['shop.example/products/kettle']);
    },
  );

  scenario('product_deleted: the named product is not in the registry', covers('PV-DELETED'), async () => {
    const gone = await store.product('gone');
    scene.shop.put(gone.url, productPage(await scene.certificate(gone.id)));
    expect((await scene.checkPage(gone.url)).verdict).toBe('verified');
    await scene.operate('DELETE', `/products/${gone.id}`);
    const report = await scene.checkPage(gone.url);
    expect([report.verdict, codes(report.errors)]).toEqual(['product_deleted', ['product_unknown']]);
  });

  scenario(
    'password_protected: the fetch ended on a storefront password page',
    covers('PV-PASSWORD', 'PAGE-FINAL-URL'),
    async () => {
      scene.shop.put('http://shop.example/products/secret', (_, response) => {
        response.writeHead(302, { location: '/password' }).end();
      });
      scene.shop.put(
        'http://shop.example/password',
        '<!doctype html><html><head><title>The shop</title><script src="https://cdn.shopify.com/s/theme.js"></script></head><body><form action="/password" method="post"><input type="password" name="password"></form></body></html>',
      );
      const report = await scene.checkPage('http://shop.example/products/secret');
      expect(report).toMatchObject({
        verdict: 'password_protected',
        url: 'http://shop.example/products/secret',
        final_url: 'http://shop.example/password',
        mc4p: { present: false },
      });
    },
  );

  scenario(
    'page_fetch_failed: blocked, too large, not a page or not 2xx, with a code for each',
    covers('PV-FETCH-FAILED', 'ERR-PAGE', 'ERR-NOT-FETCH', 'LIMIT-PAGE'),
    async () => {
      const at = (name: string) => `http://shop.example/products/${name}`;
      scene.shop.put(at('large'), (_, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end('x'.repeat(6_000_000));
      });
      scene.shop.put(at('picture'), (_, response) => {
        response.writeHead(200, { 'content-type': 'image/png' }).end('x');
      });
      scene.shop.put(at('loop'), (_, response) => {
        response.writeHead(302, { location: at('loop') }).end();
      });
      scene.shop.put(at('inward'), (_, response) => {
        response.writeHead(302, { location: 'http://127.0.0.1/' }).end();
      });
      const told: Record<string, string> = {};
      for (const name of ['missing', 'large', 'picture', 'loop', 'inward']) {
        const report = await scene.checkPage(at(name));
        told[name] = [report.verdict, ...codes(report.errors)].join(' ');
      }
      const direct = await scene.checkPage('http://169.254.169.254/latest/meta-data/');
      told.direct = [direct.verdict, ...codes(direct.errors)].join(' ');
      expect(told).toEqual({
        missing: 'page_fetch_failed http_status',
        large: 'page_fetch_failed too_large',
        picture: 'page_fetch_failed not_html',
        loop: 'page_fetch_failed redirect_loop',
        inward: 'page_fetch_failed address_blocked',
        direct: 'page_fetch_failed address_blocked',
      });
    },
  );
});

describe('a URL with a user name and password', () => {
  scenario('is judged, and neither of them is stored or repeated', covers('PAGE-URL'), async () => {
    scene.shop.put(kettle.url, productPage(certificate));
    const report = await scene.checkPage(kettle.url.replace('//', '//me:s3cret@'));
    expect(report).toMatchObject({ verdict: 'verified', url: kettle.url, final_url: kettle.url });
    const kept = await scene.call('GET', `/api/v1/mc4p/page-checks/${report.id}`);
    expect(kept.json).toEqual(report);
    expect(JSON.stringify(report)).not.toContain('s3cret');
  });
});

describe('a URL that redirects', () => {
  const redirect = (from: string, to: string) =>
    scene.shop.put(from, (_, response) => void response.writeHead(302, { location: to }).end());

  scenario(
    'to another host is reported first, with the final URL, whatever the verdict; the verdict is about that page',
    covers('PV-LANDING', 'PAGE-FINAL-URL'),
    async () => {
      scene.shop.put(kettle.url, productPage(certificate));
      const asked = 'http://copy.example/products/kettle';
      redirect(asked, kettle.url);
      const report = await scene.checkPage(asked);
      expect(report).toMatchObject({ url: asked, final_url: kettle.url, verdict: 'verified' });
      expect((report.warnings as string[])[0]).toMatch(
        `another page. This is about the page to which it led: ${kettle.url}`,
      );
      expect((report.findings as string[])[0]).toBe(
        `page_judged: The page to which the redirect led was checked: ${kettle.url}`,
      );
      redirect(asked, 'http://shop.example/nothing-here');
      const failed = await scene.checkPage(asked);
      expect([failed.verdict, codes(failed.warnings)]).toEqual([
        'page_fetch_failed',
        ['redirected_to_another_host'],
      ]);
    },
  );

  scenario(
    'to another page of its host is not about the requested page, and is reported first',
    covers('PV-LANDING', 'PAGE-FINAL-URL'),
    async () => {
      scene.shop.put(kettle.url, productPage(certificate));
      const asked = 'http://shop.example/user/other';
      redirect(asked, kettle.url);
      const report = await scene.checkPage(asked);
      expect(report).toMatchObject({ url: asked, final_url: kettle.url, verdict: 'verified' });
      expect(report.warnings).toEqual([
        expect.stringMatching(`^redirected_to_another_page: .* to which it led: ${kettle.url}$`),
      ]);
      expect((report.findings as string[])[0]).toMatch(new RegExp(`^page_judged: .*: ${kettle.url}$`));
      // equal by the rules: nothing to report
      const tracked = `${kettle.url.replace('/products/', '/collections/all/products/')}/?gclid=1`;
      redirect(tracked, kettle.url);
      expect(await scene.checkPage(tracked)).toMatchObject({
        verdict: 'verified',
        warnings: [],
        findings: [],
      });
    },
  );

  scenario('is only a finding if both are domains of the store', covers('PV-LANDING'), async () => {
    scene.shop.put(kettle.url, productPage(certificate));
    const asked = 'http://other.example/products/kettle';
    redirect(asked, kettle.url);
    expect(codes((await scene.checkPage(asked)).warnings)).toEqual(['redirected_to_another_host']);
    await scene.operate('POST', `/stores/${store.id}/domains`, { hostname: 'other.example' });
    const within = await scene.checkPage(asked);
    expect(within).toMatchObject({ verdict: 'verified', warnings: [] });
    expect(codes(within.findings)).toEqual(['redirected_within_store']);
    const other = 'http://other.example/products/teapot';
    redirect(other, kettle.url);
    expect(codes((await scene.checkPage(other)).warnings)).toEqual(['redirected_to_another_page']);
    await scene.operate('DELETE', `/stores/${store.id}/domains/other.example`);
    expect(codes((await scene.checkPage(asked)).warnings)).toEqual(['redirected_to_another_host']);
  });
});

describe('the report', () => {
  scenario(
    'has every field of its table',
    covers(
      'PAGE-ID',
      'PAGE-URL',
      'PAGE-FINAL-URL',
      'PAGE-FETCHED-AT',
      'PAGE-PLATFORM',
      'PAGE-VERDICT',
      'PAGE-MC4P',
      'PAGE-NOTES',
    ),
    async () => {
      scene.shop.put('http://shop.example/go', (_, response) => {
        response.writeHead(301, { location: kettle.url }).end();
      });
      scene.shop.put(kettle.url, productPage(certificate));
      const report = await scene.checkPage('http://shop.example/go');
      expect(PageCheckReportSchema.parse(report)).toEqual(report);
      expect(Object.keys(report)).toEqual([
        'id',
        'url',
        'final_url',
        'fetched_at',
        'platform_detected',
        'verdict',
        'conclusion',
        'facts',
        'mc4p',
        'agreement',
        'findings',
        'warnings',
        'errors',
        'verifier',
      ]);
      expect(report).toMatchObject({
        url: 'http://shop.example/go',
        final_url: kettle.url,
        platform_detected: 'custom',
        verdict: 'verified',
      });
      expect(Math.abs(Date.parse(String(report.fetched_at)) - Date.now())).toBeLessThan(60_000);
    },
  );

  scenario('names the platform', covers('PAGE-PLATFORM', 'PAGE-PLATFORM-NAMES'), async () => {
    const page = (head: string, body = '') =>
      `<!doctype html><html><head><title>Kettle</title>${head}</head><body ${body}><h1>Kettle</h1></body></html>`;
    const pages: Record<string, string> = {
      shopify: page(
        '<script src="https://cdn.shopify.com/s/files/theme.js"></script><script>Shopify.theme = {"name":"Dawn"}; Shopify.shop = "kettles.myshopify.com";</script>',
      ),
      woocommerce: page(
        '<meta name="generator" content="WooCommerce 9.1.2"><link rel="stylesheet" href="/wp-content/plugins/woocommerce/assets/css/woocommerce.css">',
        'class="single-product woocommerce woocommerce-page"',
      ),
      custom: page(''),
    };
    for (const [platform, html] of Object.entries(pages)) {
      scene.shop.put(`http://shop.example/${platform}`, html);
      expect((await scene.checkPage(`http://shop.example/${platform}`)).platform_detected).toBe(platform);
    }
  });

  scenario(
    'states facts with their source and field, structured data before markup, null if the page does not state them',
    covers('FACT-SHAPE', 'FACT-SOURCE', 'FACT-KEYS', 'FACT-NULL', 'FACT-IMAGES', 'FACT-WEIGHT'),
    async () => {
      const product = {
        '@context': 'https://schema.org',
        '@type': 'Product',
        name: 'Enamel kettle',
        image: ['/a.jpg', 'http://shop.example/b.jpg'],
        offers: {
          '@type': 'Offer',
          price: '39.00',
          priceCurrency: 'EUR',
          availability: 'https://schema.org/InStock',
        },
      };
      const head = `<meta property="og:type" content="product"><meta name="description" content="Holds two litres."><script type="application/ld+json">${JSON.stringify(product)}</script>`;
      scene.shop.put(
        'http://shop.example/facts',
        `<!doctype html><html lang="en"><head><title>Kettle</title>${head}</head><body><main><h1>Some other words</h1><span class="price">12.00 USD</span></main></body></html>`,
      );
      const { facts } = (await scene.checkPage('http://shop.example/facts')) as {
        facts: Record<string, Json | Json[] | null>;
      };
      expect(Object.keys(facts)).toEqual([
        'name',
        'description',
        'price',
        'currency',
        'availability',
        'sku',
        'brand',
        'images',
        // our own fact: docs/page-reading.md
        'variant',
        'offers',
      ]);
      expect(facts).toMatchObject({
        name: { value: 'Enamel kettle', source: 'jsonld' },
        description: { value: 'Holds two litres.', source: 'meta' },
        price: { value: '39.00', source: 'jsonld', field: expect.stringContaining('offers') },
        currency: { value: 'EUR', source: 'jsonld' },
        availability: { value: 'InStock', source: 'jsonld' },
        sku: null,
        brand: null,
      });
      const images = facts.images as Json[];
      expect(images.map(({ value }) => value)).toEqual([
        'http://shop.example/a.jpg',
        'http://shop.example/b.jpg',
      ]);
      for (const fact of [facts.name, ...images] as Json[]) {
        expect(Object.keys(fact).toSorted()).toEqual(['field', 'source', 'value']);
      }
      expect(Object.keys(facts.price as Json).toSorted()).toEqual([
        'confidence',
        'doubts',
        'field',
        'source',
        'value',
      ]);
      scene.shop.put(
        'http://shop.example/markup',
        '<!doctype html><html lang="en"><head><title>Kettle</title></head><body><main><h1>Enamel kettle</h1><p class="price">12.00 USD</p><button>Add to cart</button></main></body></html>',
      );
      const markup = (await scene.checkPage('http://shop.example/markup')) as {
        facts: Record<string, Json | null>;
      };
      expect(markup.facts.name).toMatchObject({ value: 'Enamel kettle', source: 'html' });
    },
  );
});
