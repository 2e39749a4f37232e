import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { TEST_ISSUER, TEST_PRODUCT } from '@touchstone/certificate/testing';
import type { Downloads } from '@touchstone/contract';
import { build } from 'esbuild';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { beforeAll, describe, expect, it } from 'vitest';
import { LIBRARIES, PUBLISHED } from '../../scripts/packages/build.ts';
import { makeDownloads } from '../../scripts/packages/downloads.ts';
import type { Manifest } from '../../scripts/packages/manifest.ts';
import { releasedVersion } from '../../scripts/packages/version.ts';
import { useFolder } from '../kit/folder.ts';
import { ROOT } from '../kit/imports.ts';
import { toolPath } from '../kit/installed.ts';

const run = promisify(execFile);
const ANSWERS = ['verified', 'failed', 'verified', 'no_trusted_issuer'];
const BIN = join(ROOT, 'node_modules/.bin');
const ATTW = toolPath('packages', '@arethetypeswrong/cli/dist/index.js');

/** The packages' dependencies are installed from a registry. */
const isOffline = await run('npm', ['view', 'zod', 'version', '--fetch-retries=0']).then(
  () => false,
  () => true,
);

const folder = useFolder('published');
let packed: string;
let elsewhere: string;

beforeAll(async () => {
  packed = join(folder, 'npm');
  elsewhere = join(folder, 'elsewhere');
  await mkdir(elsewhere);
  await run(process.execPath, [join(ROOT, 'scripts/pack-packages.ts'), packed]);
}, 600_000);

describe.each(PUBLISHED)('%s, as it is published', (name) => {
  it('resolves: publint finds nothing', async () => {
    const { messages, pkg } = await publint({ pkgDir: join(packed, name), strict: true });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  // nobody imports the command line
  it.skipIf(ATTW === null || name === 'cli')(
    `has types that resolve: attw finds nothing${skipped(ATTW)}`,
    async () => {
      const tarball = (await readdir(packed)).find((file) => file.startsWith(`touchstone-${name}-`)) ?? '';
      const { stdout } = await run(process.execPath, [
        ATTW ?? '',
        join(packed, tarball),
        '--profile',
        'esm-only',
      ]);
      expect(stdout).toContain(`"@touchstone/${name}"`);
    },
  );

  it('contains neither tests nor sources', async () => {
    const files = await readdir(join(packed, name), { recursive: true });
    expect(files.filter((file) => /\.test\.|(?<!\.d)\.ts$/.test(file))).toEqual([]);
    expect(files).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'package.json']));
  });
});

it('packs the service with what merchants install, and equal packages give equal bytes', async () => {
  const again = join(folder, 'downloads');
  // whole builds: release.test.ts
  await makeDownloads(again, packed);
  const listed = await readFile(join(packed, 'server/downloads/downloads.json'), 'utf8');
  expect(await readFile(join(again, 'downloads.json'), 'utf8')).toBe(listed);
  const { downloads } = JSON.parse(listed) as Downloads;
  for (const { file, sha256, bytes } of downloads) {
    const content = await readFile(join(packed, 'server/downloads', file));
    expect([file, content.length, createHash('sha256').update(content).digest('hex')]).toEqual([
      file,
      bytes,
      sha256,
    ]);
  }
});

