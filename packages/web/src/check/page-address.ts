/** The user's input as an address that can be checked, or why it is none. */
type EnteredAddress =
  | { readonly kind: 'address'; readonly url: string }
  | { readonly kind: 'bad'; readonly why: 'empty' | 'notWeb' | 'notAddress' };

/** Accepts an address with or without a scheme, and removes surrounding characters that were copied with it. */
export function readAddress(entered: string): EnteredAddress {
  const text = entered
    .trim()
    .replace(/^<([\s\S]*)>$/, '$1')
    .replace(/^["']([\s\S]*)["']$/, '$1')
    .trim();
  if (text === '') return { kind: 'bad', why: 'empty' };
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase();
  // `shop.example:8443/cup` looks like it has a scheme
  const isHostWithPort = /^[^/?#\s:]+:\d{1,5}(?:[/?#]|$)/.test(text);
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https' && !isHostWithPort)
    return { kind: 'bad', why: 'notWeb' };
  const hasScheme = scheme === 'http' || scheme === 'https';
  const url = URL.parse(hasScheme && !isHostWithPort ? text : `https://${text.replace(/^\/\//, '')}`);
  if (url === null || /\s/.test(text) || !/[.:]|^localhost$/.test(url.hostname))
    return { kind: 'bad', why: 'notAddress' };
  return { kind: 'address', url: url.href };
}
