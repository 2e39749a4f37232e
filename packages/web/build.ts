import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { InlineConfig, Manifest, Plugin } from 'vite';
import { writeOfflineFiles } from './offline-files.ts';
import { KNOWN_TEXTS, PAGES, type PageName, SERVER_TEXTS } from './pages.ts';
import { sourceStamp } from './sources.ts';
import { badgePicture } from './src/badge/picture.ts';
import { LANGUAGES } from './src/text/languages.ts';
import type { Texts } from './src/text/texts.ts';

/**
 * Builds the pages into `dist`: scripts and styles in `assets`, also compressed, and `pages.json`, which lists them for the service. Does
 * nothing if `dist` is up to date with the sources. Run by `npm ci`, or by `touchstone serve` if that has not run.
 */

const HERE = import.meta.dirname;
const DIST = join(HERE, 'dist');
const LOCK = join(HERE, 'dist.lock');
/** Milliseconds to wait for another build, before its lock counts as abandoned. */
const PATIENCE = 60_000;
/** Bytes above which the best quality of brotli would take longer than the rest of the build. */
const LARGE = 500_000;

/** The contents of `pages.json`. */
interface Built {
  readonly stamp: string;
  readonly style: string;
  /** By page and language. */
  readonly pages: Record<string, Record<string, { script: string; preload: string[] }>>;
  /** By language. */
  readonly texts: Record<string, object>;
}

await main();

async function main(): Promise<void> {
  // whatever the caller's is: for development or tests, Vite would write the folders of this machine into the scripts
  process.env.NODE_ENV = 'production';
  const stamp = sourceStamp();
  await locked(async () => {
    if (stampOf() === stamp) {
      const now = new Date();
      utimesSync(join(DIST, 'pages.json'), now, now);
      return;
    }
    const begun = performance.now();
    await build(stamp);
    console.log(`The pages were built in ${((performance.now() - begun) / 1000).toFixed(1)} s.`);
  });
}

function stampOf(): string | undefined {
  const file = join(DIST, 'pages.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Built).stamp : undefined;
}

async function build(stamp: string): Promise<void> {
  const vite = await import('vite');
  const outDir = join(HERE, `dist.new-${process.pid}`);
  const input: Record<string, string> = {};
  for (const page of pageNames())
    for (const language of languages()) input[`${page}.${language}`] = `entry:${page}/${language}`;
  input['service-worker'] = join(HERE, 'src/verify/service-worker.ts');
  try {
    await vite.build({
      root: HERE,
      configFile: false,
      logLevel: 'warn',
      publicDir: false,
      plugins: [entries()],
      oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
      build: {
        outDir,
        emptyOutDir: true,
        manifest: 'manifest.json',
        target: 'es2023',
        cssCodeSplit: false,
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        reportCompressedSize: false,
        rolldownOptions: {
          input,
          output: {
            entryFileNames: 'assets/[name]-[hash].js',
            chunkFileNames: 'assets/[name]-[hash].js',
            assetFileNames: 'assets/[name]-[hash][extname]',
          },
        },
      },
      worker: { format: 'es' },
    });
    await vite.build(await badgeBuild(outDir));
    await writeBadgePictures(outDir);
    const manifest = JSON.parse(readFileSync(join(outDir, 'manifest.json'), 'utf8')) as Manifest;
    const built = await described(manifest, stamp);
    writeFileSync(join(outDir, 'pages.json'), JSON.stringify(built));
    const heads: Record<string, Texts['head']> = {};
    for (const language of languages())
      heads[language] = (await LANGUAGES[language]?.())?.head as Texts['head'];
    writeOfflineFiles(outDir, manifest, heads);
    compressAll(join(outDir, 'assets'));
    compressAll(outDir);
    rmSync(DIST, { recursive: true, force: true });
    renameSync(outDir, DIST);
  } finally {
    rmSync(outDir, { recursive: true, force: true });
  }
}

/**
 * Builds the badge separately: it shares no file with the pages, loads its own files by relative URLs from any host, and has a permanent
 * name, since shops embed it.
 */
async function badgeBuild(outDir: string): Promise<InlineConfig> {
  const texts: Record<string, unknown> = {};
  for (const language of languages()) texts[language] = Object.values(await textsOf(language, ['badge']))[0];
  return {
    root: HERE,
    base: './',
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins: [
      {
        name: 'badge',
        resolveId: (id) => (id === 'entry:badge' ? id : null),
        load: (id) =>
          id === 'entry:badge'
            ? `import { start } from '/src/badge/main.ts';
start(import.meta.url, JSON.parse(${JSON.stringify(JSON.stringify(texts))}));`
            : null,
      },
    ],
    build: {
      outDir,
      emptyOutDir: false,
      target: 'es2023',
      assetsInlineLimit: 0,
      modulePreload: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: { badge: 'entry:badge' },
        output: { entryFileNames: '[name].js', chunkFileNames: 'assets/badge-[name]-[hash].js' },
      },
    },
  };
}

