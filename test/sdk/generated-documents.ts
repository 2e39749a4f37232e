import {
  CannotVerifyError,
  createTrust,
  type IssuerKeys,
  type Trust,
  verifyProductCertificate,
} from '@touchstone/certificate';
import {
  createTestIssuer,
  TEST_ISSUER,
  TEST_NOW,
  TEST_PRODUCT,
  type TestIssuer,
} from '@touchstone/certificate/testing';
import { nodeRs256, nodeSha256 } from '../../packages/server/src/core/keys/rsa-keys.ts';
import { type Random, seeded } from '../kit/random.ts';
import type { VectorKeys } from '../kit/vector-format.ts';
import { answersOf, codesOf, type Outcome } from '../scenarios/transports/transport.ts';

/** A document with its context, in the form of a document vector and of the requests to programs in other languages. */
export interface GeneratedDocument {
  readonly kind: 'document';
  readonly document: unknown;
  readonly pageUrl: string;
  readonly productId: string;
  readonly issuers: readonly string[];
  readonly now: string;
  readonly keys: VectorKeys;
}

/** Documents that follow from a seed, but for the keys that sign them. */
export interface DocumentGenerator {
  next(): Promise<GeneratedDocument>;
  /** The result of the TypeScript SDK. */
  expected(generated: GeneratedDocument): Promise<Outcome>;
}

type Json = Record<string, unknown>;
type Product = typeof TEST_PRODUCT;

/** Genuine certificates signed at a time, and the documents made of them before new ones are signed. */
const [SIGNED, REUSED] = [50, 1_000];
const OTHER_ISSUER = 'https://certs.other.example';
// biome-ignore format: one value after the other
const ODD = [
  null, 0, 1, -1, 1.5, 1e21, 1e-7, 2 ** 53, -0, true, false, '', 'x', 'shop.example', '\ud800', 'é\u0301',
  '\u2028\u0000"\\', [], [[]], ['x', null], {}, { a: {} }, { '@id': 'https://shop.example/products/cup' },
  { '@id': 'x', 'svc:status': 1 }, { '@context': 'https://schema.org' }, { 'schema:url': 'x' }, 'Product', 'schema:Product',
] as const;
const NAMES = [
  'name', 'url', 'schema:url', 'http://schema.org/url', 'https://www.schema.org/productID', 'productID', '@id', '@type', 'id', 'type',
  '@nest', '@included', '@graph', '@reverse', '@context', 'svc:status', 'svc:record', 'svc:images', 'svc:logProof', 'svc:trust',
  'svc:other', `${TEST_ISSUER}/ns#status`, 'http://certificates.example/ns#record', 'svc:issuedFor', 'additionalProperty', 'verification',
  'proof', 'offers', 'review', '__proto__', 'constructor', '0', '10', '', 'cup', 'cup:url', 'term',
] as const; // biome-ignore format: one name after the other
// biome-ignore format: one host after the other
const HOSTS = [
  'shop.example', 'SHOP.example', 'shop.example.', 'www.shop.example', 'bücher.example', 'xn--bcher-kva.example', 'BÜCHER.example',
  'faß.example', 'ﬁ.example', 'shop。example', 'sh%6Fp.example', 'shop..example', '192.0.2.7', '0xc0.0.2.7', '[2001:db8::7]', 'a_b.example',
  'אב.example', 'aא.example', 'क्\u200cष.example', 'a\u200cb.example', 'e\u0301.example', '\u0301a.example', 'xn--a.example', 'sh op.example',
  '\u00adshop.example', '☃.example', 'shop.example:443', 'other.example',
] as const;
const PATHS = [
  '/products/cup', '/products/cup/', '/products/cup//', '/Products/cup', '/collections/a/products/cup', '/products/%63up', '/products/c%2575p',
  '/products/%2%46', '/products/%zz', '/products/../products/cup', '/products/./cup', '/products/%2e%2E/cup', '\\products\\cup', '/products/cüp',
  '/products/c"u`p', '/products/{cup}', '', '/', '/products/c\tup', '/products/cup%', '/products/\ud800cup', '/products/^|cup',
] as const; // biome-ignore format: one path after the other
// biome-ignore format: one query after the other
const QUERIES = [
  '', '?', '?variant=2', '?utm_source=mail&gclid=1', '?size=m', '?size=m&size=s', '?b=2&a=1', '?a=1&b=2', '?%61=1', "?q='é\"<>", '?ref=x&&ref=y',
  '?size', '?=', '?a=%7e&%2=1', '?😀=1&\uffee=2', '?variant=2&variant=1', '?a=1?b',
] as const;
const FRAGMENTS = ['', '', '', '#', '#top', '#!/cup', '#/cup', '#/c%75p', '#/"`<ü', '#!/cup#x'] as const;

