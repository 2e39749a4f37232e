import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../../packages/cli/src/testing.ts';
import { en } from '../../packages/web/src/text/en.ts';
import { es } from '../../packages/web/src/text/es.ts';
import type { SceneStore } from '../kit/service.ts';
import { expectSound, NO_BROWSER, PATIENCE, SIZES, type View } from './support/browser.ts';
import { type ConsoleScene, openConsole, settled } from './support/console.ts';
import { htmlWith } from './support/product-page.ts';

const VIEWS = [
  { texts: en, host: 'shop.example', view: { locale: 'en-GB' } },
  { texts: es, host: 'crowd.example', view: { locale: 'es-ES', size: 'phone' } },
] as const satisfies readonly { texts: unknown; host: string; view: View }[];

const COPY = 'http://copy.example/products/cup';
const PICTURES = process.env.TOUCHSTONE_STATE_PICTURES;

describe.skipIf(NO_BROWSER !== null)('a page that copies one, and its report', () => {
  let at: ConsoleScene;
  let folder: string;
  beforeAll(async () => {
    at = await openConsole();
    folder = await mkdtemp(join(tmpdir(), 'touchstone-evidence-page-'));
  });
  afterAll(async () => {
    await at?.close();
    await rm(folder, { recursive: true, force: true });
  });
  const keyOf = async ({ merchantId }: SceneStore): Promise<string> =>
    String((await at.scene.operate('POST', `/merchants/${merchantId}/api-keys`, { label: 'till' })).key);

  it.each(VIEWS)(
    '$view.locale: is kept by its merchant from a report, listed, downloaded as it was, and deleted when confirmed',
    { timeout: PATIENCE },
    async ({ texts, host, view }) => {
      const { evidence: words, guide } = texts.console;
      const store = await at.scene.store(host);
      const { id } = await store.product('cup');
      at.scene.shop.put(COPY, htmlWith(await at.scene.certificate(id)));
      // nobody is signed in: the link of the report leads to the sign-in, and then to the form that it fills in
      const opened = await at.browser.open(`/check?url=${encodeURIComponent(COPY)}`, view);
      const { page } = opened;
      const shot = async (name: string) => {
        if (PICTURES !== undefined)
          await page.screenshot({ path: join(PICTURES, `${name}-${view.locale}.png`), fullPage: true });
      };
      await page.getByRole('link', { name: texts.check.receipt.evidence }).click();
      await page.locator('input[type=password]').fill(await keyOf(store));
      opened.forgive();
      await page.keyboard.press('Enter');
      await page.getByText(words.none, { exact: true }).waitFor();
      await settled(page);
      expect(await page.getByLabel(words.url).inputValue()).toBe(COPY);
      await expectSound(opened);
      await shot('evidence-none');

      const keep = page.getByRole('button', { name: words.keep });
      await page.getByLabel(words.original).fill('cup');
      await keep.click();
      await page.getByText(words.originalWrong).waitFor();
      await expectSound(opened);
      await page.getByLabel(words.original).fill(id);
      await keep.click();
      await page.getByRole('link', { name: guide.pages.whole }).waitFor();
      const row = page.locator('.rows > .row');
      await row.waitFor();
      expect(await row.textContent()).toContain(words.verdicts.checks_failed);
      await expectSound(opened);
      await shot('evidence-kept');

      const downloading = page.waitForEvent('download');
      await row.getByRole('link', { name: words.downloadName.replace('{url}', COPY) }).click();
      const file = await (await downloading).path();
      const zip = await readFile(file);
      expect(zip.subarray(0, 2).toString()).toBe('PK');
      for (const name of ['README.txt', 'page.html', 'answer.json', 'receipt.jws', 'certificate.json'])
        expect(zip.includes(name)).toBe(true);

      await page.getByRole('button', { name: words.deleteName.replace('{url}', COPY) }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: texts.console.cancel }).click();
      expect(await row.count()).toBe(1);
      await page.getByRole('button', { name: words.deleteName.replace('{url}', COPY) }).click();
      await dialog.getByText(words.deleteBody).waitFor();
      await expectSound(opened);
      await shot('evidence-delete');
      await dialog.getByRole('button', { name: words.delete }).click();
      await page.getByText(words.none, { exact: true }).waitFor();
      await expectSound(opened);
      await opened.close();
    },
  );

  it('belongs to merchants alone: the operator is told so', { timeout: PATIENCE }, async () => {
    const opened = await at.signIn(at.operatorKey, '/console/evidence');
    await opened.page.getByText(en.console.evidence.merchantsOnly).waitFor();
    expect(await opened.page.getByLabel(en.console.evidence.url).count()).toBe(0);
    await expectSound(opened);
    await opened.close();
  });

  it.each(VIEWS)(
    '$view.locale: has a receipt for anybody who asks, which is verified by the command that the page shows',
    { timeout: PATIENCE },
    async ({ texts, view }) => {
      const { receipt: words } = texts.check;
      const opened = await at.browser.open(`/check?url=${encodeURIComponent(COPY)}`, view);
      const { page } = opened;
      await page.getByRole('button', { name: words.get }).click();
      await page.locator('[data-receipt]').waitFor();
      await expectSound(opened);
      if (PICTURES !== undefined)
        await page.screenshot({ path: join(PICTURES, `receipt-${view.locale}.png`), fullPage: true });
      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name: words.download }).click();
      const download = await downloading;
      const command = (await page.locator('[data-receipt] code').textContent()) ?? '';
      const name = download.suggestedFilename();
      expect(command).toBe(`touchstone receipt verify ${name} --issuer ${at.scene.baseUrl}`);
      const file = join(folder, name);
      await writeFile(file, await readFile(await download.path()));
      const keys = join(folder, 'keys.json');
      const published = await fetch(`${at.scene.service.url}/api/v1/.well-known/receipt-jwks.json`);
      await writeFile(keys, await published.text());
      const argv = command.split(' ').slice(1);
      argv[argv.indexOf(name)] = file;
      expect(await runCli([...argv, '--jwks', keys])).toMatchObject({ code: 0 });
      await page.setViewportSize(SIZES.phone);
      await expectSound(opened);
      await opened.close();
    },
  );
});
