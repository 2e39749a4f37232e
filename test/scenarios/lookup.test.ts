import { describe, expect } from 'vitest';
import { covers, scenario } from '../kit/scenario.ts';
import { type Json, type SceneStore, useScene } from '../kit/service.ts';
import { openToolClients } from '../kit/tools.ts';

const byId = (id: string) => `/api/v1/mc4p/products/${id}/certificate`;
const scene = await useScene();
const store = await scene.store('shop.example');
const kettle = await store.product('kettle');
const looked = await scene.call('GET', byId(kettle.id));
const certificate = { text: looked.text, etag: looked.headers.get('etag') };

const LOOKUP = '/api/v1/mc4p/certificates';
const lookup = (url: string, headers: Readonly<Record<string, string>> = {}) =>
  scene.call('GET', `${LOOKUP}?url=${encodeURIComponent(url)}`, undefined, headers);
const foundAt = async (url: string) => (await lookup(url)).headers.get('content-location');

describe('a certificate requested by the URL of its page', () => {
  scenario(
    'is the same as by its id, byte for byte, and contains that URL',
    covers('LOOKUP', 'EP-CONDITIONAL'),
    async () => {
      const answer = await lookup(kettle.url);
      expect([answer.status, answer.text]).toEqual([200, certificate.text]);
      expect(answer.headers.get('etag')).toBe(certificate.etag);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=86400');
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(answer.headers.get('surrogate-key')).toBe(`product-${kettle.id}`);
      expect(answer.headers.get('content-location')).toBe(byId(kettle.id));
      expect(answer.headers.get('link')).toBe(`<${byId(kettle.id)}>; rel="canonical"`);
      const unchanged = await lookup(kettle.url, { 'if-none-match': certificate.etag ?? '' });
      expect([unchanged.status, unchanged.text]).toEqual([304, '']);
      expect(unchanged.headers.get('content-location')).toBe(byId(kettle.id));
      const head = await scene.call('HEAD', `${LOOKUP}?url=${encodeURIComponent(kettle.url)}`);
      expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', certificate.etag]);
    },
  );

  scenario(
    'is found by the rules that bind a proof to a page',
    covers('LOOKUP', 'EQ-URL', 'EQ-SIGNED'),
    async () => {
      const plain = 'http://shop.example/products/kettle';
      for (const same of [
        `${plain}/?utm_source=mail&variant=2#top`,
        'http://SHOP.example:80/collections/new/products/kettle',
        'http://shop.example/products/%6bettle',
      ])
        expect([same, await foundAt(same)]).toEqual([same, byId(kettle.id)]);
      for (const other of [
        'https://shop.example/products/kettle',
        'http://www.shop.example/products/kettle',
        `${plain}?size=m`,
        `${plain}/more`,
        'http://192.0.2.7/products/kettle',
      ])
        expect([other, (await lookup(other)).json.code]).toEqual([other, 'page_uncertified']);
      const bound = await store.product('bound', { url: 'http://shop.example/p?id=7&variant=1#!/bound' });
      expect(await foundAt('http://shop.example/p?gclid=1&variant=1&id=7#!/bound')).toBe(byId(bound.id));
      expect((await lookup('http://shop.example/p?id=7#!/bound')).status).toBe(404);
      expect((await lookup('http://shop.example/p?id=7&variant=1')).status).toBe(404);
    },
  );

  scenario(
    'of several products on one page is that whose URL has most of it, then the oldest, and the others are listed',
    covers('LOOKUP'),
    async () => {
      const url = 'http://shop.example/products/cup';
      const first = await store.product('cup', { url });
      const second = await store.product('cup-too', { url });
      const blue = await store.product('cup-blue', { url: `${url}?variant=2` });
      expect(await foundAt(`${url}?variant=2`)).toBe(byId(blue.id));
      const answer = await lookup(`${url}?variant=3`);
      expect(answer.headers.get('content-location')).toBe(byId(first.id));
      expect(answer.headers.get('link')).toBe(
        `<${byId(first.id)}>; rel="canonical", <${byId(second.id)}>; rel="alternate"`,
      );
    },
  );

  scenario('is found among hundreds of variants of one page', covers('LOOKUP'), async () => {
    const large = await scene.store('crowd.example', { planCapacity: 1_000 });
    const url = 'http://crowd.example/products/shirt';
    const rows = Array.from({ length: 450 }, (_, n) => ({
      externalProductId: `shirt-${n}`,
      name: `Shirt ${n}`,
      url: `${url}?variant=${n}`,
    }));
    const { results } = (await scene.service.operate(
      'PUT',
      `/api/v1/registry/stores/${large.id}/products`,
      rows,
    )) as {
      results: { id: string }[];
    };
    for (const n of [0, 201, 449])
      expect(await foundAt(`${url}?gclid=1&variant=${n}`)).toBe(byId(results[n]?.id ?? ''));
    expect((await lookup(`${url}?variant=450`)).status).toBe(404);
  });

  scenario(
    'is available while the product publishes one, under its current URL',
    covers('LOOKUP', 'STATE-HIDDEN'),
    async () => {
      const pot = await store.product('pot');
      expect(await foundAt(pot.url)).toBe(byId(pot.id));
      const moved = 'http://shop.example/products/teapot';
      await scene.operate('PATCH', `/products/${pot.id}`, { url: moved });
      expect((await lookup(pot.url)).status).toBe(404);
      expect(await foundAt(moved)).toBe(byId(pot.id));
      await store.product('pot', { url: pot.url });
      expect(await foundAt(pot.url)).toBe(byId(pot.id));
      await scene.operate('PATCH', `/products/${pot.id}`, { visible: false });
      const gone = await lookup(pot.url);
      expect([gone.status, gone.headers.get('cache-control')]).toEqual([404, 'no-store']);
      await scene.operate('PATCH', `/products/${pot.id}`, { visible: true });
      expect(await foundAt(pot.url)).toBe(byId(pot.id));
      await scene.operate('PATCH', `/merchants/${store.merchantId}`, { paused: true });
      expect((await lookup(pot.url)).status).toBe(404);
      await scene.operate('PATCH', `/merchants/${store.merchantId}`, { paused: false });
      await scene.operate('DELETE', `/products/${pot.id}`);
      expect((await lookup(pot.url)).status).toBe(404);
    },
  );

  scenario(
    'is found only once control of the host is proven, and before by its own merchant and the operator',
    covers('LOOKUP', 'HOST-LOST'),
    async () => {
      const keyOf = async ({ merchantId }: SceneStore) => {
        const { key } = await scene.operate('POST', `/merchants/${merchantId}/api-keys`);
        return { authorization: `Bearer ${key}` };
      };
      const by = async (url: string, key: Readonly<Record<string, string>>) => {
        const { status, headers } = await lookup(url, key);
        return [status, headers.get('content-location'), headers.get('cache-control')];
      };
      const squatter = await scene.store('other.example', { proven: false });
      const squatted = await squatter.product('cup');
      const squatters = await keyOf(squatter);
      const unproven = await lookup(squatted.url);
      expect([unproven.status, unproven.json.code]).toEqual([404, 'page_uncertified']);
      expect(unproven.json.detail).toContain('proving control of the host');
      expect((await lookup(squatted.url, { authorization: 'Bearer nobody' })).status).toBe(404);
      expect(await by(squatted.url, squatters)).toEqual([200, byId(squatted.id), 'private, no-store']);
      const owner = await scene.store('other.example', { proven: false });
      const owned = await owner.product('cup');
      const owners = await keyOf(owner);
      expect(await by(owned.url, owners)).toEqual([200, byId(owned.id), 'private, no-store']);
      expect(await by(owned.url, squatters)).toEqual([200, byId(squatted.id), 'private, no-store']);
      const operator = { authorization: `Bearer ${scene.service.operatorKey}` };
      const disputed = await lookup(owned.url, operator);
      expect([disputed.status, disputed.json.code]).toEqual([409, 'page_claimed_twice']);
      expect(disputed.json.certificates).toEqual([byId(squatted.id), byId(owned.id)]);
      const { domains } = (await scene.operate('GET', `/stores/${owner.id}`)) as {
        domains: { challenge: string }[];
      };
      scene.shop.put('http://other.example/.well-known/touchstone-challenge', (_, response) => {
        response.writeHead(200, { 'content-type': 'text/plain' }).end(domains[0]?.challenge);
      });
      await scene.operate('POST', `/stores/${owner.id}/domains/other.example/verify`);
      for (const key of [{}, squatters, operator])
        expect((await by(owned.url, key)).slice(0, 2)).toEqual([200, byId(owned.id)]);
    },
  );

  scenario('requires a complete URL', covers('LOOKUP', 'VE-ALL'), async () => {
    for (const query of [
      '',
      '?url=',
      '?url=shop.example/cup',
      '?url=http%3A%2F%2Fu%3Ap%40shop.example%2F',
      '?uri=x',
    ]) {
      const { status, json } = await scene.call('GET', LOOKUP + query);
      const [{ loc }] = json.detail as [{ loc: unknown[] }];
      expect([query, status, loc[0]]).toEqual([query, 422, 'query']);
    }
  });

  scenario('is available by the tool too, by either id or URL', covers('LOOKUP', 'EP7-SHAPE'), async () => {
    for (const { client } of await openToolClients(scene.service.url)) {
      const ask = async (args: Json) => {
        const answer = await client.callTool({ name: 'get_product_certificate', arguments: args });
        return answer.structuredContent as Json & { error?: Json };
      };
      expect(await ask({ url: `${kettle.url}?gclid=1` })).toEqual(JSON.parse(certificate.text));
      expect((await ask({ url: `${kettle.url}/more` })).error).toMatchObject({ code: 'page_uncertified' });
      for (const wrong of [{}, { url: kettle.url, productId: kettle.id }, { url: 'kettle' }])
        expect((await ask(wrong)).error).toMatchObject({ code: 'arguments_invalid' });
      await client.close();
    }
  });
});
