import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostOf, normalizeHost } from './hosts.ts';
import { comparePageUrls, normalizePageUrl } from './page-urls.ts';

const CUP = 'https://shop.example/products/cup';

describe('page addresses that are the same page', () => {
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

describe('page addresses that differ', () => {
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
    ['https://shop.example/p?id=7', 'https://shop.example/p?id=7&id=7', 'url_extra_parameter'],
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

  it('reports both normal forms when no parameter is too many', () => {
    expect(comparePageUrls(`${CUP}?id=7`, 'https://shop.example/products/mug#x')).toEqual({
      equal: false,
      reason: 'url_differs',
      expected: `${CUP}?id=7`,
      actual: 'https://shop.example/products/mug',
    });
  });

  it('reports an address that is none as it was given, on its own side', () => {
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

describe('the normal form of a page address', () => {
  it.each([
    [
      'https://SHOP.example:8443/a%2fb%7Ec%c3%a9/?z=1&b=2&a=3&b=1#f',
      'https://shop.example:8443/a%2Fb~c%C3%A9?a=3&b=2&b=1&z=1',
    ],
    ['http://shop.example:80', 'http://shop.example'],
    ['https://shop.example/p?c=1&a=1&b=1', 'https://shop.example/p?a=1&b=1&c=1'],
    ['https://shop.example/p?a=3&a=1&a=2', 'https://shop.example/p?a=3&a=1&a=2'],
    ['https://shop.example/p?a%3db=%26&a%zz', 'https://shop.example/p?a%3Db=%26&a%zz'],
  ])('of %s is %s', (text, normal) => {
    expect(normalizePageUrl(text)?.text).toBe(normal);
  });

  it.each(['%21', '%25', '%2F', '%3D', '%5B', '%60', '%7B', '%7F', '%80'])(
    'keeps %s encoded, which means something else decoded',
    (triplet) => {
      expect(normalizePageUrl(`https://shop.example/${triplet}`)?.text).toBe(
        `https://shop.example/${triplet}`,
      );
    },
  );

  it('decodes every unreserved character, and nothing else changes', () => {
    const unreserved = 'ABCXYZabcxyz0189-._~';
    const encoded = [...unreserved].map((c) => `%${c.charCodeAt(0).toString(16)}`).join('');
    expect(normalizePageUrl(`https://shop.example/x${encoded}`)?.text).toBe(
      `https://shop.example/x${unreserved}`,
    );
  });
});

describe('any address', () => {
  it('stays the same page under a fragment, a tracking parameter and another case of its host', () => {
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

  it('compares symmetrically', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true }), fc.webUrl(), (a, b) => {
        expect(comparePageUrls(a, b).equal).toBe(comparePageUrls(b, a).equal);
      }),
    );
  });

  it('never throws, whatever the text', () => {
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
