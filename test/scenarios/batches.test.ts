import { describe, expect } from 'vitest';
import { covers, scenario } from '../kit/scenario.ts';
import { type Json, useScene } from '../kit/service.ts';
import { productPage } from '../kit/shop.ts';

const VERIFY = '/api/v1/mc4p/verify-batch';
const CHECK = '/api/v1/mc4p/page-checks/batch';
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

const scene = await useScene({ TOUCHSTONE_TRUST_PROXY: '127.0.0.0/8' });
const store = await scene.store('shop.example');
const kettle = await store.product('kettle');
const document = await scene.certificate(kettle.id);
scene.shop.put(kettle.url, productPage(document));

const results = (json: Json) => json.results as (Json & { result?: Json; problem?: Json })[];

describe('a batch', () => {
  scenario(
    'answers each item as a separate request, in order; an invalid one affects no other',
    covers('EP3-POST', 'ERR-BODY', 'VE-ALL'),
    async () => {
      const good = { productId: kettle.id, productUrl: kettle.url, document };
      const copied = { ...good, productUrl: 'http://copy.example/products/kettle' };
      const items = [good, { ...good, productId: UNKNOWN }, { productId: 'x' }, 7, copied];
      const { status, json } = await scene.call('POST', VERIFY, { items });
      expect([status, results(json).map((item) => item.status)]).toEqual([200, [200, 404, 422, 422, 200]]);
      const [first, unknown, malformed, , last] = results(json);
      expect(first?.result).toEqual(await scene.verify(kettle.id, { productUrl: kettle.url, document }));
      expect(last?.result?.status).toBe('failed');
      expect(unknown?.problem).toMatchObject({ code: 'product_unknown', status: 404 });
      expect(malformed?.problem?.detail).toMatchObject([
        { loc: ['body', 'items', 2, 'productUrl'] },
        { loc: ['body', 'items', 2, 'productId'] },
      ]);
    },
  );

  scenario(
    'accepts no item that would be too large by itself, and judges the others',
    covers('LIMIT-SIZES', 'ERR-BODY'),
    async () => {
      const item = { productId: kettle.id, productUrl: kettle.url, document };
      const large = { ...item, document: { ...document, padding: 'x'.repeat(1024 * 1024) } };
      const { productId, ...alone } = large;
      const refused = await scene.call('POST', `/api/v1/mc4p/products/${productId}/verify`, alone);
      const { status, json } = await scene.call('POST', VERIFY, { items: [item, large, item] });
      expect([status, results(json).map((result) => result.status)]).toEqual([200, [200, 413, 200]]);
      expect(refused.status).toBe(413);
      expect(results(json)[1]?.problem).toEqual({
        ...refused.json,
        requestId: results(json)[1]?.problem?.requestId,
      });
    },
  );

  scenario('accepts 1 to 100 items', covers('LIMIT-SIZES', 'VE-SHAPE'), async () => {
    const item = { productId: kettle.id, productUrl: kettle.url, document };
    const many = (length: number) =>
      scene.call('POST', VERIFY, { items: Array.from({ length }, () => item) });
    const full = await many(100);
    expect(results(full.json).map(({ result }) => result?.status)).toEqual(Array(100).fill('verified'));
    for (const length of [0, 101]) {
      const { status, json } = await many(length);
      expect([status, json.detail]).toEqual([422, [expect.objectContaining({ loc: ['body', 'items'] })]]);
    }
  });

  scenario(
    'spends one fresh check for each fresh item, and no more than are left',
    covers('LIMIT-FRESH', 'EP4-429'),
    async () => {
      const from = { 'x-forwarded-for': '203.0.113.44' };
      const fresh = Array.from({ length: 12 }, () => ({ url: kettle.url, freshness: 'fresh' }));
      const items = [{ url: kettle.url }, ...fresh];
      const { json } = await scene.call('POST', CHECK, { items }, from);
      const statuses = results(json).map((item) => item.status);
      expect(statuses[0]).toBe(200);
      expect(statuses.filter((status) => status === 200)).toHaveLength(11);
      const refused = results(json).filter((item) => item.status === 429);
      expect(refused.map(({ problem }) => problem?.code)).toEqual(Array(2).fill('fresh_rate_limited'));
      expect(refused[0]?.retryAfter).toBeGreaterThan(0);
      const alone = await scene.call('POST', '/api/v1/mc4p/page-checks', fresh[0], from);
      expect(alone.status).toBe(429);
    },
  );
});
