import type { en } from './en.ts';

/** The catalogue of texts: of the shape of the English one, with any words. */
export type Texts = Worded<typeof en>;

/** A text for each kind of number that a language tells apart (`Intl.PluralRules`): English two, Spanish three, Arabic six. */
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
