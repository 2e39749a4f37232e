import { createReadStream } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { chromiumPath } from '../installed.ts';
import { httpServer } from '../servers.ts';
import type { Outcome, PageOptions } from './page.ts';

/** Why browser tests are skipped; `null` if they run. */
export const NO_BROWSER = chromiumPath() === null ? 'there is no Chromium' : null;

/** A page that opens images with these options. */
export interface ImagePage {
  inspect(bytes: Uint8Array): Promise<Outcome & { turns: number }>;
  /** Calls a function of the result of `openImages`, with JSON arguments. */
  call<T>(name: string, ...args: readonly unknown[]): Promise<T>;
  close(): Promise<void>;
}

export interface ImageBrowser {
  /** @param host that appears to serve the page; the default is a secure context */
  openPage(options?: PageOptions, host?: string): Promise<ImagePage>;
  /** Paths of all requests by pages and workers since the last call; complete addresses for other origins. */
  requests(): readonly string[];
  close(): Promise<void>;
}

const WASM = fileURLToPath(import.meta.resolve('@contentauth/c2pa-wasm/c2pa.wasm'));
/** A worker that starts, and then never responds. */
const STUCK = `addEventListener('message', ({ data }) => {
  if (data.kind === 'start') postMessage({ kind: 'ready' });
  else for (;;);
});
postMessage({ kind: 'engine', integrity: '' });`;
/** A browser that adds noise to canvases against fingerprinting. */
const NOISE = `const truly = OffscreenCanvasRenderingContext2D.prototype.getImageData;
OffscreenCanvasRenderingContext2D.prototype.getImageData = function (...box) {
  const image = truly.apply(this, box);
  image.data[5] ^= 1;
  return image;
};`;
/** The strictest policy that the page can have. */
const PAGE_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

/** The system's Chromium, and a server on loopback with a page, its worker and the engine. */
export async function openImageBrowser(): Promise<ImageBrowser> {
  const folder = import.meta.dirname;
  const pageScript = await bundled("export { openImages } from './page.ts'", folder);
  const workerScript = await bundled(
    "import { serveImages } from '@touchstone/image/browser/worker'; serveImages(self)",
    folder,
  );
  const text = (type: string, body: string, policy: string) => (response: ServerResponse) =>
    response.writeHead(200, { 'content-type': type, 'content-security-policy': policy }).end(body);
  const script = (body: string, policy = '') => text('text/javascript', body, policy);
  const routes: Record<string, (response: ServerResponse) => void> = {
    '/': text(
      'text/html',
      '<!doctype html><title>Images</title><script src="/page.js"></script>',
      PAGE_POLICY,
    ),
    '/page.js': script(pageScript),
    // no policy, so that the worker itself must ensure that nothing is requested
    '/worker.js': script(workerScript),
    '/forbidden-worker.js': script(workerScript, "default-src 'none'"),
    '/noisy-worker.js': script(NOISE + workerScript),
    '/stuck.js': script(STUCK),
    '/c2pa.wasm': (response) => createReadStream(WASM).pipe(response),
    '/other.wasm': (response) => response.end('another version'),
  };
  const server = await httpServer(({ url = '' }, response) => {
    const answer = routes[url];
    if (answer === undefined) response.writeHead(404).end();
    else answer(response);
  });
  const { port } = server;
  const browser = await chromium.launch({
    executablePath: chromiumPath() ?? '',
    args: ['--no-sandbox', '--host-resolver-rules=MAP *.example 127.0.0.1'],
  });
  const context = await browser.newContext();
  const requested: string[] = [];
  context.on('request', (request) => requested.push(request.url().replace(`http://127.0.0.1:${port}`, '')));
  return {
    requests: () => requested.splice(0),
    async openPage(options = {}, host = '127.0.0.1') {
      const page = await context.newPage();
      await page.goto(`http://${host}:${port}`);
      await page.evaluate(`globalThis.images = scene.openImages(${JSON.stringify(options)})`);
      const call = <T>(name: string, ...args: readonly unknown[]) =>
        page.evaluate(`images.${name}(...${JSON.stringify(args)})`) as Promise<T>;
      return {
        call,
        inspect: (bytes) => call('inspect', Buffer.from(bytes).toString('base64')),
        close: () => page.close(),
      };
    },
    async close() {
      await browser.close();
      await server.close();
    },
  };
}

async function bundled(contents: string, resolveDir: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir },
    bundle: true,
    format: 'iife',
    globalName: 'scene',
    platform: 'browser',
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}
