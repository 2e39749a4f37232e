import { CONCLUSION_TABLE, reportContradictions } from '@touchstone/certificate';
import type { PageReport } from '@touchstone/contract';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openScene, type Scene } from '../support/service.ts';
import {
  axeFindings,
  look,
  NO_BROWSER,
  type OpenPage,
  openBrowser,
  overflowsSideways,
  SIZES,
  type TestBrowser,
} from './support/browser.ts';
import { CONCLUDED_REPORTS } from './support/concluded-reports.ts';

const TONES = { good: 'good', caution: 'caution', bad: 'bad', none: 'neutral' } as const;
const LEVELS = new Map(CONCLUSION_TABLE.map(({ code, level }) => [code, level]));

describe.skipIf(NO_BROWSER !== null)('each conclusion on the check page', () => {
  let scene: Scene;
  let browser: TestBrowser;
  const opened = new Map<string, OpenPage>();

  beforeAll(async () => {
    scene = await openScene();
    browser = await openBrowser(scene.service.url);
  });
  afterAll(async () => {
    await browser?.close();
    await scene?.close();
  });

  /** Shows a report as if the service had answered with it. */
  async function show(report: PageReport, locale: string): Promise<OpenPage> {
    const path = `/check?url=${encodeURIComponent(report.url)}`;
    const open = opened.get(locale) ?? (await browser.open('/', { size: 'phone', locale }));
    opened.set(locale, open);
    const { page } = open;
    await page.unroute('**/page-checks');
    await page.route('**/page-checks', (route) => route.fulfill({ json: report }));
    // a product of a made report has no certificate here
    await page.route('**/certificate', (route) => route.fulfill({ json: {} }));
    await page.setViewportSize(SIZES.phone);
    await page.goto(new URL(path, page.url()).href);
    await page.locator('#verdict').waitFor();
    return open;
  }

  it.each(CONCLUDED_REPORTS)(
    '%s: its mark, colour and words are its level’s, on a phone and wider',
    async (code, report) => {
      // the report itself leads to this conclusion, and does not contradict itself
      expect([report.conclusion.code, reportContradictions(report, { url: report.url })]).toEqual([code, []]);
      const level = LEVELS.get(code) ?? 'none';
      for (const locale of ['en-GB', 'es-ES']) {
        const open = await show(report, locale);
        const { page } = open;
        const verdict = page.locator('.verdict');
        expect(await verdict.getAttribute('data-conclusion')).toBe(code);
        expect(await verdict.getAttribute('data-tone')).toBe(TONES[level]);
        expect(await verdict.getAttribute('data-verdict')).toBe(report.verdict);
        const words = (await verdict.textContent()) ?? '';
        expect(words).not.toMatch(/\{\w+\}|undefined/);
        // the sentence is read before anything else, with its meaning
        expect(await bottomOf(page, '#verdict')).toBeLessThan(SIZES.phone.height);
        for (const size of ['phone', 'desktop'] as const) {
          await page.setViewportSize(SIZES[size]);
          await look(page, `conclusion ${code}`, `${size}-${locale}`);
          expect([size, locale, await overflowsSideways(page)]).toEqual([size, locale, false]);
          if (locale === 'en-GB') expect([size, await axeFindings(page)]).toEqual([size, []]);
        }
        open.expectClean();
      }
    },
  );
});

async function bottomOf(page: Page, selector: string): Promise<number> {
  const box = await page.locator(selector).boundingBox();
  return (box?.y ?? 0) + (box?.height ?? 0);
}
