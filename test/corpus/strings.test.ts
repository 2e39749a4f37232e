import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Asked, inParallel } from '../stress/support/client.ts';
import { type Answer, json } from '../stress/support/contract.ts';
import { session } from '../stress/support/session.ts';

const folder = join(
  process.env.TOUCHSTONE_CORPORA ?? join(import.meta.dirname, '../../../shared/corpora'),
  'strings',
);
const isThere = existsSync(folder);
const STRINGS = isThere ? (JSON.parse(readFileSync(join(folder, 'blns.json'), 'utf8')) as string[]) : [];

describe.skipIf(!isThere)('the big list of naughty strings', () => {
  const here = session('naughty strings');

  async function ask(asked: Asked): Promise<Answer> {
    const answer = await here.ask(asked);
    return answer;
  }

  function send(
    method: string,
    path: string,
    body: unknown,
    key = here.world.service.operatorKey,
  ): Promise<Answer> {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    return ask({ method, path: `/api/v1/${path}`, headers, body: JSON.stringify(body) });
  }

  /** The registry's form of a text: trimmed. */
  const kept = (text: string) => text.trim();
  /** What every text field accepts: a text that is not empty after trimming, and short enough. */
  const fits = (text: string, max: number) =>
    kept(text) !== '' && kept(text).length <= max && !text.includes('\u0000');

  it('holds strings', () => {
    expect(STRINGS.length).toBeGreaterThan(500);
  });

  it('is returned unchanged in every text of a merchant and a store, or is refused', async () => {
    await inParallel(STRINGS, 8, async (text) => {
      const merchant = await send('POST', 'registry/merchants', { name: text, planCapacity: 1 });
      expect(merchant.status, JSON.stringify(text)).toBe(fits(text, 300) ? 201 : 422);
      if (merchant.status === 201) expect(json(merchant).name).toBe(kept(text));
      const { merchantId, storeId, key } = here.world.mine;
      const renamed = await send('PATCH', `registry/stores/${storeId}`, { name: text }, key);
      expect([200, 422]).toContain(renamed.status);
      if (renamed.status === 200) expect(json(renamed).name).toBe(kept(text));
      const label = await send('POST', `registry/merchants/${merchantId}/api-keys`, { label: text }, key);
      expect([201, 422]).toContain(label.status);
      // a merchant has at most 100
      const keyId = label.status === 201 ? String(json(label).id) : undefined;
      if (keyId !== undefined)
        await send('DELETE', `registry/merchants/${merchantId}/api-keys/${keyId}`, {}, key);
      for (const field of ['merchantId', 'name', 'url', 'platform']) {
        const store = {
          merchantId,
          name: 'S',
          url: `http://${randomUUID()}.example/`,
          platform: 'custom',
          [field]: text,
        };
        const made = await send('POST', 'registry/stores', store);
        expect([201, 404, 409, 422], `${field} ${JSON.stringify(text)} ${made.body}`).toContain(made.status);
      }
      const domain = await send('POST', `registry/stores/${storeId}/domains`, { hostname: text }, key);
      expect([201, 409, 422], JSON.stringify(text)).toContain(domain.status);
    });
  });

  it('is returned unchanged in every field of a product, through certificate and verification, or is an invalid row', async () => {
    const { storeId, key } = here.world.mine;
    const rowsOf = (text: string, index: number) => {
      const row = (id: string, changes: object) => ({
        externalProductId: id,
        name: 'N',
        url: `http://mine.example/s/${index}`,
        ...changes,
      });
      return [
        row(text, {}),
        row(`name-${index}`, { name: text }),
        row(`sku-${index}`, { sku: text, gtin: text, brand: text }),
        row(`attribute-${index}`, { attributes: [{ name: text, value: text }] }),
        row(`url-${index}`, { url: text }),
        row(`image-${index}`, {
          images: [
            { url: `http://mine.example/i?${encodeURIComponent(text.toWellFormed())}`, externalId: text },
          ],
        }),
        row(`path-${index}`, { url: `http://mine.example/${encodeURIComponent(text.toWellFormed())}` }),
      ];
    };
    await inParallel(STRINGS, 8, async (text, index) => {
      const answer = await send('PUT', `registry/stores/${storeId}/products`, rowsOf(text, index), key);
      expect(answer.status).toBe(200);
      const results = json(answer).results as { id?: string; status: string; errors?: unknown[] }[];
      expect(results.map(({ status }) => status)[1]).toBe(fits(text, 300) ? 'created' : 'error');
      for (const [nth, { id, status, errors }] of results.entries()) {
        if (status === 'error') expect(errors?.length).toBeGreaterThan(0);
        if (id === undefined || nth > 3) continue;
        const product = json(
          await ask({
            method: 'GET',
            path: `/api/v1/registry/products/${id}`,
            headers: { authorization: `Bearer ${key}` },
          }),
        );
        if (nth === 0) expect(product.externalProductId).toBe(kept(text));
        if (nth === 1) expect(product.name).toBe(kept(text));
        const certificate = json(
          await ask({ method: 'GET', path: `/api/v1/mc4p/products/${id}/certificate` }),
        );
        const verdict = json(
          await send('POST', `mc4p/products/${id}/verify`, {
            productUrl: product.url,
            document: certificate,
          }),
        );
        expect(verdict.status, JSON.stringify([text, verdict])).toBe('verified');
      }
    });
  });

  it('in every field of a verification and a page check is judged or refused', async () => {
    const id = here.world.mine.products[0]?.id;
    const certificate = json(await ask({ method: 'GET', path: `/api/v1/mc4p/products/${id}/certificate` }));
    await inParallel(STRINGS, 8, async (text) => {
      const page = await send('POST', `mc4p/products/${id}/verify`, {
        productUrl: text,
        document: certificate,
      });
      expect([200, 422]).toContain(page.status);
      if (page.status === 200) expect(json(page).status).toBe('failed');
      for (const document of [
        text,
        { productID: text, url: text, proof: { jwt: text } },
        { ...certificate, productID: text },
        { ...certificate, url: text },
        { ...certificate, 'svc:issuedFor': { domain: text, productID: text } },
        { ...certificate, [text]: text },
        { ...certificate, proof: { jwt: text } },
      ]) {
        const answer = await send('POST', `mc4p/products/${id}/verify`, {
          productUrl: here.world.mine.products[0]?.url,
          document,
        });
        expect(answer.status, JSON.stringify(text)).toBe(200);
      }
      const check = await send('POST', 'mc4p/page-checks', { url: text });
      expect([200, 422]).toContain(check.status);
      const freshness = await send('POST', 'mc4p/page-checks', {
        url: 'http://mine.example/',
        freshness: text,
      });
      expect(freshness.status).toBe(422);
    });
  });

  it('in every part of a URL is malformed or unknown', async () => {
    const { key } = here.world.mine;
    const paths = (text: string) => [
      `mc4p/products/${text}/certificate`,
      `mc4p/assets/${text}/certificate`,
      `mc4p/page-checks/${text}`,
      `registry/products/${text}`,
      `registry/stores/${text}`,
      `registry/merchants/${text}`,
      `registry/stores/${here.world.mine.storeId}/products?cursor=${text}&state=${text}&limit=${text}`,
      `registry/stores?merchantId=${text}&cursor=${text}`,
    ];
    await inParallel(STRINGS, 8, async (text) => {
      const encoded = encodeURIComponent(text.toWellFormed());
      for (const path of paths(encoded)) {
        const answer = await ask({
          method: 'GET',
          path: `/api/v1/${path}`,
          headers: { authorization: `Bearer ${key}` },
        });
        // an empty segment gives another path
        const allowed = text === '' ? [200, 404, 405, 422] : [422];
        expect(allowed, `${path} ${answer.status}`).toContain(answer.status);
      }
      const verify = await ask({
        method: 'POST',
        path: `/api/v1/registry/stores/${here.world.mine.storeId}/domains/${encoded}/verify`,
        headers: { authorization: `Bearer ${key}` },
      });
      // one verification of a host runs at a time, and strings differ only in case
      expect([200, 404, 409, 422], `${encoded} ${verify.status}`).toContain(verify.status);
    });
  });

  it('in every header with a meaning is harmless or refused', async () => {
    await inParallel(STRINGS, 8, async (text) => {
      // without characters that no client can send in a header
      const bytes = Buffer.from(text).filter((byte) => (byte >= 0x20 && byte !== 0x7f) || byte === 9);
      const value = Buffer.from(bytes).toString('latin1');
      const body = JSON.stringify({ name: 'M', planCapacity: 1 });
      const operator = {
        authorization: `Bearer ${here.world.service.operatorKey}`,
        'content-type': 'application/json',
      };
      for (const [name, statuses] of [
        ['idempotency-key', [201, 400, 409]],
        ['x-request-id', [201]],
        ['content-type', [415, 201]],
        ['authorization', [401]],
        ['accept', [201]],
        ['x-forwarded-for', [201]],
        ['if-none-match', [201]],
        ['origin', [201]],
        ['cookie', [201]],
      ] as const) {
        const answer = await ask({
          method: 'POST',
          path: '/api/v1/registry/merchants',
          headers: { ...operator, [name]: value },
          body,
        });
        expect(statuses as readonly number[], `${name}: ${value} ${answer.status}`).toContain(answer.status);
      }
    });
  });
});
