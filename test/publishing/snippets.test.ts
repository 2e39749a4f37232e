import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request, type Server } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { certificateJson } from '@touchstone/certificate/embed';
import {
  createTestIssuer,
  TEST_ISSUER,
  TEST_PRODUCT,
  type TestIssuer,
} from '@touchstone/certificate/testing';
import { verifyFromHtml } from '@touchstone/page';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../../packages/cli/src/testing.ts';
import { ROOT } from '../kit/imports.ts';
import { toolPath } from '../kit/installed.ts';
import { closeServer, httpServer, portOf, type TestServer } from '../kit/servers.ts';

// Tested manually with the packed packages, since they install too much for CI: the snippets of Next (16.4) and Astro (7.3, with
// @astrojs/node), built and served; each page was verified. Here React runs Next's component.

const run = promisify(execFile);
const GUIDE = readFileSync(join(ROOT, 'docs/guides/embedding.md'), 'utf8');
const PHP = ['/usr/bin/php', '/usr/local/bin/php'].find(existsSync) ?? null;
const NGINX = ['/usr/sbin/nginx', '/usr/local/bin/nginx'].find(existsSync) ?? null;
const EXPRESS = toolPath('edge', 'express/package.json');
const isInstalled = EXPRESS !== null;
const installed = createRequire(join(ROOT, 'tools/edge/package.json'));

/** The first code block below a heading of the guide. */
function snippet(heading: string): string {
  const below = GUIDE.slice(GUIDE.indexOf(`\n## ${heading}\n`));
  return /```\w+\n([\s\S]*?)```/.exec(below)?.[1] ?? '';
}

