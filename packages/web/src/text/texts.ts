import type { en } from './en.ts';

/** The catalogue of texts: of the shape of the English one, with any words. */
export type Texts = Worded<typeof en>;

type Worded<T> = { readonly [K in keyof T]: T[K] extends string ? string : Worded<T[K]> };
