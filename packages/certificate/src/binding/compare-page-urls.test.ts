import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comparePageUrls } from './compare-page-urls.ts';
import { hostOf, normalizeHost } from './hosts.ts';
import { normalizePageUrl, withRouteOf } from './normalize-page-url.ts';

const CUP = 'https://shop.example/products/cup';

describe('page URLs that are the same page', () => {
  it.each([
    ['https://shop.example/p?%69d=%7e', 'https://shop.example/p?id=~'],
    ['https://shop.example/p?b&a=1', 'https://shop.example/p?a=1&b'],
    [CUP, `${CUP}#!/~/cart`],
    ['https://shop.example/a%zz%63', 'https://shop.example/a%zzc'],
    ['https://shop.example/%2%4a', 'https://shop.example/%2%4A'],
  ])('%s = %s', (signed, page) => {
    expect(comparePageUrls(signed, page)).toEqual({ equal: true, reason: 'ok' });
  });
});

describe('page URLs that differ', () => {
  it.each([
    [CUP, `${CUP}?x_utm_source=1`, 'url_extra_parameter'],
    [CUP, 'https://shop.example/collections//products/cup', 'url_differs'],
    [CUP, 'https://shop.example/collections/all/products-old/cup', 'url_differs'],
    ['https://user@shop.example/products/cup', CUP, 'url_credentials'],
    [
      'https://shop.example/collections/b/products/cup',
      'https://shop.example/collections/b/collections/a/products/cup',
      'url_differs',
    ],
    ['https://shop.example/%2F', 'https://shop.example/%%32F', 'url_differs'],
    ['https://shop.example/%46', 'https://shop.example/%%34%36', 'url_differs'],
    ['https://shop.example/p?q=%26', 'https://shop.example/p?q=%2%36', 'url_differs'],
    [CUP, 'ftp://shop.example/products/cup', 'page_url_invalid'],
    ['nonsense', CUP, 'signed_url_invalid'],
  ])('%s ≠ %s: %s', (signed, page, reason) => {
    expect(comparePageUrls(signed, page)).toMatchObject({ equal: false, reason });
  });

  it('reports both normal forms, and names the extra parameters', () => {
    expect(comparePageUrls(CUP, `${CUP}/?b=2&a=1#x`)).toEqual({
      equal: false,
      reason: 'url_extra_parameter',
      expected: CUP,
      actual: `${CUP}?a=1&b=2 (extra: a, b)`,
    });
  });

  it('reports both normal forms when there is no extra parameter', () => {
    expect(comparePageUrls(`${CUP}?id=7`, 'https://shop.example/products/mug#x')).toEqual({
      equal: false,
      reason: 'url_differs',
      expected: `${CUP}?id=7`,
      actual: 'https://shop.example/products/mug',
    });
  });

  it('reports an invalid URL unchanged, on its own side', () => {
    expect(comparePageUrls(CUP, 'nonsense')).toEqual({
      equal: false,
      reason: 'page_url_invalid',
      actual: 'nonsense',
    });
    expect(comparePageUrls('nonsense', CUP)).toEqual({
      equal: false,
      reason: 'signed_url_invalid',
      expected: 'nonsense',
    });
  });

  it('never repeats credentials', () => {
    const comparison = comparePageUrls(CUP, 'https://user:secret@shop.example/products/cup');
    expect(JSON.stringify(comparison)).not.toContain('secret');
  });
});

describe('the normal form of a page URL', () => {
  it.each([
    [
      'https://SHOP.example:8443/a%2fb%7Ec%c3%a9/?z=1&b=2&a=3&b=1#f',
      'https://shop.example:8443/a%2Fb~c%C3%A9?a=3&b=2&b=1&z=1',
    ],
    ['https://shop.example/cup//?gclid=1#!/%7e%2f', 'https://shop.example/cup//?gclid=1#!/~%2F'],
    ['http://shop.example:80', 'http://shop.example'],
    ['https://shop.example/p?c=1&a=1&b=1', 'https://shop.example/p?a=1&b=1&c=1'],
    ['https://shop.example/p?a=3&a=1&a=2', 'https://shop.example/p?a=3&a=1&a=2'],
    ['https://shop.example/p?a%3db=%26&a%zz', 'https://shop.example/p?a%3Db=%26&a%zz'],
  ])('of %s is %s', (text, normal) => {
    expect(normalizePageUrl(text)?.text).toBe(normal);
  });

  it.each(['%21', '%25', '%2F', '%3D', '%5B', '%60', '%7B', '%7F', '%80'])(
    'keeps %s encoded, since it means something else when decoded',
    (triplet) => {
      expect(normalizePageUrl(`https://shop.example/${triplet}`)?.text).toBe(
        `https://shop.example/${triplet}`,
      );
    },
  );

  it('decodes every unreserved character, and changes nothing else', () => {
    const unreserved = 'ABCXYZabcxyz0189-._~';
    const encoded = [...unreserved].map((c) => `%${c.charCodeAt(0).toString(16)}`).join('');
    expect(normalizePageUrl(`https://shop.example/x${encoded}`)?.text).toBe(
      `https://shop.example/x${unreserved}`,
    );
  });
});