let folder: string;
let issuer: TestIssuer;
let certificate: Record<string, unknown>;
let service: TestServer;
const before = process.env.TOUCHSTONE_SERVICE;
beforeAll(async () => {
  await mkdir(join(ROOT, 'dist'), { recursive: true });
  // inside the project, so that our packages are found as by their users
  folder = await mkdtemp(join(ROOT, 'dist/snippets-'));
  issuer = await createTestIssuer();
  certificate = await issuer.certificate({ issuedAt: new Date() });
  await mkdir(join(folder, 'certificates'));
  await writeFile(join(folder, 'certificates/pulled.json'), '{}');
  await writeFile(join(folder, `certificates/${TEST_PRODUCT.productId}.json`), JSON.stringify(certificate));
  service = await httpServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/ld+json' }).end(JSON.stringify(certificate));
  });
  process.env.TOUCHSTONE_SERVICE = service.url;
});
afterAll(async () => {
  if (before === undefined) delete process.env.TOUCHSTONE_SERVICE;
  else process.env.TOUCHSTONE_SERVICE = before;
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

async function verdictOf(html: string): Promise<string> {
  const { verdict } = await verifyFromHtml(html, {
    pageUrl: TEST_PRODUCT.url,
    trustedIssuers: [TEST_ISSUER],
    jwks: issuer.jwks,
    now: new Date(),
  });
  return verdict;
}

/** Runs a snippet as a module; other packages come from a separate installation. */
async function load(name: string, code: string): Promise<Record<string, unknown>> {
  const others = (source: string) =>
    source.replace(
      /from ["'](express|react[\w/-]*)["']/g,
      (_, of: string) => `from '${pathToFileURL(installed.resolve(of)).href}'`,
    );
  const file = join(folder, `${name}.mjs`);
  await writeFile(file, others(code));
  return (await import(file)) as Record<string, unknown>;
}

/** The body of a response, once the server is listening. */
async function overSocket(socketPath: string, path: string): Promise<string> {
  while (!existsSync(socketPath)) await delay(20);
  const asked = request({ socketPath, path, agent: false }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return text(response);
}

const skipped = isInstalled ? '' : ' (skipped: npm run tools)';

describe('the snippets of the embedding guide', () => {
  it.skipIf(!isInstalled)(`Express${skipped}`, async () => {
    const { app } = (await load('express', snippet('Express'))) as { app: { listen(port: number): Server } };
    const server = app.listen(0);
    await once(server, 'listening');
    const page = await (await fetch(`http://127.0.0.1:${portOf(server)}/products/cup`)).text();
    await closeServer(server);
    expect(await verdictOf(page)).toBe('verified');
  });

  it.skipIf(!isInstalled)(`Next: its component, by React${skipped}`, async () => {
    const { code } = await transform(snippet('Next'), { loader: 'jsx', jsx: 'automatic' });
    const { default: Page } = (await load('next', code)) as { default: (props: object) => Promise<unknown> };
    const { renderToStaticMarkup } = installed('react-dom/server') as {
      renderToStaticMarkup(element: unknown): string;
    };
    const page = renderToStaticMarkup(await Page({ params: Promise.resolve({ name: 'cup' }) }));
    expect(page).toContain('data-touchstone');
    expect(await verdictOf(page)).toBe('verified');
  });

  it.skipIf(!isInstalled)(`Eleventy, then touchstone embed${skipped}`, async () => {
    const input = join(folder, 'eleventy');
    await mkdir(input);
    const page = `<!doctype html><html><head><link rel="canonical" href="${TEST_PRODUCT.url}"></head><body>Cup</body></html>`;
    await writeFile(join(input, 'cup.html'), page);
    const bin = toolPath('edge', '@11ty/eleventy/cmd.cjs') ?? '';
    await run(process.execPath, [bin, '--input=.', '--output=_site', '--quiet'], { cwd: input });
    const [, command = ''] = /`eleventy && touchstone ([^`]+)`/.exec(GUIDE) ?? [];
    const args = command
      .replace('_site', join(input, '_site'))
      .replace(/certificates$/, join(folder, 'certificates'));
    expect(await runCli(args.split(' '))).toMatchObject({ code: 0 });
    expect(await verdictOf(readFileSync(join(input, '_site/cup/index.html'), 'utf8'))).toBe('verified');
  });

  it.skipIf(!isInstalled)(`Liquid${skipped}`, async () => {
    const { Liquid } = installed('liquidjs') as {
      Liquid: new () => { parseAndRender(template: string, data: object): Promise<string> };
    };
    const liquid = new Liquid();
    const page = await liquid.parseAndRender(snippet('Liquid'), {
      certificate_json: certificateJson(certificate),
    });
    expect(await verdictOf(page)).toBe('verified');
    expect((await liquid.parseAndRender(snippet('Liquid'), {})).trim()).toBe('');
  });

  it.skipIf(NGINX === null)(`nginx${NGINX === null ? ' (skipped: there is no nginx)' : ''}`, async () => {
    const site = join(folder, 'nginx');
    const [, markup = ''] = /```html\n([\s\S]*?)```/.exec(GUIDE.slice(GUIDE.indexOf('\n## nginx\n'))) ?? [];
    const pageWith = (id: string) =>
      `<!doctype html><html><head>${markup.replace('PRODUCT-ID', id)}</head><body>Cup</body></html>`;
    await mkdir(join(site, 'products'), { recursive: true });
    await writeFile(join(site, 'products/cup.html'), pageWith(TEST_PRODUCT.productId));
    await writeFile(join(site, 'products/gone.html'), pageWith('0b54ecb8-6a0c-4d43-a2ee-ae49e0c8a0a7'));
    const socket = join(site, 'nginx.sock');
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${site}/${name};`,
    );
    const snippetHere = snippet('nginx').replace(
      '/srv/shop/certificates/',
      `${join(folder, 'certificates')}/`,
    );
    const config = `daemon off; ${process.getuid?.() === 0 ? 'user root;' : ''} pid ${site}/pid; error_log stderr;
      events {} http { access_log off; types { text/html html; } ${temporary.join(' ')}
      server { listen unix:${socket}; root ${site}; ${snippetHere} } }`;
    await writeFile(join(site, 'nginx.conf'), config);
    const nginx = spawn(NGINX ?? '', ['-e', 'stderr', '-c', join(site, 'nginx.conf')], { stdio: 'inherit' });
    const ended = once(nginx, 'exit');
    try {
      expect(await verdictOf(await overSocket(socket, '/products/cup.html'))).toBe('verified');
      expect(await overSocket(socket, '/products/gone.html')).not.toContain('script');
      expect(await overSocket(socket, `/certificates/${TEST_PRODUCT.productId}.json`)).toContain('404');
    } finally {
      nginx.kill();
      await ended;
    }
  });

  it.skipIf(PHP === null)(`PHP${PHP === null ? ' (skipped: there is no php)' : ''}`, async () => {
    const file = join(folder, 'block.php');
    await writeFile(file, `${snippet('PHP')}\necho touchstone_block( $argv[1], $argv[2] );`);
    const block = async (id: string) =>
      (await run(PHP ?? '', [file, id, join(folder, 'certificates')])).stdout;
    expect(await verdictOf(`<!doctype html>${await block(TEST_PRODUCT.productId)}`)).toBe('verified');
    expect(await block('../../etc/passwd')).toBe('');
    expect(await block('0b54ecb8-6a0c-4d43-a2ee-ae49e0c8a0a7')).toBe('');
    const old = await issuer.certificate({ issuedAt: new Date('2026-01-01T00:00:00Z') });
    const ended = '0b54ecb8-6a0c-4d43-a2ee-ae49e0c8a0a8';
    await writeFile(join(folder, `certificates/${ended}.json`), JSON.stringify(old));
    expect(await block(ended)).toBe('');
  });
});
