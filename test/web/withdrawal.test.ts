import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { en } from '../../packages/web/src/text/en.ts';
import { es } from '../../packages/web/src/text/es.ts';
import type { Json, SceneStore } from '../kit/service.ts';
import { expectSound, NO_BROWSER, PATIENCE, type View } from './support/browser.ts';
import { type ConsoleScene, openConsole, settled } from './support/console.ts';
import { htmlWith } from './support/product-page.ts';

const VIEWS = [
  { texts: en, host: 'shop.example', view: { locale: 'en-GB' } },
  { texts: es, host: 'crowd.example', view: { locale: 'es-ES', size: 'phone' } },
] as const satisfies readonly { texts: unknown; host: string; view: View }[];

/** A page that keeps the certificate that it had. */
interface Published {
  readonly id: string;
  readonly url: string;
  readonly html: string;
}

describe.skipIf(NO_BROWSER !== null)(
  'a withdrawal, from the console to whoever meets the old certificate',
  () => {
    let at: ConsoleScene;
    beforeAll(async () => {
      // status lists are looked at for addresses of this machine, or https
      at = await openConsole({ TOUCHSTONE_BASE_URL: 'http://certificates.localhost' });
    });
    afterAll(() => at?.close());

    const publish = async (store: SceneStore, name: string): Promise<Published> => {
      const { id, url } = await store.product(name, { name });
      const html = htmlWith(await at.scene.certificate(id)).replaceAll('The cup', name);
      at.scene.shop.put(url, html);
      return { id, url, html };
    };
    const keyOf = async ({ merchantId }: SceneStore): Promise<string> =>
      String((await at.scene.operate('POST', `/merchants/${merchantId}/api-keys`, { label: 'till' })).key);
    const listed = () =>
      expect.poll(async () => (await at.scene.operate('GET', '/status-lists')).waiting).toBe(0);
    const concluded = async (page: Page, code: string, title: string): Promise<void> => {
      const finding = page.locator(`[data-conclusion=${code}]`).first();
      await finding.waitFor();
      expect(await finding.textContent()).toContain(title);
    };

    it.each(VIEWS)(
      '$view.locale: one by hand, many at once; every page says so, and why is listed',
      {
        timeout: PATIENCE,
      },
      async ({ texts, host, view }) => {
        const { product, products, withdrawals } = texts.console;
        const store = await at.scene.store(host);
        const pages: Published[] = [];
        for (const name of ['Kettle', 'Jug', 'Cup', 'Bowl']) pages.push(await publish(store, name));
        const [kettle, jug, cup, bowl] = pages as [Published, Published, Published, Published];
        const opened = await at.signIn(
          await keyOf(store),
          `/console/stores/${store.id}/products/${kettle.id}`,
          view,
        );
        const { page } = opened;
        const button = (name: string) => page.getByRole('button', { name, exact: true });
        const dialog = page.getByRole('dialog');
        await settled(page);
        await button(product.withdraw).click();
        await dialog.getByText(product.withdrawHidden).waitFor();
        await dialog.getByLabel(products.reason).fill('wrong <b>picture</b>');
        await expectSound(opened);
        await dialog.getByRole('button', { name: product.withdraw }).click();
        await dialog.waitFor({ state: 'detached' });
        await button(product.show).waitFor();
        await expectSound(opened);

        const visit = async (path: string) => {
          await page.goto(new URL(path, page.url()).href);
          await settled(page);
        };
        await visit(`/console/stores/${store.id}/products`);
        for (const name of ['Jug', 'Cup'])
          await page.getByRole('checkbox', { name: products.select.replace('{name}', name) }).check();
        await button(products.withdraw).click();
        await dialog.getByText(products.confirm.withdraw.other.replace('{count}', '2')).waitFor();
        await dialog.getByLabel(products.reason).fill('recall');
        await expectSound(opened);
        await dialog.getByRole('button', { name: products.withdraw }).click();
        await page.getByText(products.changed.withdraw.other.replace('{count}', '2')).first().waitFor();
        // it is for good
        expect(await button(products.undo).count()).toBe(0);
        await expectSound(opened);

        await visit('/console/withdrawals');
        const rows = page.locator('.rows > .row');
        await expect.poll(() => rows.count()).toBe(3);
        const reasons = ['recall', 'recall', 'wrong <b>picture</b>'];
        expect(await rows.allTextContents()).toEqual(
          reasons.map((reason) => expect.stringContaining(withdrawals.reason.replace('{reason}', reason))),
        );
        expect(await rows.last().textContent()).toContain(withdrawals.by.replace('{label}', 'till'));
        await expectSound(opened);
        // by name; what has been deleted since keeps its row, and its page
        await at.scene.operate('DELETE', `/products/${cup.id}`);
        await visit('/console/withdrawals');
        const gone = rows.filter({ hasText: withdrawals.deleted.product });
        await gone.getByRole('link', { name: 'Cup', exact: true }).click();
        await page.getByRole('heading', { name: 'Cup', exact: true }).waitFor();
        expect(await button(product.withdraw).count()).toBe(0);
        await expectSound(opened);
        await visit('/console/withdrawals');
        await rows.last().getByRole('link', { name: 'Kettle', exact: true }).click();
        await page.locator('.rows .state', { hasText: texts.console.proofs.states.withdrawn }).waitFor();
        await expectSound(opened);

        await at.scene.operate('PATCH', `/products/${bowl.id}`, { visible: false });
        await listed();
        const places = [
          [kettle, 'withdrawn', 'invalid'],
          [jug, 'withdrawn', 'invalid'],
          [bowl, 'suspended', 'suspended'],
        ] as const;
        for (const [one, code, status] of places) {
          const title = texts.conclusions[code].title.replace('{host}', host);
          await page.goto(new URL(`/check?url=${encodeURIComponent(one.url)}`, page.url()).href);
          await concluded(page, code, title);
          // in the reader's language, and of the certificate: the site is right
          const told = await page.locator('section:has(#checks), section:has(#notes)').allTextContents();
          expect(told.join()).toContain(texts.withdrawalReasons[`certificate_${code}`]);
          expect(told.join()).not.toContain(texts.report.checks.next.boundToDomain);
          await expectSound(opened);
          await page.goto(new URL('/verify', page.url()).href);
          await page.locator('#paste').fill(one.html);
          await page.locator('#page-url').fill(one.url);
          await concluded(page, code, title);
          await page.locator(`[data-withdrawal=${status}]`).waitFor();
          await expectSound(opened);
          await page.goto(new URL(`/api/v1/mc4p/products/${one.id}/certificate`, page.url()).href);
          await page.locator('article[data-state=identity]').waitFor();
          await expectSound(opened);
        }
        await opened.close();
      },
    );

    it('of a revoked key: pages that it signed are told as withdrawn, also by the service, which no longer accepts it', {
      timeout: PATIENCE,
    }, async () => {
      const store = await at.scene.store('other.example');
      const plate = await publish(store, 'Plate');
      // with the stream of its certificates, the store knows by which key they are signed
      const headers = { authorization: `Bearer ${at.operatorKey}` };
      await (
        await fetch(`${at.scene.service.url}/api/v1/registry/stores/${store.id}/certificates`, { headers })
      ).text();
      const { keys } = await at.scene.operate('GET', '/signing-keys');
      const kid = String(
        (keys as Json[]).find(({ purpose, state }) => purpose === 'proofs' && state === 'active')?.kid,
      );
      await at.scene.operate('POST', `/signing-keys/${kid}/revoke`, { reason: 'its backup was stolen' });
      await listed();
      const opened = await at.signIn(at.operatorKey, '/console/operator');
      const { page } = opened;
      await page.getByText(en.console.operator.listEntries).waitFor();
      await settled(page);
      await expectSound(opened);
      await page.goto(new URL(`/console/withdrawals?merchant=${store.merchantId}`, page.url()).href);
      await page.getByText(en.console.withdrawals.ofKey.replace('{kid}', kid)).waitFor();
      await expectSound(opened);
      await page.goto(new URL(`/check?url=${encodeURIComponent(plate.url)}`, page.url()).href);
      await concluded(page, 'withdrawn', '');
      await expectSound(opened);
      await opened.close();
    });
  },
);
