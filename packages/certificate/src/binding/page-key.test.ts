import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comparePageUrls } from './compare-page-urls.ts';
import { pageKey, pageKeys } from './page-key.ts';

const CUP = 'https://shop.example/products/cup';

describe('keys of page URLs', () => {
  it.each([
    [CUP, CUP],
    [`${CUP}/?utm_source=mail&variant=2#top`, CUP],
    ['https://shop.example/collections/all/products/cup', CUP],
    ['https://shop.example/p?b=2&gclid=1&a=1', 'https://shop.example/p?a=1&b=2'],
    ['https://shop.example/#!/cup', 'https://shop.example#!/cup'],
    ['HTTPS://SHOP.example.:443/%63up', 'https://shop.example/cup'],
  ])('%s is stored under %s', (signed, key) => {
    expect(pageKey(signed)).toBe(key);
  });

  it('has none for anything but a page URL', () => {
    expect(pageKey('shop.example/cup')).toBeNull();
    expect(pageKeys('mailto:cup@shop.example')).toEqual([]);
  });

  it('looks up a page rendered by a script both with its route and without', () => {
    expect(pageKeys('https://shop.example/?ref=1#/cup')).toEqual([
      'https://shop.example#/cup',
      'https://shop.example',
    ]);
  });

  const part = (...texts: string[]) => fc.constantFrom(...texts);
  const address = fc
    .tuple(
      part(
        'https://shop.example',
        'https://SHOP.example:443',
        'http://shop.example',
        'https://shop.example.',
      ),
      part('', '/collections/a', '/collections/b', '/collections/a/collections/b'),
      part('/products/cup', '/products/cup/', '/products/c%75p', '/products/cup//', '/', '/products/'),
      fc.array(part('variant=1', 'variant=2', 'utm_x=1', 'id=1', 'id=2', 'a', 'v%61riant=1', '%2'), {
        maxLength: 3,
      }),
      part('', '#top', '#/a', '#!/a', '#/%61'),
    )
    .map(
      ([origin, collection, path, query, hash]) => `${origin}${collection}${path}?${query.join('&')}${hash}`,
    );

  it('finds every signed URL that equals the URL of a page', () => {
    let equal = 0;
    fc.assert(
      fc.property(address, address, (signed, page) => {
        if (!comparePageUrls(signed, page).equal) return;
        equal += 1;
        expect(pageKeys(page)).toContain(pageKey(signed));
      }),
      { numRuns: 20_000, seed: 7 },
    );
    expect(equal).toBeGreaterThan(100);
  });
});
