import { en } from './en.ts';
import type { Texts } from './texts.ts';

export const es: Texts = { ...en };
