import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { chromiumPath } from '../../support/installed.ts';
import type { Arm, Outcome } from './arm.ts';
import { coreArm } from './core.ts';

/** The pure packages, bundled for browsers and run in the system's Chromium, with its WebCrypto and URL parser. */
export async function chromiumArm(): Promise<Arm> {
  const { outputFiles } = await build({
    stdin: {
      contents: "export { coreArm } from './core.ts'",
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    format: 'iife',
    globalName: 'touchstone',
    write: false,
  });
  const browser = await chromium.launch({
    executablePath: chromiumPath() ?? '',
    args: ['--no-sandbox'],
  });
  const page = await browser.newPage();
  // WebCrypto wants an address that counts as secure; nothing of it leaves the browser
  await page.route('**', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
  await page.goto('https://verifier.example/');
  await page.addScriptTag({ content: `${outputFiles[0]?.text}; globalThis.arm = touchstone.coreArm();` });
  return {
    ...coreArm(),
    name: 'chromium',
    async run(vector, jwks) {
      // as text, so that lone surrogates and odd names arrive as they are
      const call = `arm.run(JSON.parse(${quoted(vector)}), JSON.parse(${quoted(jwks)})).then(JSON.stringify)`;
      return JSON.parse((await page.evaluate(call)) as string) as Outcome;
    },
    close: () => browser.close(),
  };
}

/** A value as the text of its JSON, quoted as a JavaScript literal. */
function quoted(value: unknown): string {
  return JSON.stringify(JSON.stringify(value ?? null));
}
