import { describe, expect } from 'vitest';
import { runCli } from '../../packages/cli/src/testing.ts';
import { covers, scenario } from '../kit/scenario.ts';
import { claimsOf, codes, type Json, type SceneStore, useScene } from '../kit/service.ts';
import { productPage } from '../kit/shop.ts';
import { useToolClients } from '../kit/tools.ts';

const REGISTRY = '/api/v1/registry';

const scene = await useScene();
const store = await scene.store('shop.example');
const other = await scene.store('other.example');
const clients = await useToolClients(scene.service.url);
const keyOf = async ({ merchantId }: SceneStore) => {
  const { id, key } = await scene.operate('POST', `/merchants/${merchantId}/api-keys`, { label: 'till' });
  return { id: String(id), headers: { authorization: `Bearer ${String(key)}` } };
};
const own = await keyOf(store);
const stranger = await keyOf(other);

const withdraw = (id: string, body: Json, headers = own.headers) =>
  scene.call('POST', `${REGISTRY}/products/${id}/withdraw`, body, headers);
const listed = async (query: string, headers: Readonly<Record<string, string>> = own.headers) => {
  const { json } = await scene.call('GET', `${REGISTRY}/withdrawals?${query}`, undefined, headers);
  return json.withdrawals as Json[];
};
const checksOf = (result: unknown) => (result as { readonly checks: Json }).checks;

/** A page that carries its certificate, and what every transport says of it. */
async function published(externalId: string) {
  const { id, url } = await store.product(externalId);
  const document = await scene.certificate(id);
  scene.shop.put(url, productPage(document));
  return {
    id,
    document,
    async asked() {
      const submitted = { productUrl: url, document };
      const tools = clients.map(async ({ client }) => {
        const args = { ...submitted, productId: id };
        const call = await client.callTool({ name: 'verify_svc_certificate', arguments: args });
        return call.structuredContent as Json;
      });
      const report = await scene.checkPage(url);
      const cli = await runCli(['check', url, '--service', scene.service.url], { env: {} });
      const results = [await scene.verify(id, submitted), ...(await Promise.all(tools))];
      return { results, report, cli, mc4p: report.mc4p as Json };
    },
  };
}

describe('a certificate on a page', () => {
  scenario(
    'withdrawn for good: bound to no domain and failed, over HTTP, by tools, in page checks and on the command line',
    covers('WITHDRAWN-FOR-GOOD', 'WITHDRAWN-RETURNS', 'WITHDRAWAL-LIVE'),
    async () => {
      const page = await published('kettle');
      const before = await page.asked();
      for (const result of before.results)
        expect(result).toMatchObject({
          status: 'verified',
          withdrawal: { status: 'valid', reason: 'not_withdrawn' },
        });
      expect(before.report).toMatchObject({ verdict: 'verified', conclusion: { level: 'good' } });

      expect((await withdraw(page.id, { reason: 'recalled', reissue: true })).status).toBe(200);
      const { results, report, mc4p, cli } = await page.asked();
      const told = { level: 'bad', code: 'withdrawn' };
      const withdrawal = { status: 'invalid', reason: 'withdrawn' };
      for (const result of results) {
        expect(result).toMatchObject({ status: 'failed', withdrawal, conclusion: told });
        expect(checksOf(result)).toEqual({ ...checksOf(before.results[0]), boundToDomain: false });
        expect(codes(result.errors)).toEqual(['certificate_withdrawn']);
      }
      expect(report).toMatchObject({ verdict: 'checks_failed', conclusion: told });
      expect(codes(report.errors)).toEqual(['certificate_withdrawn']);
      expect(mc4p).toMatchObject({ withdrawal, checks: { boundToDomain: false } });
      expect(cli.code).toBe(1);
      expect(cli.out).not.toMatch(/copied|copy of/);

      const anew = await scene.certificate(page.id);
      expect(Number(claimsOf(anew).iat)).toBeGreaterThan(Number(claimsOf(page.document).iat));
    },
  );

  scenario(
    'suspended: its checks stay, it is told first and is nothing to rely on, and the same proof comes back',
    covers('WITHDRAWAL-SUSPENDED', 'WITHDRAWAL-LIVE'),
    async () => {
      const page = await published('cup');
      const before = await page.asked();
      const show = (visible: boolean) => scene.operate('PATCH', `/products/${page.id}`, { visible });
      await show(false);
      const { results, report, mc4p, cli } = await page.asked();
      const told = { level: 'caution', code: 'suspended' };
      const withdrawal = { status: 'suspended', reason: 'suspended' };
      for (const result of results) {
        expect(result).toMatchObject({ status: 'verified', withdrawal, conclusion: told });
        expect(checksOf(result)).toEqual(checksOf(before.results[0]));
        expect(codes(result.warnings)[0]).toBe('certificate_suspended');
      }
      expect(report).toMatchObject({ verdict: 'verified', conclusion: told });
      expect(codes(report.warnings)[0]).toBe('certificate_suspended');
      expect(mc4p).toMatchObject({ withdrawal });
      expect(cli.code).toBe(2);
      await show(true);
      expect(await scene.certificate(page.id)).toEqual(page.document);
    },
  );
});