export async function generatedDocuments(seed: number): Promise<DocumentGenerator> {
  const random = seeded(seed);
  const [issuer, other] = [await createTestIssuer('key-1'), await createTestIssuer('key-2')];
  const trusts = new Map<string, Trust>();
  let genuine: Json[] = [];
  let left = 0;
  return {
    async next() {
      if (left === 0) {
        genuine = [];
        for (let i = 0; i < SIGNED; i++)
          genuine.push(await certificate(random, random.integer(8) === 0 ? other : issuer));
        left = REUSED;
      }
      left -= 1;
      return generated(random, random.of(genuine), [issuer, other]);
    },
    async expected({ document, pageUrl, productId, issuers, now, keys }) {
      const named = JSON.stringify([issuers, keys]);
      try {
        let trust = trusts.get(named);
        if (trust === undefined) {
          const given: IssuerKeys[] = keys.map(({ readAt, ...one }) => ({
            ...one,
            ...(readAt === undefined ? {} : { fetchedAt: new Date(readAt) }),
          }));
          const primitives = { verifyRs256: nodeRs256(), sha256: nodeSha256() };
          trust = createTrust({ trustedIssuers: issuers, keys: given, ...primitives });
          trusts.set(named, trust);
        }
        const result = await verifyProductCertificate(document, {
          pageUrl,
          productId,
          now: new Date(now),
          trust,
        });
        return {
          status: result.status,
          checks: answersOf(result.checkDetails),
          warnings: codesOf(result.warnings),
          errors: codesOf(result.errors),
          conclusion: result.conclusion.code,
        };
      } catch (error) {
        if (error instanceof CannotVerifyError) return { status: `refused: ${error.code}` };
        throw error;
      }
    },
  };
}

/** A certificate whose issuer may have been careless: its signature is valid. */
async function certificate(random: Random, issuer: TestIssuer): Promise<Json> {
  const product: Partial<Product> = {
    ...(random.integer(2) === 0 ? { control: control(random) } : {}),
    ...(random.integer(3) === 0 ? { url: address(random) } : {}),
    ...(random.integer(5) === 0 ? { domain: random.of(HOSTS) } : {}),
    ...(random.integer(4) === 0 ? { name: random.of(['Tasse "é"', 'カップ', '𝒞', '\u2028']) } : {}),
    ...(random.integer(4) === 0 ? { attributes: [{ name: 'Größe', value: '1\u0000' }] } : {}),
  };
  const document: Json = { ...(await issuer.certificate({ product })) };
  if (random.integer(4) > 0) return document;
  const { jwt } = document.proof as { jwt: string };
  const [header, claims] = jwt.split('.', 2).map((part) => JSON.parse(atobUtf8(part)) as Json) as [
    Json,
    Json,
  ];
  const kind = random.integer(10);
  if (kind === 0)
    header[random.of(['alg', 'kid', 'typ', 'jku', 'crit'])] = random.of([
      ...ODD,
      'none',
      'asset-certificate+jwt',
    ]);
  if (kind === 1) delete header[random.of(['alg', 'kid', 'typ'])];
  if (kind === 2) delete claims[random.of(Object.keys(claims))];
  if (kind === 3) delete claims.members;
  if (kind === 3) delete claims.namespace;
  if (kind > 3) claims[random.of([...Object.keys(claims), 'control', 'status'])] = random.of(ODD);
  // text that no program writes by itself
  const raw = (value: Json): string => {
    const text = JSON.stringify(value);
    if (random.integer(8) > 0) return text;
    // biome-ignore format: one text after the other
    return random.of([
      `\ufeff${text}`, `${text} `, `${text}x`, `{"iss":"x",${text.slice(1)}`, `{"n":{"a":1,"\\u0061":2},${text.slice(1)}`,
      `{"n":1e400,${text.slice(1)}`, `{"n":01,${text.slice(1)}`, `{"n":"\\ud800",${text.slice(1)}`, `{"__proto__":{"iss":"x"},${text.slice(1)}`,
      text.replace(/"totalAssets":\d+/, '"totalAssets":1e400'), text.replace(/"iat":/, '"iat":0.0e'), text.replace(/"iat":(\d+)/, '"iat":$1.0'),
      `[${text}]`, `{"n":${'['.repeat(900)}${']'.repeat(900)},${text.slice(1)}`,
    ]);
  };
  return {
    ...document,
    proof: { ...(document.proof as Json), jwt: await issuer.signRaw(raw(header), raw(claims)) },
  };
}

