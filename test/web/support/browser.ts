import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { chromiumPath } from '../../support/installed.ts';

/** Why tests in a browser are skipped; `null` where they run. */
export const NO_BROWSER = chromiumPath() === null ? 'there is no Chromium' : null;

/** Widths that are tried: a phone of 360 px, and a desk. */
export const SIZES = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 800 } } as const;
export const SCHEMES = ['light', 'dark'] as const;

/** Those that every journey of a person is made in. */
export const VIEWS = (['phone', 'desktop'] as const).flatMap((size) =>
  SCHEMES.map((scheme) => ({ size, scheme, host: `${size}-${scheme}.example` }) as const),
);
/** Milliseconds for one of several journeys at once, on a machine that is busy. */
export const PATIENCE = 240_000;

export interface View {
  readonly size?: keyof typeof SIZES;
  readonly scheme?: (typeof SCHEMES)[number];
  readonly locale?: string;
  readonly context?: BrowserContextOptions;
  /** What is done before the page is opened. */
  readonly prepare?: (page: Page) => Promise<unknown> | undefined;
}

/** A page, and what must not have happened on it. */
export interface OpenPage {
  readonly page: Page;
  /** Addresses that the page or its workers asked for on other origins. */
  readonly foreign: readonly string[];
  /** Errors and warnings of the console, violations of the policy among them, and exceptions. */
  readonly faults: readonly string[];
  /** Forgets the faults met so far, as where one was provoked. */
  forgive(): void;
  /** Nothing was asked of another origin, and nothing went wrong. */
  expectClean(): void;
  close(): Promise<void>;
}

export interface TestBrowser {
  readonly browser: Browser;
  /** @param path of the service, or a whole address */
  open(path: string, view?: View): Promise<OpenPage>;
  close(): Promise<void>;
}

/** @param origin of the service that pages are opened from */
export async function openBrowser(origin: string, args: readonly string[] = []): Promise<TestBrowser> {
  const browser = await chromium.launch({
    executablePath: chromiumPath() ?? '',
    args: ['--no-sandbox', ...args],
  });
  return {
    browser,
    open: (path, view = {}) => openPage(browser, new URL(path, origin), view),
    close: () => browser.close(),
  };
}

async function openPage(
  browser: Browser,
  url: URL,
  { size = 'desktop', scheme = 'light', locale = 'en-GB', context: further = {}, prepare }: View,
): Promise<OpenPage> {
  const context = await browser.newContext({
    viewport: SIZES[size],
    colorScheme: scheme,
    locale,
    reducedMotion: 'reduce',
    ...further,
  });
  const foreign: string[] = [];
  const faults: string[] = [];
  context.on('request', (request) => {
    const asked = new URL(request.url());
    if (/^https?:$/.test(asked.protocol) && asked.origin !== url.origin) foreign.push(asked.href);
  });
  context.on('console', (message) => {
    const isOurs = message.text() !== 'Service Worker registration blocked by Playwright';
    if (isOurs && ['error', 'warning'].includes(message.type())) faults.push(message.text());
  });
  context.on('weberror', (error) => void faults.push(String(error.error())));
  const page = await context.newPage();
  await prepare?.(page);
  await page.goto(url.href);
  return {
    page,
    foreign,
    faults,
    forgive: () => void faults.splice(0),
    expectClean: () => expect({ foreign, faults }).toEqual({ foreign: [], faults: [] }),
    close: () => context.close(),
  };
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const AXE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * What axe finds against WCAG 2.2 AA and its best practices: `[]` where all is well.
 *
 * @param rules - of axe, where not all of them are meant
 */
export async function axeFindings(page: Page, rules?: readonly string[]): Promise<string[]> {
  // past the policy of the page, which would stop any script that is not its own
  if (!(await page.evaluate('Boolean(globalThis.axe)'))) await page.evaluate(AXE);
  const results = (await page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(rules ?? AXE_TAGS)} })`,
  )) as AxeResults;
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  );
}

/** Where pictures of all states are put, to be looked at. */
export const PICTURES = process.env.TOUCHSTONE_STATE_PICTURES;

/** Takes one, where that is asked for. */
export async function look(page: Page, name: string, view: string): Promise<void> {
  if (PICTURES === undefined) return;
  mkdirSync(PICTURES, { recursive: true });
  const file = join(PICTURES, `${name.replace(/[^\w-]+/g, '-')}.${view}.png`);
  await page.screenshot({ path: file, fullPage: true });
}

/** Whether anything is wider than the window. */
export async function overflowsSideways(page: Page): Promise<boolean> {
  return (await page.evaluate(
    'document.documentElement.scrollWidth > document.documentElement.clientWidth',
  )) as boolean;
}

/** Axe finds nothing, nothing is wider than the window, nothing went wrong, and nobody else was asked. */
export async function expectSound({ page, expectClean }: OpenPage): Promise<void> {
  // in the order in which they are met
  await look(page, `${Date.now()} ${await page.title()}`, 'seen');
  expect(await axeFindings(page)).toEqual([]);
  expect(await overflowsSideways(page)).toBe(false);
  expectClean();
}

/** How much moved on a page by itself since it was opened (Cumulative Layout Shift). */
export async function shiftOf(page: Page): Promise<number> {
  return (await page.evaluate(`new Promise((resolve) => {
    let sum = 0;
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) sum += value;
    }).observe({ type: 'layout-shift', buffered: true });
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(sum), 100)));
  })`)) as number;
}

/** Presses Tab until what has the focus fits, as whoever has no mouse does. */
export async function tabTo(page: Page, selector: string, most = 40): Promise<void> {
  for (let presses = 0; presses < most; presses += 1) {
    await page.keyboard.press('Tab');
    if (await page.locator(`${selector}:focus`).count()) return;
  }
  throw new Error(`the keyboard does not get to ${selector}`);
}
