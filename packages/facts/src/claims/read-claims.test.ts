import { describe, expect, it } from 'vitest';
import { readPage } from '../testing.ts';
import { MAX_CLAIMS } from './read-claims.ts';

const url = 'https://shop.example/products/kettle';
const read = (html: string) => readPage(html, { url });
const claims = (html: string) => read(html).claims;
const script = (value: unknown, type = 'application/ld+json') =>
  `<script type="${type}">${typeof value === 'string' ? value : JSON.stringify(value)}</script>`;
const product = (more: object) =>
  script({ '@context': 'https://schema.org', '@type': 'Product', name: 'Kettle', ...more });
const jwt = (payload: unknown) =>
  ['{"alg":"ES256"}', JSON.stringify(payload), 'x']
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.');

const EPREL = {
  kind: 'certification',
  name: 'EPREL',
  id: '123456',
  issuer: { name: 'European Commission', id: 'https://commission.europa.eu' },
  url: 'https://eprel.ec.europa.eu/qr/123456',
};
const CERTIFICATION = {
  '@type': 'Certification',
  name: 'EPREL',
  certificationIdentification: 123456,
  issuedBy: { '@type': 'Organization', name: 'European Commission', url: 'https://commission.europa.eu' },
  url: 'https://eprel.ec.europa.eu/qr/123456',
};

describe('a certification of schema.org', () => {
  it.each([
    ['in JSON-LD', product({ hasCertification: CERTIFICATION }), 'jsonld', 'hasCertification'],
    [
      'in JSON-LD, elsewhere on the page',
      script({
        '@graph': [
          { '@type': 'Product', hasCertification: { '@id': '#c' } },
          { '@id': '#c', ...CERTIFICATION },
        ],
      }),
      'jsonld',
      'hasCertification',
    ],
    [
      'in JSON-LD, of no product',
      script({ ...CERTIFICATION, '@context': 'https://schema.org' }),
      'jsonld',
      'Certification',
    ],
    [
      'in microdata',
      `<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Kettle</h1>
        <p itemprop="hasCertification" itemscope itemtype="https://schema.org/Certification"><b itemprop="name">EPREL</b>
        <i itemprop="certificationIdentification">123456</i><a itemprop="url" href="https://eprel.ec.europa.eu/qr/123456">register</a>
        <span itemprop="issuedBy" itemscope itemtype="https://schema.org/Organization"><em itemprop="name">European Commission</em>
        <link itemprop="url" href="https://commission.europa.eu"></span></p></div>`,
      'html',
      'microdata:hasCertification',
    ],
    [
      'in RDFa',
      `<div vocab="https://schema.org/" typeof="Product"><h1 property="name">Kettle</h1>
        <p property="hasCertification" typeof="Certification"><b property="name">EPREL</b>
        <i property="certificationIdentification">123456</i><a property="url" href="https://eprel.ec.europa.eu/qr/123456">register</a>
        <span property="issuedBy" typeof="Organization"><em property="name">European Commission</em>
        <link property="url" href="https://commission.europa.eu"></span></p></div>`,
      'html',
      'rdfa:hasCertification',
    ],
  ])('is told with its issuer, number and register: %s', (_, html, source, field) => {
    expect(claims(html)).toEqual([{ ...EPREL, source, field }]);
  });

  it('of a product that the page merely lists is not told', () => {
    expect(
      claims(product({ isRelatedTo: { '@type': 'Product', hasCertification: CERTIFICATION } })),
    ).toBeUndefined();
  });

  it('as text or address is told, and an empty one is not', () => {
    const html = product({
      hasCertification: ['Organic', 'https://register.example/7', '', {}, 'javascript:alert(1)'],
    });
    expect(claims(html)?.map(({ name, url: address }) => name ?? address)).toEqual([
      'Organic',
      'https://register.example/7',
      'javascript:alert(1)',
    ]);
  });
});

describe('a credential', () => {
  const credential = {
    '@context': [
      'https://www.w3.org/ns/credentials/v2',
      'https://test.uncefact.org/vocabulary/untp/dcc/0.6.0/',
    ],
    type: ['VerifiableCredential', 'DigitalConformityCredential'],
    id: 'https://certifier.example/credentials/7',
    issuer: { id: 'did:web:certifier.example', name: 'Certifier' },
    credentialSubject: {},
  };
  const told = {
    kind: 'credential',
    name: 'DigitalConformityCredential',
    id: credential.id,
    issuer: { id: 'did:web:certifier.example', name: 'Certifier' },
    url: credential.id,
  };
  const enveloped = (type: string, id: string) => script({ type, id });

  it.each([
    ['embedded in JSON-LD', script(credential)],
    ['in a script of its own', script(credential, 'application/vc')],
    ['in a script of its own, by a former media type', script(credential, 'application/vc+ld+json')],
    ['secured, in a script', script(jwt(credential), 'application/vc+jwt')],
    ['of version 1.1, secured', script(jwt({ iss: 'x', vc: credential }), 'application/vc+ld+json+jwt')],
    [
      'in an envelope',
      enveloped('EnvelopedVerifiableCredential', `data:application/vc+jwt,${jwt(credential)}`),
    ],
  ])('is told with its issuer, whose signature is not verified: %s', (_, html) => {
    const all = claims(html);
    expect(all).toHaveLength(1);
    expect(all?.[0]).toMatchObject(told);
  });

  it('is told if nothing of it can be read', () => {
    const html = enveloped('EnvelopedVerifiableCredential', 'data:application/vc+cose;base64,0oRD');
    expect(claims(html)).toMatchObject([{ kind: 'credential', name: 'application/vc+cose' }]);
    expect(claims(script('no credential', 'application/vc+jwt'))).toMatchObject([
      { name: 'application/vc+jwt' },
    ]);
    expect(claims(script({ type: 'Other' }, 'application/vp'))).toMatchObject([{ name: 'application/vp' }]);
    expect(claims(enveloped('EnvelopedVerifiableCredential', 'data:text/html,<b>'))).toBeUndefined();
  });

  it.each([
    ['credential', '<a type="application/vc+jwt" href="/passport.jwt">Passport</a>'],
    [
      'credential',
      '<link rel="alternate" type="application/vc+ld+json; charset=utf-8" title="Passport" href="/passport.jwt">',
    ],
    ['product_passport', '<link rel="alternate DPP" title="Passport" href="/passport.jwt">'],
    ['product_passport', '<a rel="untp:dpp" href="/passport.jwt"> Passport </a>'],
    ['certification', '<a rel="gs1:certificationInfo nofollow" href="/passport.jwt">Passport</a>'],
  ])('to which the page links is told as %s', (kind, html) => {
    expect(claims(html)).toMatchObject([
      { kind, name: 'Passport', url: 'https://shop.example/passport.jwt' },
    ]);
  });

  it('as a passport of schema.org is told once', () => {
    const passport = {
      '@type': 'DigitalProductPassport',
      name: 'Passport',
      url: 'https://passports.example/7',
    };
    expect(claims(product({ hasDigitalProductPassport: passport }))).toMatchObject([
      { kind: 'product_passport', name: 'Passport', url: 'https://passports.example/7' },
    ]);
  });
});

