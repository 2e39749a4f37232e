import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { headlessPath } from '../../kit/installed.ts';
import { coreTransport } from './core.ts';
import type { Outcome, Transport } from './transport.ts';

/** The pure packages, bundled for browsers and run in the system's Chromium, with its WebCrypto and URL parser. */
export async function chromiumTransport(): Promise<Transport> {
  const { outputFiles } = await build({
    stdin: {
      contents: "export { coreTransport } from './core.ts'",
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    format: 'iife',
    globalName: 'touchstone',
    write: false,
  });
  const browser = await chromium.launch({
    executablePath: headlessPath() ?? '',
    args: ['--no-sandbox'],
  });
  const page = await browser.newPage();
  // WebCrypto requires a secure context; no request leaves the browser
  await page.route('**', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
  await page.goto('https://verifier.example/');
  await page.addScriptTag({
    content: `${outputFiles[0]?.text}; globalThis.transport = touchstone.coreTransport();`,
  });
  return {
    ...coreTransport(),
    name: 'chromium',
    async run(vector, keys) {
      // as text, so that lone surrogates and unusual names are preserved
      const call = `transport.run(JSON.parse(${quoted(vector)}), JSON.parse(${quoted(keys)})).then(JSON.stringify)`;
      return JSON.parse((await page.evaluate(call)) as string) as Outcome;
    },
    close: () => browser.close(),
  };
}

/** The JSON text of a value, quoted as a JavaScript literal. */
function quoted(value: unknown): string {
  return JSON.stringify(JSON.stringify(value ?? null));
}