describe('what was withdrawn', () => {
  scenario(
    'is listed with cause, reason and key, for its merchant alone; nobody withdraws what is another merchant’s',
    covers('WITHDRAWAL-LISTED'),
    async () => {
      const { id } = await published('jug');
      expect((await withdraw(id, {}, stranger.headers)).status).toBe(404);
      expect((await withdraw(id, { reason: 'x'.repeat(501) })).status).toBe(422);
      const { json } = await withdraw(id, { reason: 'wrong picture' });
      expect(json).toMatchObject({ state: 'hidden', withdrawnAt: expect.any(String) });
      await withdraw(id, { reason: 'again' });
      const [withdrawal, ...more] = await listed(`productId=${id}`);
      expect(more).toEqual([]);
      expect(withdrawal).toMatchObject({
        cause: 'by_hand',
        reason: 'wrong picture',
        byKey: own.id,
        byRole: 'merchant',
        byLabel: 'till',
        productId: id,
        externalProductId: 'jug',
        productName: expect.any(String),
        storeId: store.id,
      });
      expect(withdrawal).not.toHaveProperty('deleted');
      expect(await listed(`productId=${id}`, stranger.headers)).toEqual([]);
      const page = await scene.call('GET', `${REGISTRY}/withdrawals?limit=1`, undefined, own.headers);
      expect(page.json.nextCursor).toEqual(expect.any(String));
      expect((await listed(`limit=1&cursor=${page.json.nextCursor}`))[0]).not.toEqual(withdrawal);
      const ofOperator = await scene.operate('GET', `/withdrawals?productId=${id}`);
      expect(ofOperator.withdrawals).toEqual([withdrawal]);
      const act = (body: Json, headers = own.headers) =>
        scene.call('POST', `${REGISTRY}/stores/${store.id}/products/actions`, body, headers);
      expect((await act({ action: 'hide', productIds: [id], reason: 'no' })).status).toBe(422);
      expect((await act({ action: 'withdraw', filter: {} }, stranger.headers)).status).toBe(404);
      const all = await act({ action: 'withdraw', filter: {}, reason: 'recall' });
      expect(all.json).toMatchObject({ kind: 'withdraw', state: 'done' });
      const undo = `${REGISTRY}/changes/${String(all.json.id)}/undo`;
      expect((await scene.call('POST', undo, {}, own.headers)).status).toBe(409);
    },
  );

  scenario(
    'keeps its name, key and reason once the product, the key or the store is deleted; an operator is named as such',
    covers('WITHDRAWAL-LISTED'),
    async () => {
      const brief = await scene.store('crowd.example');
      const [key, reader] = [await keyOf(brief), await keyOf(brief)];
      const { id } = await brief.product('pan', { name: 'The pan' });
      const mug = await brief.product('mug', { name: 'The mug' });
      for (const one of [id, mug.id]) await scene.certificate(one);
      await withdraw(id, { reason: 'recall' }, key.headers);
      await scene.operate('PATCH', `/products/${mug.id}`, { disabled: true });
      await scene.operate('DELETE', `/products/${id}`);
      await scene.operate('DELETE', `/merchants/${brief.merchantId}/api-keys/${key.id}`);
      const pan = {
        productId: id,
        productName: 'The pan',
        externalProductId: 'pan',
        reason: 'recall',
        byRole: 'merchant',
        byLabel: 'till',
      };
      const [disabled, withdrawn, ...more] = await listed('', reader.headers);
      expect(more).toEqual([]);
      expect(disabled).toMatchObject({ cause: 'disabled', productName: 'The mug', byRole: 'operator' });
      // merchants do not see the label of an operator's key
      expect(disabled).not.toHaveProperty('byLabel');
      expect(withdrawn).toMatchObject({ ...pan, deleted: 'product' });
      await scene.operate('DELETE', `/stores/${brief.id}`);
      const left = await listed(`productId=${id}`, reader.headers);
      expect(left).toEqual([{ ...withdrawn, deleted: 'store' }]);
    },
  );
});
