/** Query parameters that CDNs use for size, crop, quality, format and cache busting. */
const SIZE_PARAMETERS: ReadonlySet<string> = new Set(
  (
    'w h width height wid hei size s sz fit crop resize quality q qlt fm format fmt auto dpr op_sharpen resmode scale ' +
    'sw sh sm sfrm cx cy cw ch v ver version t ts imwidth imheight impolicy strip bg bgc bg-color background compress ' +
    'mode maxwidth maxheight max-w max-h rect downsize output-format output-quality interpolation odnheight odnwidth odnbg'
  ).split(' '),
);

const SIZE_PATTERNS: readonly RegExp[] = [
  // `_600x800`, `-300x300`, `_600x`, `_x800`, `@2x`, optionally followed by a crop word or scale
  /[-_](?:\d{2,4}x\d{0,4}|x\d{2,4})(?:_crop_[a-z]+)?(?:@\dx)?(?=\.[a-z]{3,5}$|$)/i,
  /@\dx(?=\.[a-z]{3,5}$)/i,
  // named sizes of storefront CDNs
  /[-_](?:pico|icon|thumb|thumbnail|small|compact|medium|large|grande|original|master|scaled)(?=\.[a-z]{3,5}$)/i,
  // modifiers between dots before the extension: `name._SX300_.jpg`
  /\._[A-Z0-9][\w,%+-]*_(?=\.[a-z]{3,5}$)/i,
  // path segments that only state a size or transformation
  /\/(?:[whcq]_[\w.:-]+(?:,[a-z]+_[\w.:-]+)*|\d{2,4}x\d{2,4}|fit-in\/\d+x\d+|cache\/[0-9a-f]{16,40}|s-l\d{2,4}(?=\.))(?=\/|\.)/i,
];

/**
 * A key that is equal for all sizes, qualities and versions of one image, by its address; not a URL.
 *
 * @returns `null` for an address that cannot be parsed
 * @example
 * ```ts
 * import { imageKey } from '@touchstone/certificate/binding';
 *
 * imageKey('https://cdn.example/cup_600x.jpg?v=17') === imageKey('http://cdn.example/cup.jpg'); // true
 * ```
 */
export function imageKey(href: string): string | null {
  const url = URL.parse(href);
  if (url === null) return null;
  const kept = [...url.searchParams].filter(
    ([name]) => !SIZE_PARAMETERS.has(name.toLowerCase()) && !/^\$.*\$$/.test(name),
  );
  let path = url.pathname;
  // a file may be named by its size, too
  for (let before = ''; before !== path; ) {
    before = path;
    for (const pattern of SIZE_PATTERNS) path = path.replace(pattern, '');
  }
  const query = kept.map(([name, value]) => `${name}=${value}`).join('&');
  return `${origin(url.host, path).toLowerCase()}?${query}`;
}

/** Host and path, where shop software serves the files of one store under two addresses. */
function origin(host: string, path: string): string {
  const shopify = /^(?:\/s\/files(?:\/\d+)+|\/cdn\/shop)(\/(?:products|files)\/.+)$/.exec(path)?.[1];
  if (shopify !== undefined) return `shopify${shopify}`;
  return /^i\d\.wp\.com$/.test(host) ? path.slice(1) : host + path;
}
