import { createHash } from 'node:crypto';
import fc from 'fast-check';
import jsonld from 'jsonld';
import { beforeAll, describe, expect, it } from 'vitest';
import { comparePageUrls } from '../packages/certificate/src/binding/index.ts';
import {
  createTestIssuer,
  TEST_ISSUER,
  TEST_NOW,
  TEST_PRODUCT,
} from '../packages/certificate/src/testing/issuer.ts';
import { createKeySet, verify } from '../packages/certificate/src/verify/index.ts';

/**
 * A JSON-LD processor of others reads documents that we call verified: it must find nothing stated about our members that
 * was not signed. `TOUCHSTONE_JSON_LD_DOCUMENTS` sets how many.
 */
const DOCUMENTS = Number(process.env.TOUCHSTONE_JSON_LD_DOCUMENTS ?? 2000);

type Json = Record<string, unknown>;
type Expanded = Record<string, unknown>;

/** What schema.org's context says about the names that certificates use. */
const SCHEMA_ORG = {
  '@context': {
    type: '@type',
    id: '@id',
    '@vocab': 'http://schema.org/',
    schema: 'http://schema.org/',
    url: { '@id': 'schema:url', '@type': '@id' },
    contentUrl: { '@id': 'schema:contentUrl', '@type': '@id' },
    image: { '@id': 'schema:image', '@type': '@id' },
  },
};

/** The types of this library allow less than the library. */
const expandDocument = jsonld.expand as unknown as (document: Json, options: object) => Promise<Expanded[]>;

const expand = async (document: Json): Promise<Expanded[]> =>
  expandDocument(document, {
    base: TEST_PRODUCT.url,
    // what a document without a context inherits in its page
    expandContext: { '@context': ['https://schema.org', { svc: `${TEST_ISSUER}/ns#` }] },
    documentLoader: async (url: string) => {
      if (!/^https?:\/\/(www\.)?schema\.org\/?$/.test(url)) throw new Error(`not known here: ${url}`);
      return { contextUrl: null, documentUrl: url, document: SCHEMA_ORG };
    },
  });

/** Values in one form, whatever a context makes of them: a text, an id and a text in a language are the same statement. */
function statement(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(statement);
  if (typeof value !== 'object' || value === null) return value;
  const { '@value': literal, '@id': id, ...rest } = value as Json;
  if (literal !== undefined) return literal;
  if (id !== undefined && Object.keys(rest).length === 0) return id;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]): [string, unknown] => [
        property(name),
        name === '@type' ? (member as string[]).map(property) : statement(member),
      ])
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

const property = (name: string) => name.replace(/^https?:\/\/(www\.)?schema\.org\//, 'http://schema.org/');

/** Everything that a list of expanded objects states about the objects that count as the document: name and value. */
function statementsAbout(expanded: readonly Expanded[], issued: ReadonlySet<string>): [string, unknown][] {
  const root = expanded[0] ?? {};
  const isSelf = (node: Expanded) =>
    node === root || (root['@id'] !== undefined && node['@id'] === root['@id']);
  const found: [string, unknown][] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const entry of value) visit(entry);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    const node = value as Expanded;
    for (const [name, member] of Object.entries(node)) {
      if (name === '@reverse') {
        for (const [reversed, subjects] of Object.entries(member as Json)) {
          const isAbout = isSelf(node) || (subjects as Expanded[]).some(isSelf);
          if (isAbout && issued.has(property(reversed))) found.push([`@reverse ${reversed}`, subjects]);
        }
      } else if (isSelf(node) && issued.has(property(name))) {
        for (const one of member as unknown[]) found.push([property(name), statement(one)]);
      }
      if (name[0] !== '@' || name === '@reverse' || name === '@included') visit(member);
    }
  };
  visit(expanded);
  return found;
}

let issued: Json;
let isVerified: (document: unknown) => Promise<boolean>;
let signed: [string, unknown][];
let ours: Set<string>;

beforeAll(async () => {
  const issuer = await createTestIssuer();
  issued = await issuer.certificate();
  const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url');
  const keySet = createKeySet(issuer.jwks, undefined, sha256);
  isVerified = async (document) => {
    const { status, warnings } = await verify({
      document,
      pageUrl: TEST_PRODUCT.url,
      productId: TEST_PRODUCT.productId,
      keySet,
      issuers: [TEST_ISSUER],
      now: TEST_NOW,
    });
    return status === 'verified' && warnings.length === 0;
  };
  const expanded = await expand(issued);
  const names = ['productID', 'url', 'additionalProperty', 'verification', 'proof'];
  ours = new Set([
    ...names.map((name) => `http://schema.org/${name}`),
    ...Object.keys(expanded[0] ?? {}).filter((name) => name.startsWith(TEST_ISSUER)),
    `${TEST_ISSUER}/ns#score`,
  ]);
  signed = statementsAbout(expanded, ours);
});

const isSigned = ([name, value]: [string, unknown]) =>
  signed.some(([one, known]) => {
    if (one !== name) return false;
    if (name === 'http://schema.org/url') return comparePageUrls(String(known), String(value)).equal;
    return JSON.stringify(known) === JSON.stringify(value) || isPartOf(value, known);
  });

/** A proof, or what it is issued for, may be shortened. */
const isPartOf = (part: unknown, whole: unknown) =>
  typeof part === 'object' &&
  part !== null &&
  Object.entries(part).every(
    ([name, member]) => JSON.stringify((whole as Json)[name]) === JSON.stringify(member),
  );

const NAMES = [
  'url',
  'productID',
  'additionalProperty',
  'verification',
  'svc:status',
  'svc:issuedFor',
  'proof',
  'name',
];
const FORGED = 'https://bargains.example/x';
const PREFIXES = [
  '',
  'schema:',
  'https://schema.org/',
  'http://schema.org/',
  'https://www.schema.org/',
  's:',
  'sch:',
  `${TEST_ISSUER}/ns#`,
  'http://certificates.example/ns#',
  't:',
];

