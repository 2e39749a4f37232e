import { expect, it } from 'vitest';
import { runCli } from '../../packages/cli/src/testing.ts';
import { type Json, useScene } from '../kit/service.ts';
import { productPage } from '../kit/shop.ts';

const scene = await useScene({ TOUCHSTONE_SWEEPS: 'true', TOUCHSTONE_PAGE_CACHE_SECONDS: '900' });
const store = await scene.store('shop.example');
const headers = { authorization: `Bearer ${scene.service.operatorKey}` };

const registry = (path: string) => `/api/v1/registry/stores/${store.id}${path}`;
const get = async (path: string) => (await scene.call('GET', registry(path), undefined, headers)).json;
const cli = (...words: string[]) =>
  runCli(words, {
    env: { TOUCHSTONE_SERVICE: scene.service.url, TOUCHSTONE_KEY: scene.service.operatorKey ?? '' },
  });

it('pages are checked by themselves, and copies that anyone checks are reported to the merchant', async () => {
  const [kettle, cup] = [await store.product('kettle'), await store.product('cup')];
  const page = productPage(await scene.certificate(kettle.id));
  scene.shop.put(kettle.url, page);
  scene.shop.put(cup.url, '<!doctype html><title>Cup</title>');
  scene.shop.put('http://copy.example/products/kettle?who=me', page);

  const begun = await scene.call('POST', registry('/sweep'), undefined, headers);
  expect(begun.status).toBe(202);
  await expect.poll(async () => ((await get('/sweep')).pages as Json).checked, { interval: 100 }).toBe(2);
  expect(await get('/sweep')).toMatchObject({
    summary: '1 of 2 pages verified, 1 without one so far.',
    pages: { verified: 1, missing: 1, waiting: 0 },
    copies: 0,
  });
  expect(await get('/sweep/pages?result=missing')).toMatchObject({
    pages: [{ externalProductId: 'cup', verdict: 'no_certificate', url: cup.url }],
  });
  const { reportId } = ((await get('/sweep/pages?verdict=verified')).pages as Json[])[0] as Json;
  const report = await scene.call('GET', `/api/v1/mc4p/page-checks/${reportId}`);
  expect(report.json).toMatchObject({ verdict: 'verified', url: kettle.url });
  const told = await cli('sweeps', store.id);
  expect([told.code, told.out]).toEqual([1, expect.stringContaining('1 of 2 pages verified')]);

  const status = await cli('status', store.id);
  expect(status.out).toContain('pages         to do    1 of 2 pages verified, 1 without one so far\n');
  expect(status.out).toContain(`touchstone sweeps ${store.id} --pages missing`);

  await scene.checkPage('http://copy.example/products/kettle?who=me');
  const copy = { productId: kettle.id, host: 'copy.example', url: 'http://copy.example/products/kettle' };
  expect(await get('/copies')).toMatchObject({
    domains: [{ domain: 'copy.example', times: 1, dropped: 0, copies: [{ ...copy, times: 1 }] }],
    limits: { domains: 1_000, copiesOfDomain: 20 },
    more: 0,
  });
  expect((await cli('sweeps', store.id, '--copies')).out).toContain('http://copy.example/products/kettle');
  expect((await cli('status', store.id)).out).toContain(
    'copies of certificates on a domain of another party',
  );
});

it('a sweep that a person begins fetches every page, however recently it was observed', async () => {
  const jug = await store.product('jug');
  const pageOfJug = async () =>
    ((await get('/sweep/pages')).pages as Json[]).find(({ productId }) => productId === jug.id);
  scene.shop.put(jug.url, '<!doctype html><title>Jug</title>');
  await cli('sweeps', store.id, '--begin');
  await expect.poll(async () => (await pageOfJug())?.result, { interval: 100 }).toBe('missing');

  scene.shop.put(jug.url, productPage(await scene.certificate(jug.id)));
  expect((await scene.checkPage(jug.url)).verdict, 'observed before').toBe('no_certificate');
  const askedAt = Date.now();
  await cli('sweeps', store.id, '--begin');
  await expect.poll(async () => (await pageOfJug())?.result, { interval: 100 }).toBe('verified');
  expect(Date.parse(String((await pageOfJug())?.checkedAt))).toBeGreaterThanOrEqual(askedAt);
});
