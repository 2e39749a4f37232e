import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import type { PageRequest } from '../../platform/http/route.ts';

/** The language of a page: the one in the address (`?lang=`), else by `Accept-Language`, else the first. */
export type LanguageOf = (request: PageRequest) => string;

/** Values of `Accept-Language` that are cached: there are few, and parsing one takes longer than sending a page. */
const MAX_CACHED = 500;

/** @param languages - the available ones, by codes of two letters; the first is the default */
export function createLanguageOf(languages: readonly string[]): LanguageOf {
  const cache = new LRUCache<string, string>({ max: MAX_CACHED });
  const first = languages[0] as string;
  return ({ url, headers }) => {
    const chosen = /[?&]lang=([a-z]+)/i.exec(url)?.[1]?.toLowerCase();
    if (chosen !== undefined && languages.includes(chosen)) return chosen;
    const accepted = headers['accept-language'];
    if (accepted === undefined) return first;
    const cached = cache.get(accepted);
    if (cached !== undefined) return cached;
    const language = acceptedLanguages(accepted).find((code) => languages.includes(code)) ?? first;
    cache.set(accepted, language);
    return language;
  };
}

/** In order of preference, without regions: `es` for `es-MX`. */
function acceptedLanguages(accepted: string): string[] {
  const tags = new Negotiator({ headers: { 'accept-language': accepted } }).languages();
  return tags.map((tag) => tag.split('-', 1)[0]?.toLowerCase() ?? '');
}
