import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comparePageUrls } from './compare-page-urls.ts';
import { hostOf, normalizeHost } from './hosts.ts';
import { normalizePageUrl, withRouteOf } from './normalize-page-url.ts';

const CUP = 'https://shop.example/products/cup';

describe('page URLs that are the same page', () => {
  it.each([
    [CUP, 'https://SHOP.example/products/cup'],
    [CUP, 'https://shop.example./products/cup'],
    [CUP, 'https://shop.example:443/products/cup'],
    [CUP, `${CUP}#reviews`],
    [CUP, `${CUP}/`],
    [CUP, 'https://shop.example/products/%63up'],
    [CUP, 'https://shop.example/collections/all/products/cup'],
    ['https://shop.example/p/%c3%a9', 'https://shop.example/p/%C3%A9'],
    ['https://shop.example/p/é', 'https://shop.example/p/%C3%A9'],
    ['https://shop.example', 'https://shop.example/'],
    ['https://shop.example/p?b=2&a=1', 'https://shop.example/p?a=1&b=2'],
    ['https://shop.example/p?id=7', 'https://shop.example/p?utm_source=x&id=7&utm_anything=y'],
    [CUP, `${CUP}?`],
    [CUP, `${CUP}?&`],
    ['https://shop.example/p?id=7', 'https://shop.example/p?&id=7&&'],
    ['https://shop.example/p?%69d=%7e', 'https://shop.example/p?id=~'],
    ['https://shop.example/p?b&a=1', 'https://shop.example/p?a=1&b'],
    [CUP, `${CUP}?gclid`],
    [`${CUP}?variant=1`, `${CUP}?variant=1&utm_source=mail`],
    [`${CUP}?variant=1`, `${CUP}?gclid=7&variant=1&ref=2`],
    [
      'https://shop.example/collections/all/products/cup',
      'https://shop.example/collections/all/products/cup/#top',
    ],
    ['https://shop.example/#!/cup/%7e1', 'https://shop.example/?ref=2#!/cup/~1'],
    [CUP, `${CUP}#/size-m`],
    [CUP, `${CUP}#!/~/cart`],
    [`${CUP}#top`, CUP],
    ['https://shop.example/a%zz%63', 'https://shop.example/a%zzc'],
    ['https://shop.example/%2%4a', 'https://shop.example/%2%4A'],
  ])('%s = %s', (signed, page) => {
    expect(comparePageUrls(signed, page)).toEqual({ equal: true, reason: 'ok' });
  });

  it.each(
    [
      'utm_campaign gclid gad_source gbraid wbraid dclid fbclid msclkid yclid ttclid twclid li_fat_id srsltid',
      'igshid mc_cid mc_eid _hsenc _hsmi mkt_tok _kx _ga _gl ref ref_src variant _pos _sid _ss _psq _fid _v',
    ]
      .join(' ')
      .split(' '),
  )('drops the parameter %s', (name) => {
    expect(comparePageUrls(CUP, `${CUP}?${name}=1`).equal).toBe(true);
  });
});

