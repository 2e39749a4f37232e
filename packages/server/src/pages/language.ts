import Negotiator from 'negotiator';
import type { PageRequest } from '../platform/http/route.ts';

/** The language of a page: the one in the address (`?lang=`), else the reader's, else the first. */
export function languageOf({ url, headers }: PageRequest, languages: readonly string[]): string {
  const chosen = /[?&]lang=([a-z]+)/i.exec(url)?.[1]?.toLowerCase();
  if (chosen !== undefined && languages.includes(chosen)) return chosen;
  const first = languages[0] as string;
  const accepted = headers['accept-language'];
  if (accepted === undefined) return first;
  // es-MX reads es
  const wanted = new Negotiator({ headers: { 'accept-language': accepted } })
    .languages()
    .map((tag) => tag.split('-', 1)[0]?.toLowerCase() ?? '');
  return wanted.find((language) => languages.includes(language)) ?? first;
}
