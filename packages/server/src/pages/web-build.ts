import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** Texts of documents, in one language, from the catalogue of the pages. */
export interface DocumentTexts {
  readonly head: {
    readonly site: string;
    readonly withoutScript: string;
    readonly asData: string;
  } & Readonly<Record<string, string | HeadText>>;
  readonly verdicts: Readonly<Record<string, { readonly title: string }>>;
  /** Sentences of faults, by code. */
  readonly faults: Readonly<Record<string, string>>;
}

export interface HeadText {
  readonly title: string;
  readonly description: string;
}

/** What the build of the pages says of itself (`packages/web/build.ts`). */
interface Description {
  readonly stamp: string;
  readonly style: string;
  readonly pages: Readonly<Record<string, Readonly<Record<string, PageScript>>>>;
  readonly texts: Readonly<Record<string, DocumentTexts>>;
}

interface PageScript {
  readonly script: string;
  readonly preload: readonly string[];
}

/** How a file is sent. */
export type Coding = 'br' | 'gzip' | 'identity';

export interface WebFile {
  readonly bytes: Buffer;
  readonly coding: Coding;
}

/** The pages as they were built. */
export interface WebBuild {
  /** Changes with every build of other sources. */
  readonly stamp: string;
  readonly style: string;
  readonly languages: readonly string[];
  textsIn(language: string): DocumentTexts;
  scriptOf(page: string, language: string): PageScript;
  /**
   * A file by its name below `assets`, in the first of these codings that it was built in; `null` where there is none.
   *
   * @param codings - in order of preference; `identity` is always there
   */
  file(name: string, codings: readonly Coding[]): Promise<WebFile | null>;
  /** The same of a file that keeps its name from version to version, and so lies beside `assets`. */
  named(name: string, codings: readonly Coding[]): Promise<WebFile | null>;
}

/** In the workspace, and in the package as it is published. */
const PLACES = ['../../../web/dist', '../../web'];

/** @returns `null` where the pages were not built */
export function loadWebBuild(places: readonly string[] = PLACES): WebBuild | null {
  const folder = places
    .map((place) => resolve(import.meta.dirname, place))
    .find((place) => existsSync(join(place, 'pages.json')));
  if (folder === undefined) return null;
  const { stamp, style, pages, texts } = JSON.parse(
    readFileSync(join(folder, 'pages.json'), 'utf8'),
  ) as Description;
  const kept = new Map<string, Promise<WebFile | null>>();
  const fileOf = (name: string, codings: readonly Coding[]) => {
    const key = `${name} ${codings}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const read = readBuilt(join(folder, name), codings);
    // names that are not there would fill the memory
    void read.then((file) => file !== null && kept.set(key, read));
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
    // what is asked for may be anything; what was built has names of these characters
    file: (name, codings) =>
      /^[\w-][\w.-]*$/.test(name) ? fileOf(`assets/${name}`, codings) : Promise.resolve(null),
    named: fileOf,
  };
}

const ENDING: Readonly<Record<Coding, string>> = { br: '.br', gzip: '.gz', identity: '' };

async function readBuilt(path: string, codings: readonly Coding[]): Promise<WebFile | null> {
  for (const coding of [...codings, 'identity'] as const) {
    const bytes = await readFile(path + ENDING[coding]).catch(() => null);
    if (bytes !== null) return { bytes, coding };
  }
  return null;
}
