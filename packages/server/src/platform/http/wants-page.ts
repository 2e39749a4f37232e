import type { IncomingHttpHeaders } from 'node:http';

const PAGE_TYPES: readonly string[] = ['text/html', 'application/xhtml+xml'];

/**
 * Whether who asks is a person: `Accept` names a page, and no kind of JSON that is wanted more (RFC 9110 section 12.5.1).
 * Whoever takes anything is a program, which is answered as it always was.
 */
export function wantsPage({ accept }: Pick<IncomingHttpHeaders, 'accept'>): boolean {
  if (accept === undefined || !/html/i.test(accept)) return false;
  const page = wanted(accept, (type) => PAGE_TYPES.includes(type));
  return page > 0 && page >= wanted(accept, isJson);
}

/**
 * Whether a program asks for a document as another media type than JSON: `Accept` names it, no kind of JSON is wanted more, and no page
 * as much.
 */
export function wantsType({ accept }: { readonly accept?: string | undefined }, mediaType: string): boolean {
  if (accept === undefined || !accept.toLowerCase().includes(mediaType)) return false;
  const quality = wanted(accept, (type) => type === mediaType);
  return quality > 0 && quality >= wanted(accept, isJson) && !wantsPage({ accept });
}

const isJson = (type: string) => /^application\/(?:[\w.+-]+\+)?json$/.test(type);

/** The highest quality with which a media type is named that is of the kind. */
function wanted(accept: string, isOfKind: (type: string) => boolean): number {
  let highest = 0;
  for (const range of accept.split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    if (isOfKind(type)) highest = Math.max(highest, qualityOf(parameters));
  }
  return highest;
}

/** The quality: 1 if none is stated, 0 if it is malformed. */
function qualityOf(parameters: readonly string[]): number {
  const given = parameters.find((parameter) => parameter.startsWith('q='));
  if (given === undefined) return 1;
  const quality = Number(given.slice(2));
  return quality >= 0 && quality <= 1 ? quality : 0;
}
