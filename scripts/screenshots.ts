/**
 * Takes the screenshots of the documentation: `npm run screenshots`. Starts the demo, opens the addresses that it prints in Chromium, and
 * writes small images to docs/screenshots.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Browser, chromium, type Page } from 'playwright-core';
import sharp from 'sharp';
import { chromiumPath } from '../test/kit/installed.ts';

const PORT = 9400;
const SERVICE = `http://127.0.0.1:${PORT}`;
const SHOP = `http://shop.localhost:${PORT + 1}`;
const COPY = `http://copycat.localhost:${PORT + 1}`;
/** Not by npx, which does not forward signals. */
const CLI = join(import.meta.dirname, '../packages/cli/bin/touchstone.js');
const FOLDER = join(import.meta.dirname, '../docs/screenshots');
const PHONE = { width: 360, height: 740 };
const DESK = { width: 1100, height: 720 };

interface Picture {
  readonly name: string;
  readonly url: string;
  readonly viewport: { readonly width: number; readonly height: number };
  /** Selector to wait for before the screenshot. */
  readonly ready: string;
  readonly before?: (page: Page, operatorKey: string) => Promise<void>;
}

const checkOf = (url: string) => `${SERVICE}/check?url=${encodeURIComponent(url)}`;

const PICTURES: readonly Picture[] = [
  {
    name: 'check-verified',
    url: checkOf(`${SHOP}/products/cup`),
    viewport: PHONE,
    ready: '[data-conclusion=issued_to_proven_host]',
  },
  {
    name: 'check-copied',
    url: checkOf(`${COPY}/products/cup`),
    viewport: DESK,
    ready: '[data-conclusion=another_host]',
  },
  { name: 'badge', url: `${COPY}/products/cup`, viewport: DESK, ready: 'product-certificate a.site' },
  {
    name: 'console',
    url: `${SERVICE}/console`,
    viewport: DESK,
    ready: 'h1',
    before: async (page, operatorKey) => {
      await page.locator('input[type=password]').fill(operatorKey);
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: 'The demo shop' }).first().click();
      await page.getByRole('heading', { level: 1, name: 'The demo shop' }).waitFor();
    },
  },
];

await mkdir(FOLDER, { recursive: true });
const { demo, operatorKey } = await startDemo();
try {
  const executablePath = chromiumPath();
  if (executablePath === null) throw new Error('There is no Chromium on this machine.');
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  for (const picture of PICTURES) await take(browser, picture);
  await browser.close();
} finally {
  demo.kill('SIGINT');
  await once(demo, 'exit');
}

async function startDemo(): Promise<{ demo: ChildProcess; operatorKey: string }> {
  const child = spawn(process.execPath, [CLI, 'demo', '--port', String(PORT)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const key = /Operator key\s+(\S+)/.exec(line)?.[1];
    if (key !== undefined) return { demo: child, operatorKey: key };
  }
  throw new Error('The demo ended before it was up.');
}

async function take(browser: Browser, { name, url, viewport, ready, before }: Picture): Promise<void> {
  const context = await browser.newContext({
    viewport,
    colorScheme: 'light',
    locale: 'en-GB',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await page.goto(url);
  await before?.(page, operatorKey);
  await page.locator(ready).first().waitFor();
  await page.waitForLoadState('networkidle');
  const file = join(FOLDER, `${name}.png`);
  const { size } = await sharp(await page.screenshot())
    .png({ palette: true, colours: 128, effort: 10 })
    .toFile(file);
  console.log(`${name}.png  ${Math.round(size / 1000)} kB`);
  await context.close();
}
