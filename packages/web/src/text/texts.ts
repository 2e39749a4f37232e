import type { en } from './en.ts';

/** The catalogue of texts: the shape of the English one, with other texts. */
export type Texts = Worded<typeof en>;

/** A text for each plural category of a language (`Intl.PluralRules`): English has two, Spanish three, Arabic six. */
export type PluralForms = { readonly [K in Exclude<Intl.LDMLPluralRule, 'other'>]?: string } & {
  readonly other: string;
};

type Worded<T> = {
  readonly [K in keyof T]: T[K] extends string
    ? string
    : T[K] extends { readonly one: string; readonly other: string }
      ? PluralForms
      : Worded<T[K]>;
};
