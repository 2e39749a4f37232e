import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Frame, Page } from 'playwright-core';
import { ROOT } from '../../kit/imports.ts';

/** Installed separately: `npm run tools`. */
const FOLDER = join(ROOT, 'tools/mcp');

/** Why tests of cards are skipped; `null` if they run. */
export const NO_APPS = existsSync(join(FOLDER, 'node_modules/@modelcontextprotocol/ext-apps'))
  ? null
  : 'the library of MCP Apps is not installed (npm run tools)';

/** A client that shows cards, by the other side of the protocol's own library, under the policy that it prescribes for cards without a `csp`. */
const HOST = `
import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';
globalThis.openCard = async (html, hostContext) => {
  const frame = document.createElement('iframe');
  frame.title = 'card';
  frame.sandbox = 'allow-scripts';
  frame.style = 'border:0;width:100%;height:40px';
  frame.srcdoc = html;
  const bridge = new AppBridge(null, { name: 'test-host', version: '1' }, {}, { hostContext });
  bridge.onsizechange = ({ height }) => { frame.style.height = height + 'px'; };
  const ready = new Promise((resolve) => { bridge.oninitialized = resolve; });
  document.body.replaceChildren(frame);
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  await ready;
  globalThis.bridge = bridge;
};`;

const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; connect-src 'none'";

/** The client's page, as markup. */
export async function hostPage(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: HOST, resolveDir: FOLDER },
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2023',
  });
  const script = (outputFiles[0]?.text ?? '').replaceAll('</script', '<\\/script');
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta http-equiv="Content-Security-Policy" content="${POLICY}"><title>host</title><style>body{margin:0}</style><body><script>${script}</script></body></html>`;
}

/** Opens the card in a page of the client, as far as its greeting; returns its frame. */
export async function openCard(page: Page, html: string, context: object): Promise<Frame> {
  await page.evaluate(`openCard(${JSON.stringify(html)}, ${JSON.stringify(context)})`);
  const frame = page.frames().find((one) => one.parentFrame() !== null);
  if (frame === undefined) throw new Error('the client shows no card');
  return frame;
}

/** Has the client tell the card something: `sendToolResult`, `setHostContext` … of AppBridge. */
export async function tell(page: Page, method: string, params: object): Promise<unknown> {
  return page.evaluate(`bridge.${method}(${JSON.stringify(params)})`);
}
