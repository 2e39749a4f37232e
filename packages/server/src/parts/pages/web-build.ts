import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** Texts of HTML documents in one language, from the texts of `packages/web`. */
export interface DocumentTexts {
  readonly head: {
    readonly site: string;
    readonly withoutScript: string;
    readonly asData: string;
  } & Readonly<Record<string, string | HeadText>>;
  readonly conclusions: Readonly<Record<string, { readonly title: string }>>;
  /** Parts of the titles of conclusions. */
  readonly control: Readonly<Record<string, string>>;
  /** Sentences of errors, by code. */
  readonly faults: Readonly<Record<string, string>>;
}

export interface HeadText {
  readonly title: string;
  readonly description: string;
}

/** The contents of `pages.json`, written by `packages/web/build.ts`. */
interface BuildManifest {
  readonly stamp: string;
  readonly style: string;
  readonly pages: Readonly<Record<string, Readonly<Record<string, PageScript>>>>;
  readonly texts: Readonly<Record<string, DocumentTexts>>;
}

interface PageScript {
  readonly script: string;
  readonly preload: readonly string[];
}

/** A content coding (RFC 9110, section 8.4.1). */
export type Coding = 'br' | 'gzip' | 'identity';

export interface WebFile {
  readonly bytes: Buffer;
  readonly coding: Coding;
}

/** The pages as they were built. */
export interface WebBuild {
  /** Changes whenever the sources have changed. */
  readonly stamp: string;
  readonly style: string;
  readonly languages: readonly string[];
  textsIn(language: string): DocumentTexts;
  scriptOf(page: string, language: string): PageScript;
  /**
   * A file by its name below `assets`, in the first of these codings in which it was built; `null` if there is no such file.
   *
   * @param codings - in order of preference; `identity` always exists
   */
  file(name: string, codings: readonly Coding[]): Promise<WebFile | null>;
  /** The same for a file outside `assets`, which has the same name in every version. */
  named(name: string, codings: readonly Coding[]): Promise<WebFile | null>;
}

/** In the workspace, and in the published package. */
const FOLDERS = ['../../../../web/dist', '../../../web'];

/** @returns `null` if the pages were not built */
export function loadWebBuild(folders: readonly string[] = FOLDERS): WebBuild | null {
  const folder = folders
    .map((path) => resolve(import.meta.dirname, path))
    .find((path) => existsSync(join(path, 'pages.json')));
  if (folder === undefined) return null;
  const { stamp, style, pages, texts } = JSON.parse(
    readFileSync(join(folder, 'pages.json'), 'utf8'),
  ) as BuildManifest;
  const cache = new Map<string, Promise<WebFile | null>>();
  const fileOf = (name: string, codings: readonly Coding[]) => {
    const key = `${name} ${codings}`;
    const known = cache.get(key);
    if (known !== undefined) return known;
    const read = readBuilt(join(folder, name), codings);
    // misses are not cached: requests for unknown names would fill the memory
    void read.then((file) => file !== null && cache.set(key, read));
    return read;
  };
  return {
    stamp,
    style,
    languages: Object.keys(texts),
    textsIn: (language) => texts[language] as DocumentTexts,
    scriptOf(page, language) {
      const script = pages[page]?.[language];
      if (script === undefined) throw new Error(`the page ${page} was not built in ${language}`);
      return script;
    },
    // the name comes from a request; names of built files have only these characters
    file: (name, codings) =>
      /^[\w-][\w.-]*$/.test(name) ? fileOf(`assets/${name}`, codings) : Promise.resolve(null),
    named: fileOf,
  };
}

const EXTENSIONS: Readonly<Record<Coding, string>> = { br: '.br', gzip: '.gz', identity: '' };

async function readBuilt(path: string, codings: readonly Coding[]): Promise<WebFile | null> {
  for (const coding of [...codings, 'identity'] as const) {
    const bytes = await readFile(path + EXTENSIONS[coding]).catch(() => null);
    if (bytes !== null) return { bytes, coding };
  }
  return null;
}