/** Writes the fallback picture of each language: `badge.en.svg`. */
async function writeBadgePictures(outDir: string): Promise<void> {
  for (const language of languages()) {
    const texts = (await textsOf(language, ['badge', 'badgePicture'])) as Pick<
      Texts,
      'badge' | 'badgePicture'
    >;
    const svg = badgePicture({ picture: texts.badgePicture, name: texts.badge.name });
    writeFileSync(join(outDir, `badge.${language}.svg`), svg);
  }
}

/** The pages that have a script. */
function pageNames(): PageName[] {
  return (Object.keys(PAGES) as PageName[]).filter((page) => existsSync(join(HERE, `src/${page}/main.tsx`)));
}

function languages(): string[] {
  return Object.keys(LANGUAGES);
}

/** Virtual entry scripts, one per page and language: each starts the page with its texts. */
function entries(): Plugin {
  const name = /^entry:(\w+)\/(\w+)$/;
  return {
    name: 'entries',
    resolveId: (id) => (name.test(id) ? id : null),
    async load(id) {
      const [, page, language] = name.exec(id) ?? [];
      if (page === undefined || language === undefined) return null;
      const texts = JSON.stringify(await textsOf(language, PAGES[page as PageName]));
      const groups: readonly string[] = PAGES[page as PageName];
      const known = KNOWN_TEXTS.filter((group) => groups.includes(group));
      const english = language === 'en' ? '' : JSON.stringify(await textsOf('en', known));
      return `import '/src/style/index.css';
import { start } from '/src/${page}/main.tsx';
const texts = JSON.parse(${JSON.stringify(texts)});
const english = ${english === '' ? 'texts' : `JSON.parse(${JSON.stringify(english)})`};
start({ language: ${JSON.stringify(language)}, languages: ${JSON.stringify(languages())}, texts, known: { ${known.map((group) => `...english.${group}`).join(', ')} } });`;
    },
  };
}

async function textsOf(language: string, groups: readonly string[]): Promise<object> {
  const texts: Readonly<Record<string, unknown>> = { ...(await LANGUAGES[language]?.()) };
  return Object.fromEntries(groups.map((group) => [group, texts[group]]));
}

async function described(manifest: Manifest, stamp: string): Promise<Built> {
  const pages: Built['pages'] = {};
  const texts: Built['texts'] = {};
  for (const language of languages()) {
    texts[language] = await textsOf(language, SERVER_TEXTS);
    for (const page of pageNames()) {
      const chunk = Object.values(manifest).find(
        ({ name, isEntry }) => isEntry && name === `${page}.${language}`,
      );
      if (chunk === undefined) throw new Error(`${page} in ${language} was not built`);
      const preload = importsOf(manifest, chunk.imports ?? []).map((file) => `/${file}`);
      pages[page] = { ...pages[page], [language]: { script: `/${chunk.file}`, preload } };
    }
  }
  const style = Object.values(manifest).find(({ file }) => file.endsWith('.css'))?.file;
  return { stamp, style: `/${style}`, pages, texts };
}

function importsOf(manifest: Manifest, names: readonly string[]): string[] {
  const files = new Set<string>();
  const follow = (name: string) => {
    const chunk = manifest[name];
    if (chunk === undefined || files.has(chunk.file)) return;
    files.add(chunk.file);
    chunk.imports?.forEach(follow);
  };
  names.forEach(follow);
  return [...files];
}

/** Writes compressed copies beside the files worth compressing, so that nothing is compressed per request. */
function compressAll(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!['.js', '.css', '.wasm', '.svg', '.json', '.webmanifest'].includes(extname(name))) continue;
    if (['manifest.json', 'pages.json'].includes(name)) continue;
    const bytes = readFileSync(join(folder, name));
    const isLarge = bytes.length > LARGE;
    const quality = { [constants.BROTLI_PARAM_QUALITY]: isLarge ? 5 : 11 };
    writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: isLarge ? 6 : 9 }));
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes, { params: quality }));
  }
}

/** Runs one build at a time; several processes may start one at once, such as test workers. */
async function locked(work: () => Promise<void>): Promise<void> {
  const begun = Date.now();
  for (;;) {
    try {
      mkdirSync(LOCK);
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      if (Date.now() - begun > PATIENCE) rmSync(LOCK, { recursive: true, force: true });
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
  try {
    await work();
  } finally {
    rmSync(LOCK, { recursive: true, force: true });
  }
}