function control(random: Random): NonNullable<Product['control']> {
  return random.integer(3) === 0
    ? { method: 'none' }
    : { method: 'dns_txt', checkedAt: TEST_NOW.toISOString() };
}

function generated(
  random: Random,
  genuine: Json,
  [issuer, other]: readonly [TestIssuer, TestIssuer],
): GeneratedDocument {
  let document: unknown = structuredClone(genuine);
  for (let i = random.integer(4); i > 0; i--) document = changed(random, document as Json);
  if (random.integer(12) === 0) document = asText(random, JSON.stringify(document));
  if (random.integer(200) === 0) document = random.of(ODD);
  const minutes =
    random.integer(3) > 0 ? 0 : random.of([-4, -5, -6, 60, 10_079, 10_080, 10_081, 10_082, -100_000]);
  const readAt =
    random.integer(8) === 0
      ? { readAt: random.of(['2026-02-01T00:00:00Z', '2026-03-01T12:00:00Z', '2027-01-01T00:00:00Z']) }
      : {};
  const both = { keys: [...issuer.jwks.keys, ...other.jwks.keys] };
  // biome-ignore format: one set after the other
  const keys: VectorKeys = random.integer(3) > 0 ? [{ issuers: [TEST_ISSUER], jwks: both, ...readAt }] : random.of([
    [{ issuers: [TEST_ISSUER], jwks: issuer.jwks, ...readAt }],
    [{ issuers: [TEST_ISSUER, OTHER_ISSUER], jwks: both, ...readAt }],
    [{ issuers: [TEST_ISSUER], jwks: issuer.jwks, ...readAt }, { issuers: [OTHER_ISSUER], jwks: other.jwks }],
    [{ issuers: [TEST_ISSUER], jwks: { keys: random.of([[...both.keys, ...both.keys], [{ ...both.keys[0], use: 'enc' }], [{ kid: 'key-1' }, null]]) } }],
    [{ issuers: [OTHER_ISSUER], jwks: both, ...readAt }],
  ]);
  return {
    kind: 'document',
    document,
    pageUrl: random.integer(2) === 0 ? TEST_PRODUCT.url : address(random),
    productId:
      random.integer(10) > 0
        ? TEST_PRODUCT.productId
        : random.of([TEST_PRODUCT.productId.toUpperCase(), 'cup', ' ']),
    issuers: keys.flatMap((one) => one.issuers),
    now: new Date(TEST_NOW.getTime() + minutes * 60_000 + random.integer(3) * 1000).toISOString(),
    keys,
  };
}

/** The document with one change; it stays one object. */
function changed(random: Random, document: Json): Json {
  const name = random.of([...Object.keys(document), ...NAMES]);
  const kind = random.integer(14);
  const value = random.of(ODD);
  // not what every object inherits
  const within = Object.hasOwn(document, name) ? document[name] : undefined;
  if (kind === 0) return without(document, name);
  if (kind === 1) return with_(document, name, value);
  if (kind === 2)
    return with_(
      without(document, name),
      random.of([
        `schema:${name}`,
        `https://schema.org/${name}`,
        name.replace(/^svc:/, `${TEST_ISSUER}/ns#`),
      ]),
      within,
    );
  if (kind === 3) return with_(document, random.of(NAMES), within ?? value);
  if (kind === 4) return with_(document, '@context', context(random, document['@context']));
  if (kind === 5 && isObject(within)) return with_(document, name, changed(random, within));
  if (kind === 6)
    return with_(
      document,
      '@type',
      random.of([
        'Product',
        'schema:Product',
        ['Thing', 'Product'],
        'Thing',
        [],
        ['http://schema.org/Product'],
      ]),
    );
  if (kind === 7)
    return with_(document, random.of(['offers', 'review', '@nest', '@included', '@reverse']), {
      [random.of(NAMES)]: value,
      [random.of(NAMES)]: random.of(NAMES),
    });
  if (kind === 8)
    return with_(with_(document, '@id', '/products/cup'), 'isRelatedTo', [
      { '@id': address(random), [random.of(NAMES)]: value },
    ]);
  if (kind === 9) return with_(document, 'url', address(random));
  if (kind === 10)
    return with_(document, 'svc:issuedFor', {
      domain: random.of(HOSTS),
      productID: random.of([TEST_PRODUCT.productId, TEST_PRODUCT.productId.toUpperCase(), 'x']),
    });
  if (kind === 11)
    return with_(document, 'svc:trust', {
      ...(document['svc:trust'] as Json),
      [random.of(['certifiedAssets', 'totalAssets', 'x'])]: value,
    });
  if (kind === 12 && isObject(document.proof))
    return with_(document, 'proof', changedProof(random, document.proof));
  // the same, in another order
  return Object.fromEntries(Object.entries(document).toReversed());
}

