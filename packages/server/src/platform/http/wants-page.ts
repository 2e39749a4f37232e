import type { IncomingHttpHeaders } from 'node:http';

const PAGE_TYPES: readonly string[] = ['text/html', 'application/xhtml+xml'];

/**
 * Whether who asks is a person: `Accept` names a page, and no kind of JSON that is wanted more (RFC 9110 section 12.5.1).
 * Whoever takes anything is a program, which is answered as it always was.
 */
export function wantsPage({ accept }: Pick<IncomingHttpHeaders, 'accept'>): boolean {
  if (accept === undefined || !/html/i.test(accept)) return false;
  let page = 0;
  let json = 0;
  for (const range of accept.split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const quality = qualityOf(parameters);
    if (PAGE_TYPES.includes(type)) page = Math.max(page, quality);
    else if (/^application\/(?:[\w.+-]+\+)?json$/.test(type)) json = Math.max(json, quality);
  }
  return page > 0 && page >= json;
}

/** The quality: 1 if none is stated, 0 if it is malformed. */
function qualityOf(parameters: readonly string[]): number {
  const given = parameters.find((parameter) => parameter.startsWith('q='));
  if (given === undefined) return 1;
  const quality = Number(given.slice(2));
  return quality >= 0 && quality <= 1 ? quality : 0;
}
