import { createHash } from 'node:crypto';
import type { ImageSnapshot, ProductSnapshot } from '../../packages/certificate/src/index.ts';
import {
  assetCertificate,
  assetClaims,
  bindMembers,
  fullImageCertificate,
  imageClaims,
  productCertificate,
  productClaims,
} from '../../packages/certificate/src/issue/index.ts';
import type { ProofKind } from '../../packages/certificate/src/proof/proof-rules.ts';
import { type DocumentCase, documentVector, timestamp } from './builder.ts';
import type { VectorKey } from './keys.ts';
import { type ProfileCase, profileVector } from './profiles.ts';
import { issuerKeySet, type MakeTheme } from './theme.ts';
import {
  ASSET_ID,
  compact,
  header,
  ISSUED_AT,
  ISSUER,
  PAGE_URL,
  PRODUCT_ID,
  rs256,
  TYP,
  WEEK,
} from './tokens.ts';

/** Complete documents as the service issues them, with members bound by the proof, and with each of these altered. */
export const members: MakeTheme = async (keys) => {
  const issued = {
    product: await issue(keys.issuer, 'product'),
    asset: await issue(keys.issuer, 'asset'),
    image: await issue(keys.issuer, 'image'),
  };
  return {
    name: 'members',
    about: 'Documents as they are issued, with every member bound by the proof, and each of them altered.',
    jwks: { issuer: issuerKeySet(keys) },
    vectors: [
      ...products(issued.product).map(documentVector),
      ...images('asset', issued.asset).map(profileVector),
      ...images('image', issued.image).map(profileVector),
    ],
  };
};

type Document = Readonly<Record<string, unknown>>;

const IMAGE: ImageSnapshot = {
  imageId: ASSET_ID,
  contentUrl: 'https://shop.example/kettle.jpg',
  encodingFormat: 'image/jpeg',
  width: 1200,
  height: 900,
  uploadDate: '2026-02-01T08:00:00Z',
  externalId: 'media-7',
  credentials: {
    hasC2PA: true,
    hasManifest: true,
    hashes: { uhash: 'ab'.repeat(32), phash: '0f1e2d3c4b5a6978' },
  },
};

const PRODUCT: ProductSnapshot = {
  productId: PRODUCT_ID,
  externalProductId: 'kettle-7',
  name: 'Enamel kettle',
  url: PAGE_URL,
  domain: 'shop.example',
  storeName: 'Kettle House',
  storeUrl: 'https://shop.example/',
  sku: 'K7',
  gtin: '4006381333931',
  brand: 'Kettle House',
  attributes: [{ name: 'Inhalt in Liter', value: '1,5 – „großer“ Kessel' }],
  images: [
    IMAGE,
    { imageId: '3d813cbb-47fb-42ba-91df-831e1593ac2a', contentUrl: 'https://shop.example/kettle-back.jpg' },
  ],
};

const ABOUT: ImageSnapshot = {
  ...IMAGE,
  about: {
    updatedAt: '2026-02-01T08:00:00.000Z',
    assetPath: '/api/v1/blobs/abc',
    signerTrust: { status: 'untrusted', list: 'C2PA', listDate: '2026-01-01', signer: 'Kettle House' },
  },
};

const ADDRESSES = { baseUrl: ISSUER, namespaceUrl: `${ISSUER}/ns#` };
const DOMAINS = { authorizedDomains: ['shop.example', 'www.shop.example'], domainVerified: true };

