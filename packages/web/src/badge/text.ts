import type { Texts } from '../text/texts.ts';

/** What a badge says. In `{…}` stands what a certificate or the page says. */
export type BadgeText = Texts['badge'];

/** By language; English is there. */
export type BadgeTexts = Readonly<Record<string, BadgeText>> & { readonly en: BadgeText };

/** By the language of the element or document; English for all that is not here. */
export function badgeText(
  texts: BadgeTexts,
  language: string,
): { readonly lang: string; readonly text: BadgeText } {
  const lang = language.toLowerCase().split('-', 1)[0] ?? '';
  const text = Object.hasOwn(texts, lang) ? texts[lang] : undefined;
  return text === undefined ? { lang: 'en', text: texts.en } : { lang, text };
}
