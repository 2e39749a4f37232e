import { CONCLUSION_TABLE, type ConclusionCode, reportContradictions } from '@touchstone/certificate';
import type { PageReport } from '@touchstone/contract';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { en } from '../../packages/web/src/text/en.ts';
import { es } from '../../packages/web/src/text/es.ts';
import { openScene, type Scene } from '../kit/service.ts';
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
    // a product of a made report has no certificate here, and its report no pictures
    await page.route('**/pictures?*', (route) =>
      route.fulfill({ json: { state: 'done', matches: [], findings: [] } }),
    );
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

describe.skipIf(NO_BROWSER !== null)('each conclusion on the badge', () => {
  let browser: TestBrowser;
  let code = '';

  beforeAll(async () => {
    browser = await openBrowser('about:blank');
    const { outputFiles } = await build({
      stdin: { contents: DRAWN, resolveDir: import.meta.dirname, loader: 'ts' },
      bundle: true,
      write: false,
      format: 'iife',
      globalName: 'badges',
      target: 'es2023',
    });
    code = outputFiles[0]?.text ?? '';
  });
  afterAll(() => browser?.close());

  it.each([
    ['en', en.badge],
    ['es', es.badge],
  ] as const)(
    'in %s: its words fit, and only what is good has the tick and the colour of it',
    async (lang, text) => {
      const { page, close } = await browser.open('about:blank', { size: 'phone' });
      await page.setContent('<!doctype html><html lang="en"><title>Badges</title><body><main></main>');
      await page.addScriptTag({ content: code });
      await page.evaluate(
        `badges.drawAll(${JSON.stringify({ [lang]: text, en: en.badge })}, '${lang}', ${JSON.stringify(Object.fromEntries(LEVELS))})`,
      );
      const drawn = (await page.evaluate('badges.measured()')) as Measured[];
      expect(drawn.map(({ name }) => name)).toEqual(CONCLUSION_TABLE.map(({ code: name }) => name));
      expect(drawn.filter(({ isCut }) => isCut)).toEqual([]);
      // only what is good has the tick; colours are those of the levels
      const ticks = drawn.filter(({ marks }) => marks === drawn.find(({ name }) => name === GOOD)?.marks);
      expect(ticks.map(({ name }) => name)).toEqual([GOOD]);
      const tones = new Map(drawn.map(({ name, tone }) => [LEVELS.get(name as ConclusionCode), tone]));
      expect(new Set(tones.values()).size).toBe(4);
      expect(
        drawn.filter(({ name, tone }) => tones.get(LEVELS.get(name as ConclusionCode)) !== tone),
      ).toEqual([]);
      await look(page, 'badges', lang);
      expect(await axeFindings(page, ['color-contrast'])).toEqual([]);
      await close();
    },
  );
});

const GOOD: ConclusionCode = 'issued_to_proven_host';

interface Measured {
  readonly name: string;
  /** Whether a line of it is too long. */
  readonly isCut: boolean;
  readonly tone: string;
  /** The drawing of its icon. */
  readonly marks: string;
}

/** Draws a badge for each conclusion. */
const DRAWN = `
import { SHOWN } from '../../packages/web/src/badge/shown-conclusions.ts';
import { STYLE } from '../../packages/web/src/badge/style.ts';
import { createLink, draw } from '../../packages/web/src/badge/view.ts';
const FACTS = { domain: 'kilnhouse.example', product: 'Pot number 6', expiresAt: '2026-03-08T12:00:00Z' };
export function drawAll(texts, language, levels) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  for (const [name, shown] of Object.entries(SHOWN)) {
    const host = document.createElement('div');
    host.dataset.name = name;
    const root = host.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [sheet];
    const drawn = createLink();
    root.append(drawn.link);
    draw(drawn, { result: { ...shown, ...FACTS, level: levels[name] }, language, href: 'https://certificates.example/', target: '_self', isLive: false }, texts);
    document.querySelector('main').append(host);
  }
}
export function measured() {
  return [...document.querySelectorAll('main > div')].map((host) => {
    const icon = host.shadowRoot.querySelector('svg');
    return {
      name: host.dataset.name,
      isCut: [...host.shadowRoot.querySelectorAll('b, small')].some((one) => one.scrollWidth > one.clientWidth),
      tone: getComputedStyle(icon).color,
      marks: icon.innerHTML,
    };
  });
}
`;

async function bottomOf(page: Page, selector: string): Promise<number> {
  const box = await page.locator(selector).boundingBox();
  return (box?.y ?? 0) + (box?.height ?? 0);
}