async function issue(key: VectorKey, kind: ProofKind): Promise<Document> {
  const issuedAt = new Date(ISSUED_AT * 1000);
  const signed = (jwt: string) => ({
    jwt,
    kid: key.kid,
    issuedAt: timestamp(ISSUED_AT),
    expiresAt: timestamp(ISSUED_AT + WEEK),
  });
  const rendered = (jwt: string) => {
    if (kind === 'product') return productCertificate(PRODUCT, signed(jwt), ADDRESSES);
    if (kind === 'asset') return assetCertificate(PRODUCT, ABOUT, signed(jwt), ADDRESSES);
    return fullImageCertificate(PRODUCT, ABOUT, signed(jwt), DOMAINS, ADDRESSES);
  };
  const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url');
  const issuance = { issuer: ISSUER, issuedAt, bound: await bindMembers(kind, rendered(''), sha256) };
  const claims = {
    product: () => productClaims(PRODUCT, issuance),
    asset: () => assetClaims(PRODUCT, ABOUT, issuance),
    image: () => imageClaims(PRODUCT, ABOUT, issuance),
  }[kind]();
  return rendered(compact(header(key, { typ: TYP[kind] }), { ...claims }, rs256(key)));
}

const BOUND = ['SD-BOUND', 'SD-SPELLINGS', 'INTACT'];
/** These are compared with claims directly; altered coverage only gives a warning. */
const BY_CLAIMS = ['productID', 'url', 'svc:issuedFor', 'contentUrl', 'imageId'];

/** Every member of a document except its proof, each with one leaf altered. */
function alterations(document: Document): [string, Document][] {
  return Object.entries(document)
    .filter(([name]) => name !== 'proof')
    .map(([name, value]) => [name, { ...document, [name]: withOtherLeaf(value) }]);
}

/** A value whose last leaf is replaced by another value of its type. */
function withOtherLeaf(value: unknown): unknown {
  if (Array.isArray(value)) return [...value.slice(0, -1), withOtherLeaf(value.at(-1))];
  if (typeof value === 'object' && value !== null) {
    const [name, last] = Object.entries(value).at(-1) ?? ['', null];
    return { ...value, [name]: withOtherLeaf(last) };
  }
  if (typeof value === 'boolean') return !value;
  return typeof value === 'number' ? value + 1 : `${value}x`;
}

function slug(name: string): string {
  return name
    .replace(/[^a-z]+/gi, '-')
    .replace(/^-/, '')
    .toLowerCase();
}