describe('a GS1 Digital Link', () => {
  const link = 'https://id.gs1.org/01/09506000134352/10/ABC?17=271200';

  it.each([
    ['in data', product({ '@id': link })],
    ['in data, as another address', product({ sameAs: link })],
    ['as a link', `<a href="${link}">Product</a>`],
    ['as the canonical link', `<link rel="canonical" href="${link}">`],
    ['twice', `${product({ url: link })}<a href="${link.replace('10/ABC', '21/7')}">Product</a>`],
  ])('is told as the number that it states, once: %s', (_, html) => {
    const all = claims(html);
    expect(all).toHaveLength(1);
    expect(all?.[0]).toMatchObject({ kind: 'digital_link', id: '09506000134352' });
    expect(all?.[0]).not.toHaveProperty('issuer');
  });

  it.each(['/2024/01/12345678901234', '/01/09506000134353', '/01/950600013435', '/001/09506000134352'])(
    'is not what lacks a check digit or a place: %s',
    (path) => {
      expect(claims(`<a href="${path}">Product</a>`)).toBeUndefined();
    },
  );
});

describe('hostile claims', () => {
  it('are told up to a number and length, with how many there are', () => {
    const many = Array.from({ length: 300 }, (_, i) => ({
      ...CERTIFICATION,
      name: `${i}${'x'.repeat(5_000)}`,
    }));
    const { claims: all = [], findings } = read(product({ hasCertification: many }));
    expect(findings.filter((finding) => finding.startsWith('claims_not_proven'))).toEqual([
      expect.stringMatching(/: 50$/),
    ]);
    expect(all.length).toBeGreaterThan(10);
    expect(all.length).toBeLessThanOrEqual(MAX_CLAIMS);
    expect(JSON.stringify(all).length).toBeLessThan(12_000);
    for (const { name } of all) expect(name?.length).toBeLessThanOrEqual(200);
  });

  it('lose characters that are not shown, and addresses that are too long or of other schemes', () => {
    const hostile = {
      '@type': 'Certification',
      name: 'a\u202e\u0000b\u200b',
      url: `https://a.example/${'x'.repeat(2_000)}`,
    };
    expect(claims(product({ hasCertification: hostile }))).toMatchObject([{ name: 'ab' }]);
    expect(claims(product({ hasCertification: hostile }))?.[0]).not.toHaveProperty('url');
    const scripted = { '@type': 'Certification', name: 'a', url: 'javascript:alert(1)' };
    expect(claims(product({ hasCertification: scripted }))?.[0]).not.toHaveProperty('url');
  });

  it('of any shape are read without fault', () => {
    const shapes: unknown[] = [
      null,
      1,
      true,
      [],
      {},
      [[['x']]],
      { '@id': '#self', '@value': null },
      { '@list': [{}] },
    ];
    for (const shape of shapes)
      for (const property of [
        'hasCertification',
        'hasDigitalProductPassport',
        'sameAs',
        '@id',
        'type',
        'issuer',
      ])
        expect(() => read(product({ [property]: shape, '@id': '#self' }))).not.toThrow();
    const cyclic = product({ '@id': '#a', hasCertification: { '@id': '#a' } });
    expect(() => read(cyclic)).not.toThrow();
  });

  it('cost bounded work', () => {
    const many = {
      '@type': 'Product',
      hasCertification: Array.from({ length: 500 }, () => ({ '@id': '#c' })),
    };
    const graph = [
      ...Array.from({ length: 5_000 }, () => many),
      { '@id': '#c', ...CERTIFICATION, more: 'x'.repeat(10_000) },
    ];
    const before = process.threadCpuUsage();
    read(`${script({ '@graph': graph.slice(0, 80) })}${'<a href="/01/09506000134352">x</a>'.repeat(20_000)}`);
    expect(process.threadCpuUsage(before).user).toBeLessThan(5_000_000);
  });
});

it('a page without claims says nothing of them', () => {
  const reading = read(product({ offers: { price: '9.00' } }));
  expect(reading).not.toHaveProperty('claims');
  expect(reading.findings.join()).not.toContain('claims_not_proven');
});
