import type { Texts } from './texts.ts';

/** The languages of the pages: a file each. Another one is a line here. */
export const LANGUAGES = {
  en: async (): Promise<Texts> => (await import('./en.ts')).en,
  es: async (): Promise<Texts> => (await import('./es.ts')).es,
} as const;
