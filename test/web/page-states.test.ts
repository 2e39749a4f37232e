import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ALL_VIEWS,
  axeFindings,
  look,
  NO_BROWSER,
  openBrowser,
  overflowsSideways,
  PATIENCE,
  PICTURES,
  SIZES,
  type TestBrowser,
} from './support/browser.ts';
import { openStage, PAGE_STATES, type PageState, reach, type Stage } from './support/page-states.ts';

/** Words that are too long mostly show in every state; on request, every state is opened in Spanish, too. */
const IN_SPANISH =
  process.env.TOUCHSTONE_EVERY_STATE === undefined && PICTURES === undefined
    ? PAGE_STATES.filter((_, place) => place % 4 === 0)
    : PAGE_STATES;

describe.skipIf(NO_BROWSER !== null)('every state of every page', () => {
  let stage: Stage;
  let browser: TestBrowser;

  beforeAll(async () => {
    stage = await openStage();
    browser = await openBrowser(stage.images.scene.service.url);
  });
  afterAll(async () => {
    await browser?.close();
    await stage?.close();
  });

  it.concurrent.each(PAGE_STATES)(
    '$name: is accessible',
    async (state) => {
      const open = await reach(browser, stage, state, { size: 'phone', scheme: 'light' });
      const { page } = open;
      for (const { size, scheme } of ALL_VIEWS) {
        // the same document: only styles depend on width and colours
        await page.emulateMedia({ colorScheme: scheme });
        await page.setViewportSize(SIZES[size]);
        await look(page, state.name, `${size}-${scheme}`);
        // in dark mode, only colours differ
        const rules = scheme === 'dark' ? ['color-contrast'] : undefined;
        expect([size, scheme, await axeFindings(page, rules)]).toEqual([size, scheme, []]);
        expect([size, scheme, await overflowsSideways(page)]).toEqual([size, scheme, false]);
      }
      await page.setViewportSize(SIZES.phone);
      await page.emulateMedia({ colorScheme: 'light' });
      expect(await brokenAtTwiceTheSize(page)).toEqual([]);
      await look(page, state.name, 'double');
      open.expectClean();
      await open.close();
    },
    PATIENCE,
  );

  it('marks keep their shape with forced colours', async () => {
    const open = await browser.open(
      PAGE_STATES.find(({ name }) => name === 'check verified')?.path(stage) ?? '',
    );
    const { page } = open;
    await page.locator('[data-verdict=verified] .verdict-mark').waitFor();
    await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' });
    const [ground, sign] = (await page.evaluate(
      `['ground', 'sign'].map((name) => document.querySelector('.verdict-mark .' + name)).map((one) => [getComputedStyle(one).fill, getComputedStyle(one).stroke])`,
    )) as string[][];
    expect(sign?.[1]).not.toBe(ground?.[0]);
    await open.close();
  });

  it('print contains what is worth keeping, and no controls', async () => {
    for (const name of ['check another_host', 'certificate', 'image']) {
      const state = PAGE_STATES.find((one) => one.name === name) as PageState;
      const open = await reach(browser, stage, state, { scheme: 'dark' });
      const { page } = open;
      await page.emulateMedia({ media: 'print' });
      const pressed = page.locator('button:visible, a.button:visible, nav:visible, input[type=text]:visible');
      expect([name, await pressed.evaluateAll((all) => all.map((one) => one.outerHTML))]).toEqual([name, []]);
      const [ink, ground] = (await page.evaluate(
        `[getComputedStyle(document.body).color, getComputedStyle(document.documentElement).backgroundColor]`,
      )) as string[];
      // dark on light, whatever the screen's scheme
      expect([name, lightness(ink), lightness(ground)]).toEqual([name, 'dark', 'light']);
      expect(await page.locator('h1:visible').count()).toBe(1);
      await look(page, name, 'print');
      await open.close();
    }
  });

  it.concurrent.each(IN_SPANISH)(
    '$name: in Spanish',
    async (state) => {
      const open = await reach(browser, stage, state, { size: 'phone', scheme: 'dark', locale: 'es-ES' });
      const { page } = open;
      expect(await page.evaluate('document.documentElement.lang')).toBe('es');
      expect(await overflowsSideways(page)).toBe(false);
      await look(page, state.name, 'spanish');
      open.expectClean();
      await open.close();
    },
    PATIENCE,
  );
});

function lightness(colour: string | undefined): 'dark' | 'light' {
  const [red = 0, green = 0, blue = 0, alpha = 1] = (colour?.match(/[\d.]+/g) ?? []).map(Number);
  // unpainted areas are white on paper
  return alpha > 0 && red + green + blue < 3 * 128 ? 'dark' : 'light';
}

/** Text at twice the size (WCAG 2.2, 1.4.4), at the width of a phone: elements that are cut off, or wider than the window. */
async function brokenAtTwiceTheSize(page: Page): Promise<string[]> {
  await page.evaluate("document.documentElement.style.fontSize = '200%'");
  return (await page.evaluate(`[...document.querySelectorAll('#page *:not(input, textarea)')]
    .filter((one) => {
      const { overflowX, display } = getComputedStyle(one);
      const isCut = display !== 'inline' && overflowX !== 'visible' && one.scrollWidth > one.clientWidth + 1;
      return isCut || one.getBoundingClientRect().right > document.documentElement.clientWidth + 1;
    })
    .map((one) => [one.tagName, one.className, one.textContent.slice(0, 60)].join(' '))`)) as string[];
}
