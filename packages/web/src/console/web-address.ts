/** The web address that a user entered, by default with `https`; `undefined` if it is invalid. */
export function webAddress(typed: string): URL | undefined {
  const text = typed.trim();
  if (text === '' || /\s/.test(text)) return undefined;
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`);
  const isWeb =
    url !== null && (url.protocol === 'https:' || url.protocol === 'http:') && url.hostname.includes('.');
  return isWeb ? url : undefined;
}
