import { describe, expect } from 'vitest';
import { covers, scenario } from '../kit/scenario.ts';
import { openScene, useScene } from '../kit/service.ts';
import { productPage } from '../kit/shop.ts';

const CHECKS = '/api/v1/mc4p/page-checks';

const scene = await useScene({ TOUCHSTONE_PAGE_CACHE_SECONDS: '900', TOUCHSTONE_TRUST_PROXY: '127.0.0.0/8' });
const store = await scene.store('shop.example');
const kettle = await store.product('kettle');
scene.shop.put(kettle.url, productPage(await scene.certificate(kettle.id)));

const fetches = () => scene.shop.asked.filter((at) => at === 'shop.example/products/kettle').length;
const checkAs = (address: string, body: unknown) =>
  scene.call('POST', CHECKS, body, { 'x-forwarded-for': address });

describe('freshness', () => {
  scenario(
    'cached, the default, serves a recent observation; fresh fetches again',
    covers('EP4-CACHED', 'EP4-FRESH', 'EP4-FRESHNESS', 'CACHE-DEFAULT'),
    async () => {
      const first = await scene.checkPage(kettle.url);
      const again = await scene.checkPage(kettle.url);
      const cached = await scene.checkPage(kettle.url, 'cached');
      expect([again.fetched_at, cached.fetched_at, fetches()]).toEqual([
        first.fetched_at,
        first.fetched_at,
        1,
      ]);
      const fresh = await scene.checkPage(kettle.url, 'fresh');
      expect(fetches()).toBe(2);
      expect(Date.parse(String(fresh.fetched_at))).toBeGreaterThan(Date.parse(String(first.fetched_at)));
      const odd = await scene.call('POST', CHECKS, { url: kettle.url, freshness: 'new' });
      expect([odd.status, odd.json.detail]).toEqual([
        422,
        [expect.objectContaining({ loc: ['body', 'freshness'] })],
      ]);
    },
  );

  scenario(
    'the report separates what was signed from what the page states',
    covers('VR-SIGNED'),
    async () => {
      const { mc4p } = await scene.checkPage(kettle.url);
      expect(mc4p).toMatchObject({
        signed: { kind: 'product', domain: 'shop.example', productId: kettle.id },
      });
    },
  );

  scenario('an observation is cached for 15 minutes', covers('EP4-OBSERVATION', 'EP4-CACHED'), async () => {
    await scene.checkPage(kettle.url);
    const before = fetches();
    const age = (seconds: number) =>
      scene.service.database.query(
        'update observations set fetched_at = fetched_at - make_interval(secs => $1)',
        [seconds],
      );
    await age(880);
    await scene.checkPage(kettle.url);
    expect(fetches()).toBe(before);
    await age(30);
    await scene.checkPage(kettle.url);
    expect(fetches()).toBe(before + 1);
  });

  scenario(
    'what is cached is the contents of the page, never the verdict',
    covers('EP4-OBSERVATION'),
    async () => {
      const product = await store.product('fleeting');
      scene.shop.put(product.url, productPage(await scene.certificate(product.id)));
      const before = await scene.checkPage(product.url);
      await scene.operate('DELETE', `/products/${product.id}`);
      const after = await scene.checkPage(product.url);
      expect([before.verdict, after.verdict]).toEqual(['verified', 'product_deleted']);
      expect(after.fetched_at).toBe(before.fetched_at);
    },
  );
});