function context(random: Random, own: unknown): unknown {
  // biome-ignore format: one definition after the other
  const terms = {
    [random.of(['term', 'cup', 'name', 'svc', 'schema', '@vocab', '@base', '@import', 'url', 'status', '7', 'svc:status'])]: random.of([
      'https://schema.org/', 'schema:url', `${TEST_ISSUER}/ns#`, `${TEST_ISSUER}/ns#status`, 'cup:x', '@type', { '@id': 'schema:name' }, { '@id': 'term', '@prefix': true },
      { '@id': 'x:y', '@type': '@id' }, { '@reverse': 'url' }, { '@id': null }, null, 'svc:images', 'https://shop.example/vocab#', 1, 'a'.repeat(600),
    ]),
    ...(random.integer(3) === 0 ? { cup: random.of(['https://shop.example/ns#', 'term:x', `${TEST_ISSUER}/ns#`]) } : {}),
  };
  const parts = Array.isArray(own) ? own : [own];
  // biome-ignore format: one context after the other
  return random.of([
    undefined, 'https://schema.org', 'http://schema.org/', [...parts, terms], [terms, ...parts], [...parts, 'https://other.example/context'], terms,
    { ...(parts[1] as Json), ...terms }, [...parts, 7], [], Array.from({ length: 101 }, () => 'https://schema.org'),
    [...parts, Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`t${at}`, `schema:t${at}`]))],
  ]);
}

function changedProof(random: Random, proof: Json): Json {
  const kind = random.integer(4);
  const jwt = String(proof.jwt);
  if (kind === 0)
    return with_(
      proof,
      random.of(['type', 'algorithm', 'created', '__proto__', 'proofPurpose']),
      random.of([...ODD, 'RS256']),
    );
  if (kind === 1)
    return with_(
      proof,
      'jwt',
      random.of([
        ...ODD,
        `${jwt}.`,
        `${jwt}=`,
        ` ${jwt}`,
        jwt.slice(0, -1),
        jwt.slice(jwt.indexOf('.')),
        jwt.padEnd(8193, 'A'),
      ]),
    );
  const at = random.integer(jwt.length);
  return with_(
    proof,
    'jwt',
    jwt.slice(0, at) + random.of(['A', 'B', '-', '_', '+', '.', 'é', '']) + jwt.slice(at + 1),
  );
}

function asText(random: Random, text: string): string {
  const at = random.integer(text.length);
  // biome-ignore format: one text after the other
  return random.of([
    text, text, ` \n${text}\t`, text.slice(0, at), text.slice(0, at) + random.of(['"', '{', '\\', '\u0000', '1', ',']) + text.slice(at), `\ufeff${text}`,
    `{"other":1e400,${text.slice(1)}`, `{"svc:status":1e400,${text.slice(1)}`, `{"url":"x",${text.slice(1)}`, `{"__proto__":1,${text.slice(1)}`,
    `{"other":${'['.repeat(20_000)}${']'.repeat(20_000)},${text.slice(1)}`, `{"svc:status":9007199254740993,${text.slice(1)}`, `[${text}]`, `${text}${text}`,
  ]);
}

function address(random: Random): string {
  const scheme = random.of([
    'https://',
    'https://',
    'https://',
    'https://',
    'http://',
    'HTTPS:',
    'https:\\\\',
    ' https://',
    'ftp://',
    '',
    'https://a:b@',
    'https://@',
  ]);
  const host = random.integer(3) > 0 ? 'shop.example' : random.of(HOSTS);
  const port = random.integer(8) > 0 ? '' : random.of([':443', ':80', ':8443', ':', ':99999', ':0443', ':x']);
  const found = scheme + host + port + random.of(PATHS) + random.of(QUERIES) + random.of(FRAGMENTS);
  return random.integer(300) === 0 ? found.padEnd(8_192 + random.integer(2), 'a') : found;
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const without = (object: Json, name: string): Json =>
  Object.fromEntries(Object.entries(object).filter(([one]) => one !== name));
/** Also for `__proto__`; `undefined` takes the member away. */
const with_ = (object: Json, name: string, value: unknown): Json =>
  Object.fromEntries([
    ...Object.entries(object).filter(([one]) => one !== name),
    ...(value === undefined ? [] : [[name, value] as const]),
  ]);
const atobUtf8 = (text: string): string => Buffer.from(text, 'base64url').toString('utf8');
