/** Key for comparing page URLs: without scheme, `www.`, query, fragment and trailing slashes; undefined if not http(s). */
export function pageKey(href: string): string | undefined {
  let url: URL;
  try {
    url = new URL(href);
  } catch {
    return undefined;
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  return `${url.hostname.replace(/^www\./, '')}${withoutClosingSlashes(url.pathname).toLowerCase()}`;
}

/** A loop, because `/\/+$/` takes quadratic time on long runs of slashes. */
export function withoutClosingSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end--;
  return path.slice(0, end);
}
