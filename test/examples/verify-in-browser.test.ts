import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestIssuer, TEST_ISSUER, TEST_PRODUCT } from '@touchstone/certificate/testing';
import { build } from 'esbuild';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../kit/imports.ts';
import { chromiumPath } from '../kit/installed.ts';

const executablePath = chromiumPath();
const why = executablePath === null ? ' (skipped: there is no Chromium)' : '';
const HTML = readFileSync(join(ROOT, 'examples/verify-in-browser.html'), 'utf8');
const issuer = await createTestIssuer();

describe.skipIf(executablePath === null)(`examples/verify-in-browser.html, in Chromium${why}`, () => {
  let browser: Browser;
  let bundle: string;

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executablePath ?? '', args: ['--no-sandbox'] });
    const { outputFiles } = await build({
      entryPoints: [join(ROOT, 'packages/certificate/src/index.ts')],
      bundle: true,
      format: 'esm',
      minify: true,
      write: false,
    });
    bundle = outputFiles[0]?.text ?? '';
  });
  afterAll(() => browser.close());

  /** The example's output at this address with this certificate on the page. */
  async function shownAt(url: string, certificate: object, keys: object | null): Promise<string> {
    const page = await browser.newPage();
    const script = (node: object) => `<script type="application/ld+json">${JSON.stringify(node)}</script>`;
    // most shops have their own JSON-LD for the product
    const node = script({ '@type': 'Product', name: 'Cup' }) + script(certificate);
    await page.route('**', (route) =>
      route.fulfill({ contentType: 'text/html', body: HTML.replace('<!-- certificate -->', node) }),
    );
    await page.route('**/touchstone.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: bundle }),
    );
    await page.route(`${TEST_ISSUER}/**`, (route) =>
      keys === null
        ? route.fulfill({ status: 503 })
        : route.fulfill({ json: keys, headers: { 'access-control-allow-origin': '*' } }),
    );
    await page.goto(url);
    await page.locator('[role=status]:not(:text("Verifying"))').waitFor();
    const shown = await page.locator('[role=status], li').allTextContents();
    await page.close();
    return shown.map((text) => text.replace(/^([a-z_]+: ?[a-z_]*).*/s, '$1')).join(' | ');
  }

  it('shows that it is verified, that it is a copy, and that there is no verdict', async () => {
    const certificate = await issuer.certificate({ issuedAt: new Date() });
    expect(await shownAt(`${TEST_PRODUCT.url}?utm_source=mail#top`, certificate, issuer.jwks)).toBe(
      'verified',
    );
    const copied = await shownAt('https://copy.example/products/cup', certificate, issuer.jwks);
    expect(copied).toMatch(/^failed \| domain_differs: .*\| url_differs: /);
    expect(await shownAt(TEST_PRODUCT.url, certificate, null)).toBe('no verdict: keys_unavailable');
  });
});
