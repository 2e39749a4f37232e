import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Frame, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { chromiumPath, headlessPath } from '../../kit/installed.ts';

/** Why browser tests are skipped; `null` if they run. */
export const NO_BROWSER = chromiumPath() === null ? 'there is no Chromium' : null;

/** Tested widths: a phone of 360 px, and a desktop. */
export const SIZES = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 800 } } as const;
export const SCHEMES = ['light', 'dark'] as const;

/** The views of every state of a page (`page-states.test.ts`). */
export const ALL_VIEWS = (['phone', 'desktop'] as const).flatMap((size) =>
  SCHEMES.map((scheme) => ({ size, scheme }) as const),
);
/** The views of every user journey: each width and each colour scheme once. */
export const VIEWS = [
  { size: 'phone', scheme: 'dark', host: 'phone.example' },
  { size: 'desktop', scheme: 'light', host: 'desktop.example' },
] as const;
/** Timeout in milliseconds for one of several concurrent journeys, on a busy machine. */
export const PATIENCE = 240_000;

export interface View {
  readonly size?: keyof typeof SIZES;
  readonly scheme?: (typeof SCHEMES)[number];
  readonly locale?: string;
  readonly context?: BrowserContextOptions;
  /** Runs before the page is opened. */
  readonly prepare?: (page: Page) => Promise<unknown> | undefined;
}

/** A page, with everything that must not happen on it. */
export interface OpenPage {
  readonly page: Page;
  /** Requests by the page or its workers to other origins. */
  readonly foreign: readonly string[];
  /** Errors and warnings of the console, including policy violations, and exceptions. */
  readonly faults: readonly string[];
  /** Clears the faults so far, for example after provoking one. */
  forgive(): void;
  /** No request to another origin, and no faults. */
  expectClean(): void;
  close(): Promise<void>;
}

export interface TestBrowser {
  readonly browser: Browser;
  /** @param path of the service, or a complete address */
  open(path: string, view?: View): Promise<OpenPage>;
  close(): Promise<void>;
}

/**
 * @param origin - of the service whose pages are opened
 * @param args - switches of the whole browser, which is slower
 */
export async function openBrowser(origin: string, args: readonly string[] = []): Promise<TestBrowser> {
  const browser = await chromium.launch({
    executablePath: (args.length === 0 ? headlessPath() : chromiumPath()) ?? '',
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
 * Violations of WCAG 2.2 AA and best practices that axe finds: `[]` if there are none.
 *
 * @param rules - of axe; by default all
 */
export async function axeFindings(page: Page | Frame, rules?: readonly string[]): Promise<string[]> {
  // bypasses the page's policy, which blocks all scripts but its own
  if (!(await page.evaluate('Boolean(globalThis.axe)'))) await page.evaluate(AXE);
  const results = (await page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(rules ?? AXE_TAGS)} })`,
  )) as AxeResults;
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  );
}

/** Folder for screenshots of all states, for manual review. */
export const PICTURES = process.env.TOUCHSTONE_STATE_PICTURES;

/** Takes a screenshot, if requested. */
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

/** No findings by axe, no overflow, no faults, and no requests to others. */
export async function expectSound({ page, expectClean }: OpenPage): Promise<void> {
  // named in the order in which they are visited
  await look(page, `${Date.now()} ${await page.title()}`, 'seen');
  expect(await axeFindings(page)).toEqual([]);
  expect(await overflowsSideways(page)).toBe(false);
  expectClean();
}

/** The layout shift of a page since it was opened (Cumulative Layout Shift). */
export async function shiftOf(page: Page): Promise<number> {
  return (await page.evaluate(`new Promise((resolve) => {
    let sum = 0;
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) sum += value;
    }).observe({ type: 'layout-shift', buffered: true });
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(sum), 100)));
  })`)) as number;
}

/** Presses Tab until the focused element matches, like a user without a mouse. */
export async function tabTo(page: Page, selector: string, most = 40): Promise<void> {
  for (let presses = 0; presses < most; presses += 1) {
    await page.keyboard.press('Tab');
    if (await page.locator(`${selector}:focus`).count()) return;
  }
  throw new Error(`the keyboard does not get to ${selector}`);
}
