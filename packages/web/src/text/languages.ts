import { readdirSync } from 'node:fs';
import type { Texts } from './texts.ts';

type Load = () => Promise<Texts>;

const FILES = readdirSync(import.meta.dirname).filter((file) => /^[a-z]{2}\.ts$/.test(file));

/**
 * The languages of the pages by their codes, English first as the default. Each is a file in this folder that exports its texts under its
 * code; another language needs nothing else. Only used when the pages are built.
 */
export const LANGUAGES = Object.fromEntries(
  ['en', ...FILES.map((file) => file.slice(0, 2)).filter((language) => language !== 'en')].map((language) => [
    language,
    async () => {
      const file = (await import(`./${language}.ts`)) as Readonly<Record<string, Texts>>;
      const texts = file[language];
      if (texts === undefined) throw new Error(`${language}.ts exports no texts under the name ${language}`);
      return texts;
    },
  ]),
) as Readonly<Record<'en', Load> & Record<string, Load>>;
