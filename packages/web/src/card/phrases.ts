import { writeOutUnseen } from '@touchstone/certificate/text';
import type { Concerned } from '../report/conclusion-texts.tsx';
import type { CardTexts } from './card-texts.ts';

/** Text of somebody else: its direction is isolated. */
export interface Quoted {
  readonly quoted: string;
  /** Its language, if it is known. */
  readonly language?: string;
}

/** Our own words, with text of others in between. */
export type Phrase = readonly (string | Quoted)[];

export function quoted(text: string, language?: string): Quoted {
  const shown = writeOutUnseen(text);
  return language === undefined ? { quoted: shown } : { quoted: shown, language };
}

interface Named {
  readonly signed?: Concerned['signed'];
  readonly page?: string | undefined;
  readonly texts?: CardTexts;
  readonly language?: string;
  readonly values?: Readonly<Record<string, string | Quoted>>;
}

/** A text with what it names in place of its placeholders, as on the pages. */
export function named(
  text: string,
  { signed, page = '', texts, language = 'en', values = {} }: Named,
): Phrase {
  const known: Readonly<Record<string, string | Quoted | undefined>> = {
    host: signed === undefined ? texts?.control.host : quoted(signed.domain),
    page: quoted(page),
    date: signed === undefined ? '' : dayOf(signed.expiresAt, language),
    control: texts === undefined ? '' : controlOf(signed, texts, language),
    ...values,
  };
  return text.split(/\{(\w+)\}/).map((part, index) => (index % 2 === 0 ? part : (known[part] ?? '')));
}

function controlOf(signed: Concerned['signed'], { control: words }: CardTexts, language: string): string {
  const { method, checkedAt } = signed?.control ?? {};
  if (method === 'none' || checkedAt === undefined) return words.undated;
  return words.dated.replace('{date}', dayOf(checkedAt, language));
}

export function dayOf(at: string, language: string): string {
  return formatted(at, language, { dateStyle: 'long', timeZone: 'UTC' });
}

export function momentOf(at: string, language: string): string {
  return formatted(at, language, { dateStyle: 'long', timeStyle: 'short' });
}

/** @param month - such as 2026-03 */
export function monthOf(month: string, language: string): string {
  return formatted(`${month}-01T00:00:00Z`, language, { month: 'long', year: 'numeric', timeZone: 'UTC' });
}

function formatted(at: string, language: string, options: Intl.DateTimeFormatOptions): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime())
    ? writeOutUnseen(at)
    : new Intl.DateTimeFormat(language, options).format(date);
}