/** Changes of a document by others that do not alter what was issued. */
function harmless(document: Document, type: string): [string, string, Document][] {
  const inFull = Object.fromEntries(
    Object.entries(document).map(([name, value]) => [name.replace(/^svc:/, `${ISSUER}/ns#`), value]),
  );
  const reversed = Object.fromEntries(Object.entries(document).toReversed());
  const { '@context': _, ...hoisted } = document;
  const { proof, 'svc:issuedFor': issuedFor } = document;
  const { jwt } = proof as Document;
  const [repeated = ''] = BY_CLAIMS.filter((name) => name in document && name !== 'productID');
  const value = document[repeated];
  const { [repeated]: __, ...others } = document;
  const context = document['@context'] as readonly unknown[];
  return [
    ['as-issued', 'As it was issued', document],
    ['order', 'Its members in another order', reversed],
    ['context-hoisted', 'In a graph, whose @context stands further up', hoisted],
    [
      'context-extended',
      '@context and @type extended',
      {
        ...document,
        '@context': ['http://schema.org/', { svc: `${ISSUER}/ns#` }, { gs1: 'https://gs1.org/voc/' }],
        '@type': [`https://schema.org/${type}`, 'IndividualProduct'],
      },
    ],
    [
      'context-vocab',
      '@context by @vocab',
      { ...document, '@context': { '@vocab': 'https://schema.org/', svc: `${ISSUER}/ns#` } },
    ],
    [
      'added',
      'Members that are not ours, added',
      { ...document, '@id': '#x', name: 'Best kettle', offers: { '@type': 'Offer', price: 9 } },
    ],
    ['in-full', 'The names of our namespace in full', inFull],
    [
      'log-proof',
      'Where its proof is logged, which the proof does not bind',
      { ...document, 'svc:logProof': 'c2sp.org/tlog-proof@v1', [`${ISSUER}/ns#logProof`]: 'nowhere' },
    ],
    ['rest', 'The proof and what it is issued for alone', { proof, 'svc:issuedFor': issuedFor }],
    [
      'nulls',
      'null in the place of a member says nothing',
      { ...document, 'svc:status': null, 'svc:nft': null, [`schema:${repeated}`]: null },
    ],
    ['schema-prefix', 'A name with the prefix of schema.org', { ...others, [`schema:${repeated}`]: value }],
    [
      'schema-twice',
      'The same value under two names',
      { ...document, [`http://schema.org/${repeated}`]: value },
    ],
    [
      'own-prefix',
      'A name with a prefix that its @context defines',
      { ...others, '@context': [...context, { s: 'https://schema.org/' }], [`s:${repeated}`]: value },
    ],
    [
      'own-term',
      'A name by a term that its @context defines, one by another',
      {
        ...others,
        '@context': [...context, { s: 'http://schema.org/', link: `s:${repeated}` }],
        link: value,
      },
    ],
    [
      'other-terms',
      'Terms and types of others, defined in its @context',
      {
        ...document,
        '@context': [
          ...context,
          { '@language': 'de', size: { '@id': 'https://gs1.org/voc/size', '@type': '@id' } },
        ],
        size: 'large',
      },
    ],
    [
      'other-reverse',
      'A reverse property of others',
      { ...document, '@reverse': { itemOffered: { '@type': 'Offer', price: 9 } } },
    ],
    [
      'referred',
      'An object of others that refers to its @id',
      {
        ...document,
        '@id': '#product',
        offers: { '@type': 'Offer', itemOffered: { '@type': type, '@id': `${PAGE_URL}#product` } },
        isRelatedTo: { '@id': '#other', url: 'https://shop.example/other' },
      },
    ],
    [
      'schema-context',
      'The address of the context of schema.org itself',
      {
        ...document,
        '@context': ['https://schema.org/docs/jsonldcontext.jsonld', { svc: `${ISSUER}/ns#` }],
      },
    ],
    [
      'terms-100',
      'A hundred terms',
      {
        ...document,
        '@context': [
          ...context,
          Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`x${n}`, 'https://gs1.org/voc/'])),
        ],
      },
    ],
    ['proof-jwt', 'Of its proof only the token', { ...document, proof: { jwt } }],
  ];
}