describe('page URLs that differ', () => {
  it.each([
    [CUP, 'http://shop.example/products/cup', 'url_differs'],
    [CUP, 'https://www.shop.example/products/cup', 'url_differs'],
    [CUP, 'https://shop.example:8443/products/cup', 'url_differs'],
    [CUP, 'https://shop.example/products/cup//', 'url_differs'],
    [CUP, 'https://shop.example/products/Cup', 'url_differs'],
    ['https://shop.example/a%2Fb', 'https://shop.example/a/b', 'url_differs'],
    ['https://shop.example/a%zz', 'https://shop.example/a', 'url_differs'],
    ['https://shop.example/collections/all', 'https://shop.example/', 'url_differs'],
    ['https://shop.example/p?a=1&a=2', 'https://shop.example/p?a=2&a=1', 'url_differs'],
    ['https://shop.example/p?id=7', 'https://shop.example/p', 'url_differs'],
    ['https://shop.example/p?id=7', 'https://shop.example/p?id=8', 'url_differs'],
    ['https://shop.example/p?id=7', 'https://shop.example/p?id=8&x=1', 'url_differs'],
    ['https://shop.example/p?id=7', 'https://shop.example/q?id=7&x=1', 'url_differs'],
    ['https://shop.example/p?b=2', 'https://shop.example/p?a=1&b=2', 'url_extra_parameter'],
    ['https://shop.example/p?b=2', 'https://shop.example/p?a=1&b=2&c=3', 'url_extra_parameter'],
    ['https://shop.example/p?id=7', 'https://shop.example/p?id=7&id=7', 'url_differs'],
    ['https://shop.example/p?id=7', 'https://shop.example/p?id=7&x=1&id=8', 'url_differs'],
    [CUP, `${CUP}?xgclid=1`, 'url_extra_parameter'],
    [CUP, `${CUP}?gclidx=1`, 'url_extra_parameter'],
    [CUP, `${CUP}?x_utm_source=1`, 'url_extra_parameter'],
    [CUP, `${CUP}?utm=1`, 'url_extra_parameter'],
    [CUP, `${CUP}?mc_xid=1`, 'url_extra_parameter'],
    [CUP, `${CUP}?=gclid`, 'url_extra_parameter'],
    [CUP, 'https://shop.example/collections/a/b/products/cup', 'url_differs'],
    [CUP, 'https://shop.example/collections//products/cup', 'url_differs'],
    [CUP, 'https://shop.example/collections/all/products-old/cup', 'url_differs'],
    [CUP, 'https://user@shop.example/products/cup', 'url_credentials'],
    [CUP, 'https://:secret@shop.example/products/cup', 'url_credentials'],
    ['https://user@shop.example/products/cup', CUP, 'url_credentials'],
    [`${CUP}?ref=1`, `${CUP}?ref=2`, 'url_differs'],
    [`${CUP}?ref=1`, CUP, 'url_differs'],
    [`${CUP}?ref=1`, `${CUP}?ref=1&ref=2`, 'url_differs'],
    [`${CUP}?utm_source=a`, CUP, 'url_differs'],
    [`${CUP}?variant=1`, `${CUP}?variant=2`, 'url_differs'],
    ['https://shop.example/collections/a/products/cup', CUP, 'url_differs'],
    [
      'https://shop.example/collections/a/products/cup',
      'https://shop.example/collections/b/products/cup',
      'url_differs',
    ],
    [
      'https://shop.example/collections/b/products/cup',
      'https://shop.example/collections/b/collections/a/products/cup',
      'url_differs',
    ],
    ['https://shop.example/#!/product/1', 'https://shop.example/#!/product/2', 'url_differs'],
    ['https://shop.example/#/product/1', 'https://shop.example/#/product/2', 'url_differs'],
    ['https://shop.example/#!/product/1', 'https://shop.example/#/product/1', 'url_differs'],
    ['https://shop.example/#!/product/1', 'https://shop.example/', 'url_differs'],
    ['https://shop.example/#!/product/1', 'https://shop.example/?x=1#!/product/2', 'url_differs'],
    ['https://shop.example/#!/product/1', 'https://shop.example/?x=1#!/product/1', 'url_extra_parameter'],
    ['https://shop.example/%2F', 'https://shop.example/%2%46', 'url_differs'],
    ['https://shop.example/%2F', 'https://shop.example/%%32F', 'url_differs'],
    ['https://shop.example/%46', 'https://shop.example/%%34%36', 'url_differs'],
    ['https://shop.example/p?q=%26', 'https://shop.example/p?q=%2%36', 'url_differs'],
    [CUP, `${CUP}?session=1`, 'url_extra_parameter'],
    [CUP, `${CUP}?UTM_SOURCE=1`, 'url_extra_parameter'],
    [CUP, 'https://user:secret@shop.example/products/cup', 'url_credentials'],
    [CUP, 'not a url', 'page_url_invalid'],
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