describe('routes', () => {
  scenario(
    'a page that a script selects is the signed one at its own route only, and is fetched once for all',
    covers('EQ-ROUTE', 'EQ-SIGNED', 'CHECK-URL', 'PV-CHECKS-FAILED'),
    async () => {
      const script = 'http://shop.example/app';
      const routed = await store.product('routed', { url: `${script}#!/product/1` });
      const certificate = await scene.certificate(routed.id);
      scene.shop.put(script, productPage(certificate));
      scene.shop.put(
        'http://shop.example/short',
        (_, response) => void response.writeHead(302, { location: '/app#!/product/1' }).end(),
      );
      scene.shop.put(
        'http://shop.example/moved',
        (_, response) => void response.writeHead(302, { location: '/app' }).end(),
      );
      const check = async (path: string) => {
        const { verdict, final_url } = await scene.checkPage(`http://shop.example${path}`);
        return `${verdict} ${String(final_url).replace('http://shop.example', '')}`;
      };
      expect(await check('/app#!/product/1')).toBe('verified /app#!/product/1');
      expect(await check('/app#!/product/2')).toBe('checks_failed /app#!/product/2');
      expect(await check('/app#/product/1')).toBe('checks_failed /app#/product/1');
      expect(await check('/app')).toBe('checks_failed /app');
      expect(await check('/app#top')).toBe('checks_failed /app');
      expect(scene.shop.asked.filter((at) => at === 'shop.example/app')).toHaveLength(1);
      expect(await check('/short')).toBe('verified /app#!/product/1');
      expect(await check('/moved#!/product/1')).toBe('verified /app#!/product/1');
      expect(await check('/moved#!/product/2')).toBe('checks_failed /app#!/product/2');
      const asked = (route: string) =>
        scene.verify(routed.id, { productUrl: script + route, document: certificate });
      expect((await asked('?ref=mail#!/product/1')).status).toBe('verified');
      expect((await asked('#!/product/2')).checks).toMatchObject({ boundToUrl: false });
    },
  );
});

describe('limits', () => {
  scenario(
    'ten fresh checks a minute for each caller, then 429',
    covers('LIMIT-FRESH', 'EP4-429', 'ERR-429', 'AUTH-2'),
    async () => {
      const fresh = () => checkAs('203.0.113.7', { url: kettle.url, freshness: 'fresh' });
      const answers = await Promise.all(Array.from({ length: 13 }, fresh));
      const statuses = answers.map(({ status }) => status).toSorted();
      expect(statuses).toEqual([...Array<number>(10).fill(200), ...Array<number>(3).fill(429)]);
      const refused = await fresh();
      expect(refused.json).toMatchObject({ status: 429, code: 'fresh_rate_limited' });
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(refused.headers.get('cache-control')).toBe('no-store');
      expect(refused.headers.get('ratelimit')).toMatch(/^"fresh";r=0;t=\d+$/);
      expect((await checkAs('203.0.113.8', { url: kettle.url, freshness: 'fresh' })).status).toBe(200);
      expect((await checkAs('203.0.113.7', { url: kettle.url })).status).toBe(200);
    },
  );

  scenario(
    'the API keys of a merchant have ten fresh checks a minute each, and thirty together, however many it makes',
    covers('LIMIT-FRESH'),
    async () => {
      const path = `/merchants/${store.merchantId}/api-keys`;
      const makeKey = async () => String((await scene.operate('POST', path)).key);
      const keys = await Promise.all(Array.from({ length: 6 }, makeKey));
      const body = { url: kettle.url, freshness: 'fresh' };
      const checkBy = (key?: string) =>
        scene.call('POST', CHECKS, body, {
          authorization: `Bearer ${key}`,
          'x-forwarded-for': '203.0.113.9',
        });
      const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => checkBy(keys[n % keys.length])));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(30);
      const refused = answers.find(({ status }) => status !== 200);
      expect(refused?.json).toMatchObject({ status: 429, code: 'fresh_rate_limited' });
      expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
      const other = await scene.store('other.example');
      const othersKey = await scene.operate('POST', `/merchants/${other.merchantId}/api-keys`);
      expect((await checkBy(String(othersKey.key))).status).toBe(200);
    },
  );

  scenario(
    'every fetch spends a budget, including those of cached checks',
    covers('LIMIT-FETCHES'),
    async () => {
      const frugal = await openScene({ TOUCHSTONE_FETCH_PER_CALLER: '3' });
      const statuses: number[] = [];
      for (let i = 0; i < 5; i++) {
        statuses.push((await frugal.call('POST', CHECKS, { url: `http://shop.example/${i}` })).status);
      }
      const refused = await frugal.call('POST', CHECKS, { url: 'http://shop.example/x' });
      await frugal.close();
      expect(statuses).toEqual([200, 200, 200, 429, 429]);
      expect(refused.json.code).toBe('fetch_budget_spent');
    },
  );
});
