import { readPage } from '@touchstone/page/read';

/**
 * The addresses under which servers answer a file of a built site: `cup/index.html` is `/cup/`, `cup.html` is `/cup` or
 * `/cup.html`.
 *
 * @param path - of the file below the site, with `/` between its parts
 */
export function addressesOf(path: string, baseUrl: string): string[] {
  const whole = `${baseUrl}/${path.split('/').map(encodeURIComponent).join('/')}`;
  const folder = /^(.*\/)index\.html?$/i.exec(whole)?.[1];
  const plain = /^(.*)\.html?$/i.exec(whole)?.[1];
  return [...(folder === undefined ? [] : [folder]), ...(plain === undefined ? [] : [plain]), whole];
}

/** The address that a page states of itself; none where its canonical link is missing or relative. */
export function statedAddress(html: Uint8Array): string[] {
  // one step: nothing is read but the head's links
  const { canonicalUrl } = readPage(html, {
    url: 'about:blank',
    contentType: 'text/html; charset=utf-8',
    maxSteps: 1,
  });
  return canonicalUrl === null ? [] : [canonicalUrl];
}
