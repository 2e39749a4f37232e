import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { en } from '../../../packages/web/src/text/en.ts';
import { ROOT } from '../../kit/imports.ts';

/**
 * The artificial language replaces Arabic: the runtime then writes numbers and days with other characters, and the layout is right to left.
 */
export const THIRD = 'ar';

const PLAIN = 'abcdefghijklmnopqrstuvwxyz';
const ACCENTED = 'áƀçđéƒğħíĵķłɱñöþʠřšŧüṽŵẋýž';

/** Replaces all English letters except in placeholders: `[Iššüéđ ƒöř {site}]`. */
export function inThirdLanguage(text: string): string {
  const accented = text.replace(/\{\w+\}|[a-z]/gi, (found) => {
    const letter = ACCENTED[PLAIN.indexOf(found.toLowerCase())];
    if (letter === undefined) return found;
    return found === found.toLowerCase() ? letter : letter.toUpperCase();
  });
  return text === '' ? '' : `[${accented}]`;
}

function translated(texts: unknown): unknown {
  if (typeof texts === 'string') return inThirdLanguage(texts);
  if (Array.isArray(texts)) return texts.map(translated);
  return Object.fromEntries(
    Object.entries(texts as object).map(([name, inner]) => [name, translated(inner)]),
  );
}

export interface ThirdLanguage {
  /** Where they were built. */
  readonly folder: string;
  /** Files added to those of the repository, below `packages/web`. */
  readonly added: readonly string[];
  close(): void;
}

/** The pages, built by their own build from their own sources and one additional file. */
export function buildThirdLanguage(): ThirdLanguage {
  const workspace = mkdtempSync(join(tmpdir(), 'touchstone-language-'));
  const web = join(workspace, 'packages/web');
  const close = () => rmSync(workspace, { recursive: true, force: true });
  const added = [`src/text/${THIRD}.ts`];
  try {
    mkdirSync(web, { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(workspace, 'node_modules'));
    for (const part of ['src', 'package.json', 'build.ts', 'offline-files.ts', 'pages.ts', 'sources.ts'])
      cpSync(join(ROOT, 'packages/web', part), join(web, part), { recursive: true });
    for (const file of added)
      writeFileSync(join(web, file), `export const ${THIRD} = ${JSON.stringify(translated(en))};\n`, {
        flag: 'wx',
      });
    execFileSync(process.execPath, [join(web, 'build.ts')], { stdio: ['ignore', 'ignore', 'inherit'] });
    return { folder: join(web, 'dist'), added, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Elements with data, or with English text that is marked as such. */
const DATA = 'bdi, code, pre, [lang]:not(html), script, style, noscript';
const SPOKEN = [
  'aria-label',
  'aria-valuetext',
  'aria-description',
  'aria-roledescription',
  'title',
  'placeholder',
  'alt',
];

/** Runs in a page: its text, visible or for screen readers. */
export const SAID = `(() => {
  const said = [document.title];
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (nodes.nextNode()) if (!nodes.currentNode.parentElement.closest('${DATA}')) said.push(nodes.currentNode.data);
  for (const one of document.body.querySelectorAll('*')) {
    if (one.closest('${DATA}')) continue;
    for (const name of ${JSON.stringify(SPOKEN)}) said.push(one.getAttribute(name) ?? '');
  }
  return [...new Set(said.map((text) => text.trim()))].filter((text) => text !== '');
})()`;

/** Remaining words with English letters, except addresses and names given by the test. */
export function leftInEnglish(said: readonly string[], names: readonly string[]): string[] {
  const known = new RegExp(
    [
      String.raw`https?://\S+`,
      String.raw`[\w-]+(?:\.[\w-]+)*\.example\S*`,
      String.raw`[\da-f]{8}-[\da-f-]{27}`,
      // a key's thumbprint (RFC 7638)
      String.raw`(?<![\w-])[\w-]{43}(?![\w-])`,
      // the time zone, which Intl writes like this in every language
      String.raw`\bUTC\b`,
      ...names.map((name) => name.replace(/[^\w ]/g, '\\$&')),
    ].join('|'),
    'g',
  );
  return said.filter((text) => /[a-z]{2}/i.test(text.replace(known, '')));
}
