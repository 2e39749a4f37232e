import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { en } from '../../packages/web/src/text/en.ts';
import { ROOT } from '../kit/imports.ts';
import { openScene, type Scene } from '../kit/service.ts';
import { keysOf, loadVectors, type VectorKeys } from '../kit/vectors.ts';
import { vectorServer } from '../scenarios/transports/vector-server.ts';
import { askJudge, type WebAnswer, webTransport } from '../scenarios/transports/web.ts';
import { NO_BROWSER, type OpenPage, openBrowser, type TestBrowser } from './support/browser.ts';

const files = loadVectors();

/** The scripts that the page itself loads for verification. */
function judgeScripts(): string[] {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'packages/web/dist/manifest.json'), 'utf8'));
  return ['judge.ts', 'judge-page.ts', 'trust.ts', 'own-lists.ts'].map(
    (name) => `/${manifest[`src/verify/${name}`]?.file ?? `missing ${name}`}`,
  );
}

describe.skipIf(NO_BROWSER !== null)('every vector, judged in the page of the offline verifier', () => {
  let scene: Scene;
  let browser: TestBrowser;
  let open: OpenPage;

  beforeAll(async () => {
    scene = await openScene();
    browser = await openBrowser(scene.service.url);
    open = await browser.open('/verify');
    // under the page's policy, with its own built scripts
    await open.page.evaluate(
      `Promise.all(${JSON.stringify(judgeScripts())}.map((path) => import(path))).then((parts) => {
        globalThis.judge = Object.assign({}, ...parts);
        globalThis.askJudge = ${askJudge};
      })`,
    );
  });
  afterAll(async () => {
    await browser?.close();
    await scene?.close();
  });

  const transport = webTransport(
    'web',
    async (vector, keys) => JSON.parse(await asked(open.page, vector, keys)) as WebAnswer,
    async () => {},
  );

  it.each(files)('$file', async ({ jwks, vectors }) => {
    for (const vector of vectors.filter((one) => transport.cannot(one) === null)) {
      const keys = keysOf(jwks, vector);
      expect([vector.id, await transport.run(vector, keys)]).toEqual([
        vector.id,
        transport.expected(vector, keys),
      ]);
    }
    open.expectClean();
  });

  it('those that a saved page cannot represent, in the page that asks the service', async () => {
    const server = await vectorServer();
    const asking = await browser.open('/', {
      prepare: (page) =>
        page.route('**/page-checks', async (route) => {
          const url = `${server.url}${new URL(route.request().url()).pathname}`;
          await route.fulfill({ response: await route.fetch({ url }) });
        }),
    });
    const { page } = asking;
    const left = files.flatMap(({ jwks, vectors }) =>
      vectors
        .filter((one) => transport.cannot(one) !== null)
        .map((vector) => [vector, keysOf(jwks, vector)] as const),
    );
    for (const [vector, keys] of left) {
      if (vector.kind !== 'page') throw new Error(`${vector.id} is left out`);
      server.show(vector, keys);
      await page.goto(scene.service.url);
      await page.fill('#url', vector.input.url);
      await page.press('#url', 'Enter');
      await page.locator('[data-verdict]').first().waitFor();
      const told = await page.locator('article.report').innerText();
      const { verdict, checks, lead } = vector.expect;
      expect([vector.id, await page.locator('.verdict').getAttribute('data-verdict')]).toEqual([
        vector.id,
        verdict,
      ]);
      expect([vector.id, await checksShown(page)]).toEqual([vector.id, checks ?? {}]);
      if (lead !== undefined) expect(told).toContain(sentenceOf(lead));
    }
    expect(left).toHaveLength(12);
    await asking.close();
    await server.close();
  });

  it('all are run, except for the given reasons', () => {
    const all = files.flatMap(({ vectors }) => vectors);
    const reasons = all.map((vector) => transport.cannot(vector)).filter((reason) => reason !== null);
    expect([all.length - reasons.length, reasons.length]).toEqual([1165, 12]);
  });
});

/** Results by check, as shown on the page. */
async function checksShown(page: Page): Promise<Record<string, boolean | null>> {
  const shown = (await page
    .locator('[data-check]')
    .evaluateAll((all) => all.map(({ dataset }) => [dataset.check, dataset.state]))) as [string, string][];
  return Object.fromEntries(
    shown.map(([name, state]) => [name, state === 'not-run' ? null : state === 'passed']),
  );
}

function sentenceOf(code: string): string {
  const sentences: Readonly<Record<string, string>> = { ...en.pageCodes, ...en.reasons };
  return sentences[code] ?? `no sentence of ${code}`;
}

/** As text, so that lone surrogates and unusual names are preserved. */
function asked(page: Page, vector: unknown, given: VectorKeys): Promise<string> {
  const [one, keys] = [vector, given].map((value) => JSON.stringify(JSON.stringify(value ?? null)));
  return page.evaluate(
    `askJudge(judge, JSON.parse(${one}), JSON.parse(${keys})).then(JSON.stringify)`,
  ) as Promise<string>;
}