/** Changes by which a reader of JSON-LD would take something for ours that was not issued. */
function otherSpellings(document: Document): [string, string, Document][] {
  const proof = document.proof as Document;
  const [repeated = ''] = BY_CLAIMS.filter((name) => name in document && name !== 'productID');
  const forged = 'https://bargains.example/forged';
  const context = document['@context'] as readonly unknown[];
  const inContext = (entry: unknown, more: Document = {}) => ({
    ...document,
    '@context': [...context, entry],
    ...more,
  });
  const restated = { '@id': `${PAGE_URL}#product`, [repeated]: forged };
  const withId = { ...document, '@id': '#product' };
  return [
    ['schema-prefix', 'schema: beside it', { ...document, [`schema:${repeated}`]: forged }],
    ['schema-https', 'Its https IRI beside it', { ...document, [`https://schema.org/${repeated}`]: forged }],
    ['schema-http', 'Its http IRI before it', { [`http://schema.org/${repeated}`]: forged, ...document }],
    ['schema-www', 'Its IRI with www', { ...document, [`https://www.schema.org/${repeated}`]: forged }],
    [
      'schema-digested',
      'A member that no claim repeats',
      { ...document, 'schema:verification': { hasSignature: true } },
    ],
    [
      'namespace-http',
      'A name of our namespace with http',
      { ...document, [`${ISSUER.replace('https', 'http')}/ns#score`]: 100 },
    ],
    [
      'own-prefix',
      'By a prefix of its @context',
      inContext({ s: 'http://schema.org/' }, { [`s:${repeated}`]: forged }),
    ],
    [
      'own-namespace',
      'By another prefix for our namespace',
      inContext({ t: `${ISSUER}/ns#` }, { 't:score': 100 }),
    ],
    [
      'partial-prefix',
      'By a prefix that ends within a name',
      inContext({ s: `https://schema.org/${repeated.slice(0, 2)}` }, { [`s:${repeated.slice(2)}`]: forged }),
    ],
    ['own-term', 'By a term of its @context', inContext({ link: `schema:${repeated}` }, { link: forged })],
    [
      'own-term-object',
      'By a term defined by an object',
      inContext({ link: { '@id': `schema:${repeated}` } }, { link: forged }),
    ],
    ['redefined', 'Its name redefined in @context', inContext({ [repeated]: 'https://bargains.example/x' })],
    ['redefined-null', 'Its name made meaningless in @context', inContext({ [repeated]: null })],
    ['redefined-type', 'Its values redefined in @context', inContext({ [repeated]: { '@type': '@vocab' } })],
    [
      'redefined-inside',
      'A name within a member redefined in @context',
      inContext({ canonicalSource: 'https://bargains.example/x', url: 'schema:url' }),
    ],
    ['redefined-schema', 'The prefix schema redefined', inContext({ schema: 'https://bargains.example/' })],
    [
      'redefined-svc',
      'The prefix svc redefined by an object',
      inContext({ svc: { '@id': `${ISSUER}/ns#` } }),
    ],
    [
      'redefined-keyword',
      'A keyword by another name',
      inContext({ kind: '@nest' }, { kind: { [repeated]: forged } }),
    ],
    ['vocabulary', 'Another @vocab', inContext({ '@vocab': 'https://bargains.example/' })],
    ['imported', 'A context imported into its own', inContext({ '@import': 'https://schema.org' })],
    ['context-null', 'A @context that is reset', inContext(null)],
    [
      'scoped',
      'A term whose definition has a context of its own',
      inContext(
        { Sale: { '@id': 'schema:Sale', '@context': { link: `schema:${repeated}` } } },
        { link: forged },
      ),
    ],
    [
      'chained',
      'A term defined after another refers to it',
      inContext({ a: 'b:x', b: 'https://schema.org/' }),
    ],
    ['nested', 'Inside @nest', { ...document, '@nest': { [repeated]: forged } }],
    [
      'nested-twice',
      'Inside @nest of @nest',
      { ...document, '@nest': [{ '@nest': { [repeated]: forged } }] },
    ],
    ['included', 'Inside @included', { ...document, '@included': [{ [repeated]: forged }] }],
    ['reversed', 'Inside @reverse', { ...document, '@reverse': { [repeated]: { '@id': forged } } }],
    ['restated', 'In an object of others with its @id', { ...withId, isSimilarTo: [{ brand: restated }] }],
    [
      'restated-alias',
      'The same by the alias id, in a context of its own',
      { ...withId, isSimilarTo: { '@context': { u: `schema:${repeated}` }, id: '#product', u: forged } },
    ],
    [
      'restated-base',
      'An @id beside a @base',
      { ...withId, '@context': [...context, { '@base': forged }], offers: { price: 9 } },
    ],
    [
      'restated-spelling',
      'The same @id in another spelling of its address',
      {
        ...document,
        '@id': `${PAGE_URL.replace('https://shop', 'HTTPS://SHOP')}#product`,
        isRelatedTo: { '@id': '\\products\\kettle#product', [repeated]: forged },
      },
    ],
    [
      'definition-number',
      'A definition that is neither text nor object',
      inContext({ x: { '@id': { toString: 1 } } }),
    ],
    ['definition-list', 'A definition that is a list', inContext({ x: ['schema:url'] })],
    ['definition-proof', 'The term proof redefined', inContext({ proof: 'https://w3id.org/security#proof' })],
    [
      'prefix-long',
      'A prefix of over 500 characters',
      inContext({ x: `https://bargains.example/${'x'.repeat(500)}/` }),
    ],
    [
      'terms-101',
      'Over 100 terms',
      inContext(Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`x${n}`, 'schema:x']))),
    ],
    ['type-alias', 'Another type under the alias type', { ...document, '@type': 'Thing', type: 'Offer' }],
    ['proof-type', 'Another type of proof', { ...document, proof: { ...proof, type: 'DataIntegrityProof' } }],
    ['proof-algorithm', 'algorithm none', { ...document, proof: { ...proof, algorithm: 'none' } }],
    [
      'proof-method',
      'The method of another issuer',
      { ...document, proof: { ...proof, verificationMethod: 'https://bargains.example/keys#key-1' } },
    ],
    ['proof-added', 'A member added to proof', { ...document, proof: { ...proof, created: '2026-01-01' } }],
    ['proof-twice', 'A second proof', { ...document, 'schema:proof': { ...proof, jwt: 'x.y.z' } }],
  ];
}

