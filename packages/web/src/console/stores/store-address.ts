/** The address of a shop as somebody types it, `https` where no scheme is given; `undefined` where it is none. */
export function storeAddress(typed: string): URL | undefined {
  const text = typed.trim();
  if (text === '' || /\s/.test(text)) return undefined;
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`);
  const isWeb =
    url !== null && (url.protocol === 'https:' || url.protocol === 'http:') && url.hostname.includes('.');
  return isWeb ? url : undefined;
}
