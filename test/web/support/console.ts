import type { Page } from 'playwright-core';
import { openScene, type Scene } from '../../kit/service.ts';
import { type OpenPage, openBrowser, type TestBrowser, type View } from './browser.ts';

/** A service with its console in a browser. */
export interface ConsoleScene {
  readonly scene: Scene;
  readonly browser: TestBrowser;
  readonly operatorKey: string;
  /** Creates a merchant and a key for it. */
  merchant(name: string): Promise<{ readonly id: string; readonly key: string }>;
  /** Creates a store for a merchant; its domain is not proven. */
  store(merchantId: string, url: string, name?: string): Promise<string>;
  signIn(key: string, path?: string, view?: View): Promise<OpenPage>;
  close(): Promise<void>;
}

export async function openConsole(settings: Readonly<Record<string, string>> = {}): Promise<ConsoleScene> {
  const scene = await openScene({
    // browsers on loopback send cookies over plain http
    TOUCHSTONE_BASE_URL: 'http://certificates.example',
    TOUCHSTONE_CERTIFICATES_AHEAD: 'true',
    ...settings,
  });
  const browser = await openBrowser(scene.service.url);
  return {
    scene,
    browser,
    operatorKey: scene.service.operatorKey ?? '',
    async merchant(name) {
      const { id } = await scene.operate('POST', '/merchants', { name, planCapacity: 50 });
      const { key } = await scene.operate('POST', `/merchants/${id}/api-keys`, { label: 'console' });
      return { id: String(id), key: String(key) };
    },
    async store(merchantId, url, name = 'Shop') {
      const { id } = await scene.operate('POST', '/stores', { merchantId, name, url });
      return String(id);
    },
    async signIn(key, path = '/console', view = {}) {
      const opened = await browser.open(path, view);
      await opened.page.locator('input[type=password]').fill(key);
      await opened.page.keyboard.press('Enter');
      await opened.page.locator('.side').waitFor({ state: 'attached' });
      return opened;
    },
    async close() {
      await browser.close();
      await scene.close();
    },
  };
}

/** Waits until the page's requests are complete. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await page.locator('.waiting').first().waitFor({ state: 'detached' });
}