/** Additions, and alterations that a loop over the members misses. */
function further(document: Document): [string, string, Document][] {
  const issuedFor = document['svc:issuedFor'] as Document;
  const { 'svc:status': status, ...rest } = document;
  const inFull = `${ISSUER}/ns#status`;
  return [
    ['added-nft', 'A token that was not issued, added', { ...document, 'svc:nft': { minted: true } }],
    [
      'added-nft-in-full',
      'The same by its name in full',
      { ...document, [`${ISSUER}/ns#nft`]: { minted: true } },
    ],
    ['added-unknown', 'Any name of our namespace, added', { ...document, 'svc:score': 100 }],
    [
      'added-in-issued-for',
      'Added to svc:issuedFor',
      { ...document, 'svc:issuedFor': { ...issuedFor, seller: 'x' } },
    ],
    ['in-full-altered', 'Altered under its name in full', { ...rest, [inFull]: withOtherLeaf(status) }],
    ['in-full-beside', 'A second one under its name in full, before', { [inFull]: { x: 1 }, ...document }],
    ['wrapped', 'A member in a list', { ...document, 'svc:status': [status] }],
    ['surrogate', 'A lone surrogate in a member', { ...document, 'svc:status': { x: '\ud800' } }],
    [
      'deep',
      'A member 200 levels deep',
      { ...document, 'svc:status': JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`) },
    ],
    [
      'context-other',
      'Another @context in the place of schema.org',
      { ...document, '@context': 'https://bargains.example/context' },
    ],
    ['type-list', '@type in a list without the one that was issued', { ...document, '@type': ['Thing', 7] }],
  ];
}

function products(document: Document): DocumentCase[] {
  const context = { registry: { coverage: { certifiedAssets: 1, totalAssets: 2, coveragePercent: 50 } } };
  const trust = document['svc:trust'] as Document;
  const properties = document.additionalProperty as readonly Document[];
  const altered = (
    id: string,
    title: string,
    submitted: Document,
    reason = 'member_altered',
  ): DocumentCase => ({
    id: `members-product-${id}`,
    title,
    rules: BOUND,
    document: submitted,
    context,
    status: 'failed',
    checks: { certificateIntegrity: reason },
  });
  const sound = (id: string, title: string, submitted: Document, warnings: string[] = []): DocumentCase => ({
    id: `members-product-${id}`,
    title,
    rules: [...BOUND, 'SD-UNKNOWN'],
    document: submitted,
    context,
    status: 'verified',
    warnings,
  });
  return [
    ...harmless(document, 'Product').map(([id, title, submitted]) => sound(id, title, submitted)),
    ...alterations(document)
      .filter(([name]) => name !== 'svc:trust')
      .map(([name, submitted]) =>
        altered(
          `altered-${slug(name)}`,
          `${name} altered`,
          submitted,
          BY_CLAIMS.includes(name) ? 'document_differs' : undefined,
        ),
      ),
    sound(
      'altered-svc-trust',
      'svc:trust altered: only warns',
      { ...document, 'svc:trust': { ...trust, totalAssets: 1 } },
      ['trust_block_differs'],
    ),
    sound(
      'added-in-svc-trust',
      'A score added to svc:trust: only warns',
      { ...document, 'svc:trust': { ...trust, score: 100 } },
      ['trust_block_differs'],
    ),
    ...properties.map((property, at) =>
      altered(`altered-${slug(String(property.name))}`, `${property.name} altered`, {
        ...document,
        additionalProperty: properties.with(at, { ...property, value: 'forged' }),
      }),
    ),
    ...further(document).map(([id, title, submitted]) => altered(id, title, submitted)),
    ...otherSpellings(document).map(([id, title, submitted]) =>
      altered(`other-${id}`, title, submitted, id === 'schema-http' ? 'document_differs' : undefined),
    ),
    sound('context-foreign', 'A remote @context besides schema.org', inForeignContext(document), [
      'context_foreign',
    ]),
  ];
}

function inForeignContext(document: Document): Document {
  const context = document['@context'] as readonly unknown[];
  return { ...document, '@context': [...context, 'https://bargains.example/context'] };
}

/** An asset certificate, or an image certificate. */
function images(kind: 'asset' | 'image', document: Document): ProfileCase[] {
  const given = (id: string, title: string, submitted: Document) => ({
    id: `members-${kind}-${id}`,
    title,
    rules: BOUND,
    document: submitted,
    image: null,
    context: { certificateKind: kind },
  });
  const noBytes = { imageBound: [null, 'image_not_given'], c2paValid: [null, 'image_not_given'] } as const;
  const altered = (
    id: string,
    title: string,
    submitted: Document,
    reason = 'member_altered',
  ): ProfileCase => ({
    ...given(id, title, submitted),
    profiles: ['untrusted', 'untrusted', 'untrusted'],
    checks: { ...noBytes, certificateIntegrity: reason },
  });
  const type = String(document['@type']);
  const credentials = (document['svc:contentCredentials'] ?? document.contentCredentials) as Document;
  const name = kind === 'asset' ? 'svc:contentCredentials' : 'contentCredentials';
  const issuedFor = document['svc:issuedFor'] as Document;
  const verification = document.verification as Document;
  return [
    ...harmless(document, type).map(
      ([id, title, submitted]): ProfileCase => ({
        ...given(id, title, submitted),
        profiles: ['trusted', 'trusted', 'undetermined'],
        checks: noBytes,
      }),
    ),
    ...alterations(document).map(([member, submitted]) =>
      altered(
        `altered-${slug(member)}`,
        `${member} altered`,
        submitted,
        BY_CLAIMS.includes(member) ? 'document_differs' : undefined,
      ),
    ),
    altered('has-c2pa', 'hasC2PA the other way', { ...document, [name]: { ...credentials, hasC2PA: false } }),
    altered('media-id', 'Another mediaID', {
      ...document,
      'svc:issuedFor': { ...issuedFor, mediaID: 'media-8' },
    }),
    altered('verification', 'Something added to verification', {
      ...document,
      verification: {
        ...verification,
        trustAnchor: { status: 'trusted' },
        authorizedDomains: ['bargains.example'],
      },
    }),
    ...further(document).map(([id, title, submitted]) => altered(id, title, submitted)),
    ...otherSpellings(document).map(([id, title, submitted]) =>
      altered(`other-${id}`, title, submitted, id === 'schema-http' ? 'document_differs' : undefined),
    ),
    {
      ...given('context-foreign', 'A remote @context besides schema.org', inForeignContext(document)),
      profiles: ['undetermined', 'undetermined', 'undetermined'],
      checks: noBytes,
      warnings: ['context_foreign'],
    },
  ];
}
