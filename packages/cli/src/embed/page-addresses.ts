import { readPage } from '@touchstone/page/read';

/**
 * The addresses at which servers serve a file of a built site: `cup/index.html` is `/cup/`, `cup.html` is `/cup` or `/cup.html`.
 *
 * @param path - of the file relative to the site, separated by `/`
 */
export function addressesOf(path: string, baseUrl: string): string[] {
  const whole = `${baseUrl}/${path.split('/').map(encodeURIComponent).join('/')}`;
  const folder = /^(.*\/)index\.html?$/i.exec(whole)?.[1];
  const plain = /^(.*)\.html?$/i.exec(whole)?.[1];
  return [...(folder === undefined ? [] : [folder]), ...(plain === undefined ? [] : [plain]), whole];
}

/** The page's canonical link; empty if it is missing or relative. */
export function statedAddress(html: Uint8Array): string[] {
  const { canonicalUrl } = readPage(html, {
    url: 'about:blank',
    contentType: 'text/html; charset=utf-8',
  });
  return canonicalUrl === null ? [] : [canonicalUrl];
}