const nameIn = fc
  .tuple(fc.constantFrom(...PREFIXES), fc.constantFrom(...NAMES, 'score', 'color', 'offers'))
  .map(([prefix, name]) => prefix + name.replace(/^svc:/, prefix === '' ? 'svc:' : ''));
const value = fc.oneof(
  fc.constantFrom<unknown>(FORGED, null, 7, [], {}, TEST_PRODUCT.url, TEST_PRODUCT.productId),
  fc.constantFrom<unknown>({ '@id': FORGED }, { '@value': FORGED }, { '@set': [FORGED] }, [FORGED, FORGED]),
);
const definition = fc.oneof(
  fc.constantFrom<unknown>('https://schema.org/', 'http://schema.org/', `${TEST_ISSUER}/ns#`, FORGED, null),
  fc.constantFrom<unknown>(
    'url',
    'schema:url',
    's:url',
    '@id',
    '@type',
    '@reverse',
    '@nest',
    'schema:color',
    'a:b',
  ),
  fc.constantFrom<unknown>(
    { '@id': 'schema:url' },
    { '@type': '@id' },
    { '@container': '@id' },
    { '@reverse': 'schema:url' },
  ),
  fc.constantFrom<unknown>(
    { '@id': 'schema:color', '@context': { x: 'schema:url' } },
    { '@id': 'schema:sch', '@prefix': true },
  ),
);
const term = fc.constantFrom(
  's',
  'sch',
  't',
  'a',
  'x',
  'url',
  'link',
  'id',
  'type',
  'color',
  'value',
  'svc',
  'schema',
  'Product',
  '@vocab',
  '@base',
  '@language',
  '@version',
  'hasSignature',
  'https',
);
const inlineContext = fc.dictionary(term, definition, { maxKeys: 3 });
const ID = fc.constantFrom('#p', `${TEST_PRODUCT.url}#p`, '_:p', 'a:b', '#q', '');
const inner = fc.dictionary(fc.oneof(nameIn, fc.constantFrom('x', 'link', '@type', 'id')), value, {
  maxKeys: 2,
});
const node = fc
  .tuple(inner, fc.option(ID, { nil: undefined }), fc.option(inlineContext, { nil: undefined, freq: 4 }))
  .map(([members, id, context]) => ({
    ...members,
    ...(id === undefined ? {} : { '@id': id }),
    ...(context === undefined ? {} : { '@context': context }),
  }));

/** A change of a document; some leave it verified, most do not. */
type Change = (document: Json) => Json;
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(nameIn, value).map(
    ([name, stated]): Change =>
      (document) => ({ ...document, [name]: stated }),
  ),
  fc.constantFrom(...PREFIXES).chain((prefix) =>
    fc.constantFrom(...NAMES).map(
      (name): Change =>
        (document) => {
          const { [name]: own, ...rest } = document;
          return own === undefined ? document : { ...rest, [prefix + name.replace(/^svc:/, '')]: own };
        },
    ),
  ),
  fc.constantFrom(...NAMES, '@context', '@type').map(
    (name): Change =>
      (document) =>
        Object.fromEntries(Object.entries(document).filter(([one]) => one !== name)),
  ),
  inlineContext.map(
    (added): Change =>
      (document) => ({
        ...document,
        '@context': [...[document['@context'] ?? 'https://schema.org'].flat(), added],
      }),
  ),
  fc
    .tuple(
      fc.constantFrom('@nest', '@included', '@reverse', 'link', 'x'),
      fc.oneof(node, fc.array(node, { maxLength: 2 })),
    )
    .map(
      ([keyword, members]): Change =>
        (document) => ({ ...document, [keyword]: members }),
    ),
  fc
    .tuple(
      fc.constantFrom('offers', 'schema:offers', 'color'),
      fc.oneof(node, fc.array(node, { maxLength: 2 })),
    )
    .map(
      ([name, members]): Change =>
        (document) => ({ ...document, [name]: members }),
    ),
  ID.map(
    (id): Change =>
      (document) => ({ ...document, '@id': id }),
  ),
  fc.constantFrom('alg', 'type', 'algorithm', 'verificationMethod').map(
    (name): Change =>
      (document) => ({
        ...document,
        proof: { ...(document.proof as Json), [name]: 'none' },
      }),
  ),
);

describe('a document that is verified', () => {
  it(`states nothing about our members that was not signed, as a JSON-LD processor reads ${DOCUMENTS} of them`, async () => {
    let verified = 0;
    let unreadable = 0;
    let seed = Number(process.env.TOUCHSTONE_STRESS_SEED ?? 7);
    while (verified < DOCUMENTS) {
      const changes = fc.sample(fc.array(change, { minLength: 1, maxLength: 4 }), {
        numRuns: 500,
        seed: seed++,
      });
      for (const list of changes) {
        const document = list.reduce((before, apply) => apply(before), issued);
        if (!(await isVerified(document))) continue;
        verified += 1;
        // what is no JSON-LD at all states nothing
        const expanded = await expand(document).catch(() => null);
        if (expanded === null) unreadable += 1;
        const forged = statementsAbout(expanded ?? [], ours).filter((one) => !isSigned(one));
        const changed = Object.entries(document).filter(([name, stated]) => issued[name] !== stated);
        expect({ changed, forged }).toEqual({ changed, forged: [] });
      }
    }
    console.info(`${verified} verified documents read, ${unreadable} of them no JSON-LD`);
    expect(unreadable).toBeLessThan(verified / 5);
  }, 600_000);
});
