import type { Texts } from '../text/texts.ts';

/** Texts of the badge. `{…}` are values from the certificate or the page. */
export type BadgeText = Texts['badge'];

/** By language; always with English. */
export type BadgeTexts = Readonly<Record<string, BadgeText>> & { readonly en: BadgeText };

/** The texts in the language of the element or document; English if there are none. */
export function badgeText(
  texts: BadgeTexts,
  language: string,
): { readonly lang: string; readonly text: BadgeText } {
  const lang = language.toLowerCase().split('-', 1)[0] ?? '';
  const text = Object.hasOwn(texts, lang) ? texts[lang] : undefined;
  return text === undefined ? { lang: 'en', text: texts.en } : { lang, text };
}
