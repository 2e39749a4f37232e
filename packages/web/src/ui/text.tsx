import { writeOutUnseen } from '@touchstone/certificate/text';
import { type ComponentChildren, createContext, Fragment } from 'preact';
import { useContext } from 'preact/hooks';
import type { PluralForms, Texts } from '../text/texts.ts';

/** What a page is started with: its language, and the parts of the catalogue that `pages.ts` names for it. */
export interface Setting {
  /** BCP 47. */
  readonly language: string;
  /** All that there are. */
  readonly languages: readonly string[];
  readonly texts: Texts;
  /** The sentences of codes in English, as they stand in reports: these are taken apart by them. */
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

/** The reader's own kind of the page's language, for numbers and dates: en-GB for en. */
export function localeOf(language: string): string {
  return navigator.languages.find((tag) => tag.split('-', 1)[0] === language) ?? language;
}

/** A text with the place of its values: `{site}`. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** The same with elements for values, as untrusted text needs them. */
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

/** The form of a text for a number, with the number in it as `{count}`. */
export function plural(language: string, forms: PluralForms, count: number): string {
  const text = forms[new Intl.PluralRules(language).select(count)] ?? forms.other;
  return fill(text, { count: new Intl.NumberFormat(localeOf(language)).format(count) });
}

/** Text of others: its direction stays its own, and what is not seen as it stands is written out. */
export function Untrusted({ text, code = false }: { text: string; code?: boolean }) {
  const shown = writeOutUnseen(text);
  return <bdi class={code ? 'code' : undefined}>{shown}</bdi>;
}

/** An address of others: a link where it is one to the web, else text. */
export function UntrustedLink({ url, label }: { url: string; label?: string }) {
  const protocol = URL.parse(url)?.protocol;
  if (protocol !== 'https:' && protocol !== 'http:') return <Untrusted text={label ?? url} />;
  return (
    <a href={url} rel="noopener noreferrer nofollow">
      {label === undefined ? <Address url={url} /> : <Untrusted text={label} />}
    </a>
  );
}

/** May be broken where its parts end, not amid a word. */
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

/** `image/jpeg` is JPEG to people; what is no plain kind of image stays as it is. */
export function nameOfFormat(mediaType: string): string {
  const [, kind] = /^image\/([a-z]{3,4})$/.exec(mediaType) ?? [];
  return kind === undefined ? mediaType : kind === 'webp' ? 'WebP' : kind.toUpperCase();
}

const PLAIN: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' };

/** The same, spelled out: styles take no zone beside them. */
const ZONED: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
};

/**
 * A moment for people, with the exact one beside it.
 *
 * @param isZoned - with the zone of the reader's clock, where it is kept, printed or passed on
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