/** Parts of an address, with all that is sometimes ignored, and percent signs in odd places. */
interface Parts {
  readonly collection: string;
  readonly path: string;
  readonly tracking: string;
  readonly query: string;
  readonly route: string;
}

const odd = fc
  .array(fc.constantFrom('%', '%2', '%46', '%2F', '%7e', 'a', 'F', '2', 'é', '/', '.', '~'), { maxLength: 6 })
  .map((found) => found.join(''));
const parts: fc.Arbitrary<Parts> = fc.record({
  collection: fc.constantFrom('', '/collections/a', '/collections/%61', '/collections/b'),
  path: odd,
  tracking: fc.constantFrom('', 'ref=1', 'variant=2', 'utm_a=%7e'),
  query: fc
    .array(
      odd.map((text) => `q=${text}`),
      { maxLength: 2 },
    )
    .map((pairs) => pairs.join('&')),
  route: fc.constantFrom('', '#!/p/1', '#/p/%31', '#top', '#'),
});

function textOf({ collection, path, tracking, query, route }: Parts): string {
  return `https://shop.example${collection}/products/x${path}?${tracking}&${query}${route}`;
}

const address = parts.map(textOf);
const MAY_BE_ADDED = /collections|ref=|variant=|utm_|#[!/]/;
const CARRIED = ['collection', 'tracking', 'query', 'route'] as const;
const CARRIES = { collection: '/collections/c', tracking: 'ref=7', query: 'id=7', route: '#!/p/7' };
const CHANGED = { collection: '/collections/d', tracking: 'ref=8', query: 'id=8', route: '#!/p/8' };

describe('any URL', () => {
  it('over 8,192 characters equals no other, and one at the limit is compared', () => {
    const at = `${CUP}?${'a'.repeat(8192 - CUP.length - 1)}`;
    expect(comparePageUrls(at, at)).toEqual({ equal: true, reason: 'ok' });
    const why = { reason: 'url_too_long', expected: 'at most 8192 characters', actual: '8193 characters' };
    expect(comparePageUrls(CUP, `${at}a`)).toEqual({ equal: false, ...why });
    expect(comparePageUrls(`${at}a`, `${at}a`)).toEqual({ equal: false, ...why });
    expect(normalizePageUrl(`${at}a`)).toBeNull();
  });

  it('is the same page with a fragment, a tracking parameter or its host in another case', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true }), (url) => {
        const other = new URL(url);
        other.search += `${other.search === '' ? '?' : '&'}utm_source=mail`;
        other.hash = '#top';
        const shouted = other.href.replace(other.host, other.host.toUpperCase());
        expect(comparePageUrls(url, shouted)).toEqual({ equal: true, reason: 'ok' });
      }),
    );
  });

  it('does not change when it is normalised again', () => {
    fc.assert(
      fc.property(address, (url) => {
        const once = normalizePageUrl(url)?.text;
        expect(once).toBeDefined();
        expect(normalizePageUrl(once as string)?.text).toBe(once);
      }),
      { numRuns: 1000 },
    );
  });

  it('equals itself, and compares symmetrically unless either has what a page may add', () => {
    fc.assert(
      fc.property(address, address, (a, b) => {
        expect(comparePageUrls(a, a).equal).toBe(true);
        if (![a, b].some((url) => MAY_BE_ADDED.test(url)))
          expect(comparePageUrls(a, b).equal).toBe(comparePageUrls(b, a).equal);
      }),
      { numRuns: 1000 },
    );
  });

  it('differs from one that lacks a parameter, collection or route of the signed URL', () => {
    fc.assert(
      fc.property(parts, fc.constantFrom(...CARRIED), (page, name) => {
        const signed = textOf({ ...page, [name]: CARRIES[name] });
        expect(comparePageUrls(signed, textOf({ ...page, [name]: CHANGED[name] })).equal).toBe(false);
        expect(comparePageUrls(signed, textOf({ ...page, [name]: '' })).equal).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });

  it('never throws on any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        comparePageUrls(CUP, text);
        comparePageUrls(text, CUP);
        normalizeHost(text);
        hostOf(text);
      }),
    );
  });
});

describe('the route of a redirected URL', () => {
  it.each([
    ['https://shop.example/', 'http://shop.example/#!/cup', 'https://shop.example/#!/cup'],
    ['https://shop.example/', 'http://shop.example/#/cup', 'https://shop.example/#/cup'],
    ['https://shop.example/#/mug', 'http://shop.example/#!/cup', 'https://shop.example/#/mug'],
    ['https://shop.example/#top', 'http://shop.example/#!/cup', 'https://shop.example/#top'],
    ['https://shop.example/', 'http://shop.example/#top', 'https://shop.example/'],
    ['https://shop.example/', 'no address #!/cup', 'https://shop.example/'],
  ])('%s, from %s: %s', (landed, asked, result) => {
    expect(withRouteOf(landed, asked)).toBe(result);
  });
});
