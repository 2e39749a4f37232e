import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import type { PageRequest } from '../platform/http/route.ts';

/** The language of a page: the one in the address (`?lang=`), else the reader's, else the first. */
export type LanguageOf = (request: PageRequest) => string;

/** Wishes that are remembered: readers have few, and reading one takes longer than sending a page. */
const REMEMBERED = 500;

/** @param languages - those that there are, of two letters; the first where a reader wants none of them */
export function createLanguageOf(languages: readonly string[]): LanguageOf {
  const remembered = new LRUCache<string, string>({ max: REMEMBERED });
  const first = languages[0] as string;
  return ({ url, headers }) => {
    const chosen = /[?&]lang=([a-z]+)/i.exec(url)?.[1]?.toLowerCase();
    if (chosen !== undefined && languages.includes(chosen)) return chosen;
    const accepted = headers['accept-language'];
    if (accepted === undefined) return first;
    const known = remembered.get(accepted);
    if (known !== undefined) return known;
    const language = wantedOf(accepted).find((wanted) => languages.includes(wanted)) ?? first;
    remembered.set(accepted, language);
    return language;
  };
}

/** `es-MX` reads `es`. */
function wantedOf(accepted: string): string[] {
  const tags = new Negotiator({ headers: { 'accept-language': accepted } }).languages();
  return tags.map((tag) => tag.split('-', 1)[0]?.toLowerCase() ?? '');
}
