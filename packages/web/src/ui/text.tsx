import { writeOutUnseen } from '@touchstone/certificate/text';
import { type ComponentChildren, createContext, Fragment } from 'preact';
import { useContext } from 'preact/hooks';
import type { PluralForms, Texts } from '../text/texts.ts';

/** The settings of a page: its language, and the groups of texts that `pages.ts` lists for it. */
export interface Setting {
  /** A language tag (BCP 47). */
  readonly language: string;
  /** All available languages. */
  readonly languages: readonly string[];
  readonly texts: Texts;
  /** The English sentences by code, as they appear in reports, which are parsed with them. */
  readonly known: Readonly<Record<string, string>>;
}

export const SettingContext = createContext<Setting | null>(null);

export function useSetting(): Setting {
  const setting = useContext(SettingContext);
  if (setting === null) throw new Error('a component stands outside of a page');
  return setting;
}

export function useTexts(): Texts {
  return useSetting().texts;
}

/** The user's regional variant of the page's language, for numbers and dates: en-GB for en. */
export function localeOf(language: string): string {
  return navigator.languages.find((tag) => tag.split('-', 1)[0] === language) ?? language;
}

/** A text with its placeholders replaced: `{site}`. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** The same with elements as values, which untrusted text requires. */
export function Fill({
  text,
  values,
}: {
  text: string;
  values: Readonly<Record<string, ComponentChildren>>;
}) {
  const parts = text.split(/\{(\w+)\}/);
  return (
    <>
      {parts.map((part, index) => (
        <Fragment key={index}>{index % 2 === 0 ? part : values[part]}</Fragment>
      ))}
    </>
  );
}

/** The plural form of a text for a number, with the number as `{count}`. */
export function plural(language: string, forms: PluralForms, count: number): string {
  const text = forms[new Intl.PluralRules(language).select(count)] ?? forms.other;
  return fill(text, { count: new Intl.NumberFormat(localeOf(language)).format(count) });
}

/** Untrusted text: its direction is isolated, and invisible characters are shown as escapes. */
export function Untrusted({ text, code = false }: { text: string; code?: boolean }) {
  const shown = writeOutUnseen(text);
  return <bdi class={code ? 'code' : undefined}>{shown}</bdi>;
}

/** An untrusted address: a link if it is http or https, else text. */
export function UntrustedLink({ url, label }: { url: string; label?: string }) {
  const protocol = URL.parse(url)?.protocol;
  if (protocol !== 'https:' && protocol !== 'http:') return <Untrusted text={label ?? url} />;
  return (
    <a href={url} rel="noopener noreferrer nofollow">
      {label === undefined ? <Address url={url} /> : <Untrusted text={label} />}
    </a>
  );
}

/** May be broken after its parts, not within a word. */
function Address({ url }: { url: string }) {
  const parts = writeOutUnseen(url).split(/(?<=[/?&=])(?!\/)/);
  return (
    <bdi>
      {parts.map((part, index) => (
        <Fragment key={index}>
          {index === 0 ? null : <wbr />}
          {part}
        </Fragment>
      ))}
    </bdi>
  );
}

/** `image/jpeg` is shown as JPEG; unknown formats are unchanged. */
export function nameOfFormat(mediaType: string): string {
  const [, kind] = /^image\/([a-z]{3,4})$/.exec(mediaType) ?? [];
  return kind === undefined ? mediaType : kind === 'webp' ? 'WebP' : kind.toUpperCase();
}

const PLAIN: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' };

/** The same fields listed one by one: `timeZoneName` cannot be combined with styles. */
const ZONED: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
};

/**
 * A time formatted for the user, with the exact time in its attributes.
 *
 * @param isZoned - includes the time zone of the user's clock, if it is kept, printed or shared
 */
export function Moment({ at, isZoned = false }: { at: string; isZoned?: boolean }) {
  const { language } = useSetting();
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <Untrusted text={at} />;
  const shown = new Intl.DateTimeFormat(localeOf(language), isZoned ? ZONED : PLAIN).format(date);
  return (
    <time dateTime={at} title={at}>
      {shown}
    </time>
  );
}

/** A day, in UTC like the sentences of conclusions everywhere, with the exact time in its attributes. */
export function Day({ at }: { at: string }) {
  const { language } = useSetting();
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <Untrusted text={at} />;
  const format = new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeZone: 'UTC' });
  return (
    <time dateTime={at} title={at}>
      {format.format(date)}
    </time>
  );
}