describe.skipIf(isOffline)(
  `installed in an empty folder${isOffline ? ' (skipped: no registry can be reached)' : ''}`,
  () => {
    beforeAll(async () => {
      const tarballs = (await readdir(packed)).filter((file) => file.endsWith('.tgz'));
      await writeFile(join(elsewhere, 'package.json'), '{"private": true, "type": "module"}');
      for (const file of ['use-sdk.mjs', 'write-files.mjs', 'consumer.ts']) {
        await cp(join(import.meta.dirname, 'elsewhere', file), join(elsewhere, file));
      }
      const files = tarballs.map((file) => join(packed, file));
      const options = ['install', '--no-audit', '--no-fund', '--prefer-offline', ...files];
      await run('npm', options, { cwd: elsewhere });
    }, 600_000);

    it('the service takes 250 MB at most, with all our packages and an embedded database', async () => {
      expect(await megabytesOf(elsewhere)).toBeLessThan(250);
    });

    it('the command line takes 40 MB at most, alone and without the service, and tells its version', async () => {
      const prefix = join(folder, 'prefix');
      const tarball = join(packed, `touchstone-cli-${releasedVersion()}.tgz`);
      const options = [
        'install',
        '--global',
        '--prefix',
        prefix,
        '--no-audit',
        '--no-fund',
        '--prefer-offline',
      ];
      await run('npm', [...options, tarball]);
      expect(await megabytesOf(prefix)).toBeLessThan(40);
      const { stdout } = await run(join(prefix, 'bin/touchstone'), ['--version']);
      const { gitHead } = JSON.parse(await readFile(join(packed, 'cli/package.json'), 'utf8')) as Manifest;
      expect(stdout).toBe(`${releasedVersion()}${gitHead === undefined ? '' : ` (${gitHead})`}\n`);
    });

    const runtimes = {
      'this Node': process.execPath,
      'Node 20': toolPath('runtimes', 'node-20/bin/node'),
      'Node 22': toolPath('runtimes', 'node-22/bin/node'),
    };
    for (const [name, path] of Object.entries(runtimes)) {
      it.skipIf(path === null)(`verifies in ${name}${skipped(path)}`, async () => {
        const script = "import { useSdk } from './use-sdk.mjs'; console.log(JSON.stringify(await useSdk()))";
        const { stdout } = await run(path ?? '', ['--input-type=module', '-e', script], { cwd: elsewhere });
        expect(JSON.parse(stdout)).toEqual(ANSWERS);
        await run(path ?? '', ['--input-type=module', '-e', await importsOfAll()], { cwd: elsewhere });
      });
    }

    const edge = toolPath('runtimes', '@edge-runtime/vm/dist/index.js');
    it.skipIf(edge === null)(`verifies in an edge runtime${skipped(edge)}`, async () => {
      const { EdgeVM } = (await import(edge ?? '')) as {
        EdgeVM: new () => { evaluate(code: string): unknown };
      };
      const { outputFiles } = await build({
        entryPoints: [join(elsewhere, 'use-sdk.mjs')],
        bundle: true,
        format: 'iife',
        globalName: 'sdk',
        write: false,
      });
      const vm = new EdgeVM();
      vm.evaluate(`${outputFiles[0]?.text}; globalThis.sdk = sdk`);
      expect(await vm.evaluate('sdk.useSdk()')).toEqual(ANSWERS);
    });

    it('verifies on the command line: 0 verified, 1 copied, 3 when nobody is trusted', async () => {
      await run(process.execPath, ['write-files.mjs'], { cwd: elsewhere });
      const exitOf = async (pageUrl: string, ...more: string[]) => {
        const verify = ['verify', 'certificate.json', '--jwks', 'jwks.json', '--page-url', pageUrl, ...more];
        return (await touchstone(verify)).code;
      };
      const trusting = ['--issuer', TEST_ISSUER];
      expect(await exitOf(TEST_PRODUCT.url, ...trusting)).toBe(0);
      expect(await exitOf('https://copy.example/', ...trusting)).toBe(1);
      expect(await exitOf(TEST_PRODUCT.url)).toBe(3);
    });

    it.skipIf(runtimes['Node 22'] === null).each(['this Node', 'Node 22'] as const)(
      'runs the service and its demo in %s, with database and pages for people',
      {
        timeout: 120_000,
      },
      async (node) => {
        const demo = spawn(runtimes[node] ?? '', [cli(), 'demo', '--port', '0'], { cwd: elsewhere });
        const ended = once(demo, 'exit');
        const lines: string[] = [];
        for await (const line of createInterface({ input: demo.stdout })) {
          lines.push(line);
          if (line.includes('Operator key')) break;
        }
        expect(lines.join('\n')).toMatch(/All \d+ pages have the expected verdict/);
        const service = /http:\/\/[\w.:]+(?=\/check)/.exec(lines.join('\n'))?.[0] ?? '';
        const ask = (path: string) => fetch(service + path, { headers: { accept: 'text/html' } });
        for (const page of ['/', '/verify', '/console']) {
          const document = await (await ask(page)).text();
          const files = [...document.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(
            ([, file = '']) => file,
          );
          expect(files.length).toBeGreaterThan(2);
          for (const file of files) expect([file, (await ask(file)).status]).toEqual([file, 200]);
        }
        const downloads = ['/downloads', '/downloads/touchstone-cli.tgz', '/downloads/SHA256SUMS'];
        for (const file of [
          '/badge.js',
          '/badge.svg',
          '/verify-worker.js',
          '/verify.webmanifest',
          ...downloads,
        ])
          expect([file, (await ask(file)).status]).toEqual([file, 200]);
        demo.kill('SIGINT');
        expect(await ended).toEqual([0, null]);
      },
    );

    const old = runtimes['Node 20'];
    it.skipIf(old === null)(`says in one line which Node the service needs${skipped(old)}`, async () => {
      const serving = run(old ?? '', [cli(), 'serve'], { cwd: elsewhere });
      await expect(serving).rejects.toMatchObject({
        code: 3,
        stderr: expect.stringMatching(
          /^error: The service needs Node 22\.18 or newer, and this is Node 20\.[\d.]+\n$/,
        ),
      });
    });

    it('type-checks in a strict project, including the declarations of the packages', async () => {
      const strict = ['--strict', '--noEmit', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
      const target = ['--target', 'es2024', '--module', 'nodenext', '--types', 'node'];
      const types = ['--typeRoots', join(ROOT, 'node_modules/@types')];
      const told = run(join(BIN, 'tsc'), [...strict, ...target, ...types, 'consumer.ts'], { cwd: elsewhere });
      expect(
        await told.then(
          ({ stdout }) => stdout,
          ({ stdout }) => stdout,
        ),
      ).toBe('');
    });
  },
);

/** As the file system counts it, in blocks. */
async function megabytesOf(where: string): Promise<number> {
  return Number.parseInt((await run('du', ['-sk', where])).stdout, 10) / 1024;
}

/** Path of the installed command. */
function cli(): string {
  return join(elsewhere, 'node_modules/@touchstone/cli/bin/touchstone.js');
}

/** Runs the installed command. */
function touchstone(args: readonly string[]): Promise<{ code: number; stdout: string }> {
  return run(process.execPath, [cli(), ...args], { cwd: elsewhere }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    ({ code, stdout }: { code: number; stdout: string }) => ({ code, stdout }),
  );
}

/** Imports every subpath of every library. */
async function importsOfAll(): Promise<string> {
  const specifiers = LIBRARIES.map(async (name) => {
    const { exports } = JSON.parse(await readFile(join(packed, name, 'package.json'), 'utf8')) as Manifest;
    return Object.keys(exports).map((subpath) => `@touchstone/${name}${subpath.slice(1)}`);
  });
  const modules = (await Promise.all(specifiers)).flat().filter((specifier) => !specifier.endsWith('.json'));
  return modules.map((specifier) => `await import('${specifier}');`).join('');
}

function skipped(tool: string | null): string {
  return tool === null ? ' (skipped: npm run tools)' : '';
}
