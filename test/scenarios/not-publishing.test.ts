import { expect, it } from 'vitest';
import { runCli } from '../../packages/cli/src/testing.ts';
import { type SceneStore, useScene } from '../kit/service.ts';
import { productPage } from '../kit/shop.ts';

const scene = await useScene();
const store = await scene.store('shop.example', { planCapacity: 1 });
const keyOf = async ({ merchantId }: SceneStore) =>
  String((await scene.operate('POST', `/merchants/${merchantId}/api-keys`)).key);
const keys = { own: await keyOf(store), other: await keyOf(await scene.store('other.example')) };

/** The output of `touchstone check`, with or without a key. */
const check = async (url: string, key?: string) =>
  (
    await runCli(['check', url, '--service', scene.service.url], {
      env: key === undefined ? {} : { TOUCHSTONE_KEY: key },
    })
  ).out;

/** Expects the reason for the key of the product's merchant, and nothing of it for anybody else. */
async function expectReason(url: string, reason: string) {
  expect(await check(url, keys.own)).toContain(`publishes no certificate: ${reason}`);
  for (const stranger of [undefined, keys.other]) {
    const out = await check(url, stranger);
    expect(out).not.toContain('publishes no certificate:');
    expect(out).not.toContain(reason);
  }
}

it('the check of a page tells its merchant alone why the product publishes no certificate', async () => {
  const active = await store.product('kettle');
  const page = productPage(await scene.certificate(active.id));
  scene.shop.put(active.url, page);
  const waiting = await store.product('cup');
  scene.shop.put(waiting.url, '<!doctype html><title>Cup</title>');
  await expectReason(waiting.url, 'all seats of the plan are taken');
  expect(await check(active.url, keys.own)).not.toContain('publishes no certificate');

  const patch = (body: object) => scene.operate('PATCH', `/products/${active.id}`, body);
  await patch({ visible: false });
  // the page still carries the certificate
  await expectReason(active.url, 'it is hidden');
  await patch({ visible: true, disabled: true });
  await expectReason(active.url, 'the operator has disabled it');
  await patch({ disabled: false });
  await scene.operate('PATCH', `/merchants/${store.merchantId}`, { paused: true });
  await expectReason(active.url, 'the operator has paused the merchant');
  await scene.operate('PATCH', `/merchants/${store.merchantId}`, { paused: false });
  await scene.operate('DELETE', `/products/${active.id}`);
  await expectReason(active.url, 'it was deleted');
});

it('the search for the certificate of a page names the product that publishes none, to its merchant alone', async () => {
  const hidden = await store.product('hidden', { visible: false });
  const find = (headers: Readonly<Record<string, string>> = {}) =>
    scene.call('GET', `/api/v1/mc4p/certificates?url=${encodeURIComponent(hidden.url)}`, undefined, headers);
  const own = await find({ authorization: `Bearer ${keys.own}` });
  expect(own.json).toMatchObject({
    code: 'page_uncertified',
    productId: hidden.id,
    detail: expect.stringContaining('it is hidden'),
  });
  for (const headers of [{}, { authorization: `Bearer ${keys.other}` }]) {
    const { json } = await find(headers);
    expect(json.code).toBe('page_uncertified');
    expect(json).not.toHaveProperty('productId');
    expect(json.detail).not.toContain('hidden');
  }
});
