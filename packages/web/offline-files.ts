import { createHash } from 'node:crypto';
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Manifest } from 'vite';
import type { Texts } from './src/text/texts.ts';
import { KEYS_PATH, LISTS_CACHE, PAGE_PATH } from './src/verify/offline.ts';
import type { Precache } from './src/verify/service-worker.ts';

/** Icons of the installed offline verifier. */
const ICONS = [
  { file: 'icon.svg', type: 'image/svg+xml', sizes: 'any', purpose: 'any' },
  { file: 'icon-192.png', type: 'image/png', sizes: '192x192', purpose: 'any' },
  { file: 'icon-512.png', type: 'image/png', sizes: '512x512', purpose: 'any' },
  { file: 'maskable-512.png', type: 'image/png', sizes: '512x512', purpose: 'maskable' },
] as const;
const ICON_FOLDER = join(import.meta.dirname, 'src/verify/icons');

/**
 * Writes the files that make the offline verifier work without a network: its service worker, which begins with the list of files to cache,
 * and a web app manifest per language. Their names are fixed, so they are outside `assets`.
 *
 * @param heads - by language
 */
export function writeOfflineFiles(
  folder: string,
  manifest: Manifest,
  heads: Readonly<Record<string, Texts['head']>>,
): void {
  const icons = ICONS.map(({ file, ...icon }) => ({ src: hashedCopy(file, folder), ...icon }));
  for (const [lang, { site, verify }] of Object.entries(heads)) {
    const app = {
      id: PAGE_PATH,
      lang,
      name: `${site}: ${verify.title}`,
      short_name: site,
      description: verify.description,
      start_url: PAGE_PATH,
      scope: PAGE_PATH,
      display: 'standalone',
      background_color: '#f6f3ec',
      theme_color: '#f6f3ec',
      icons,
    };
    writeFileSync(join(folder, `verify.${lang}.webmanifest`), JSON.stringify(app));
  }
  const { files, engine } = filesOfVerifier(folder, manifest);
  const kept = [...files, ...icons.map(({ src }) => src)].toSorted();
  const chunk = Object.values(manifest).find(({ name }) => name === 'service-worker');
  const script = readFileSync(join(folder, chunk?.file ?? ''), 'utf8');
  const version = createHash('sha256').update(JSON.stringify(kept)).update(script).digest('hex').slice(0, 16);
  const fixed = { engine, page: PAGE_PATH, keys: KEYS_PATH, lists: LISTS_CACHE };
  const precache: Precache = { version, files: kept, ...fixed };
  writeFileSync(
    join(folder, 'verify-worker.js'),
    `self.touchstone = ${JSON.stringify(precache)};\n${script}`,
  );
}

function hashedCopy(file: string, folder: string): string {
  const bytes = readFileSync(join(ICON_FOLDER, file));
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
  const extension = extname(file);
  const name = `${file.slice(0, -extension.length)}-${hash}${extension}`;
  copyFileSync(join(ICON_FOLDER, file), join(folder, 'assets', name));
  return `/assets/${name}`;
}

/** All files that the page may load, in every language, except the engine, which is large. */
function filesOfVerifier(folder: string, manifest: Manifest): { files: string[]; engine: string } {
  const files = new Set<string>();
  const follow = (key: string) => {
    const chunk = manifest[key];
    if (chunk === undefined || files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const css of chunk.css ?? []) files.add(css);
    for (const other of [...(chunk.imports ?? []), ...(chunk.dynamicImports ?? [])]) follow(other);
  };
  for (const [key, { name, isEntry }] of Object.entries(manifest)) {
    if (isEntry && name?.startsWith('verify.')) follow(key);
  }
  // the manifest contains neither the worker's script nor the common style sheet
  const assets = readdirSync(join(folder, 'assets'));
  for (const name of assets) if (/^image-worker-.*\.js$|\.css$/.test(name)) files.add(`assets/${name}`);
  const engine = assets.find((name) => name.endsWith('.wasm'));
  if (engine === undefined) throw new Error('the reader of manifests was not built');
  return {
    files: [...files].filter((file) => !file.endsWith('.wasm')).map((file) => `/${file}`),
    engine: `/assets/${engine}`,
  };
}
