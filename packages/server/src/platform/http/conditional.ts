/**
 * If-None-Match against an entity tag (RFC 9110 section 13.1.2): weak comparison, a list, or `*`. A header that
 * is no list of tags matches nothing.
 */
export function matchesEtag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  for (const [tag] of ifNoneMatch.matchAll(/(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g)) {
    if (tag.replace(/^W\//, '') === opaque) return true;
  }
  return false;
}

/** Headers of a 200 that its 304 repeats (RFC 9110 section 15.4.5), and the cache tag beside them. */
const KEPT_IN_304 = new Set([
  'etag',
  'cache-control',
  'vary',
  'expires',
  'date',
  'content-location',
  'surrogate-key',
]);

export function notModifiedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => KEPT_IN_304.has(name.toLowerCase())));
}
