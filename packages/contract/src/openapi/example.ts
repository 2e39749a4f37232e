import type { JsonObject } from './components.ts';

const PRODUCT = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const IMAGE = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const MERCHANT = '0e37df36-f698-41e6-9a0c-5c1f4b2f3a10';
const STORE = '9b2d1f6a-6c1e-4f0a-8d3b-2a7c5e9f1b44';
const SERVICE = 'https://certificates.example';
const CERTIFICATE = `${SERVICE}/api/v1/mc4p/products/${PRODUCT}/certificate`;

/** Example values by member name, so that the example of a response fits the next request. */
const VALUES: Readonly<Record<string, unknown>> = {
  productId: PRODUCT,
  productID: PRODUCT,
  product_id: PRODUCT,
  imageId: IMAGE,
  image_id: IMAGE,
  imageIds: [IMAGE],
  assetId: IMAGE,
  'svc:assetId': IMAGE,
  asset_id: IMAGE,
  merchantId: MERCHANT,
  merchant_id: MERCHANT,
  storeId: STORE,
  store_id: STORE,
  key_id: '6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b01',
  recordId: PRODUCT,
  externalProductId: 'kettle-17',
  externalId: 'kettle-17-front',
  mediaID: 'kettle-17-front',
  name: 'Enamel kettle',
  storeName: 'Kettles & Co',
  url: 'https://shop.example/products/kettle',
  final_url: 'https://shop.example/products/kettle',
  productUrl: 'https://shop.example/products/kettle',
  storeUrl: 'https://shop.example/',
  shop: 'kettles.myshopify.com',
  accessToken: 'shpat_3b1f',
  storefront: 'https://shop.example',
  contentUrl: 'https://shop.example/images/kettle-front.jpg',
  recordUrl: CERTIFICATE,
  canonicalUrl: `${SERVICE}/api/v1/mc4p/assets/${IMAGE}/certificate`,
  jwksUrl: `${SERVICE}/api/v1/.well-known/jwks.json`,
  verificationMethod: `${SERVICE}/api/v1/.well-known/jwks.json#Zx3vQ0`,
  issuer: SERVICE,
  domain: 'shop.example',
  hostname: 'shop.example',
  host: 'shop.example',
  log_name: '2026',
  hash: 'WlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlo',
  issuedFor: 'shop.example',
  issued_to: 'shop.example',
  authorizedDomain: 'shop.example',
  currentDomain: 'shop.example',
  authorizedDomains: ['shop.example'],
  trustedDomains: ['shop.example'],
  allowedHosts: ['partner.example'],
  encodingFormat: 'image/jpeg',
  width: 1200,
  height: 800,
  sku: 'EK-17-RED',
  gtin: '4006381333931',
  brand: 'Kettles & Co',
  label: 'import from the shop',
  key: 'tsk_Qm9yZ2VuIGlzdCBrZWluIEtleQ',
  jwt: 'eyJhbGciOiJSUzI1NiJ9.eyJkb21haW4iOiJzaG9wLmV4YW1wbGUifQ.c2lnbmF0dXJl',
  kid: 'Zx3vQ0',
  list: '1739402168',
  n: 'sXchDaQebHnPiGvyDOAT4saGEUetSyo9MKLOoWFsueri23bOdgWp4Dy1WlUzewbgBHod5pcM9H95GQRV3JDXboIRROSBigeC5yjU1hGzHHyXss8UDprecbAYxknTcQkhslANGRUZmdTOQ5qTRsLAt6BTYuyvVRdhS8exSZEy_c4gs_7svlJJQ4H9_NxsiIoLwAEk7-Q3UXERGYw_75IDrGA84-lA_-Ct4eTlXHBIY2EaV7t7LjJaynVJCpkv4LKjTTAumiGUIuQhrNhZLuF_RJLqHpM2kgWFLU7-VTdL1VbC2tejvcI2BlMkEpk1BzBZI0KQB0GaDWFLN-aEAw3vRw',
  e: 'AQAB',
  uhash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  phash: 'c3a5f10e3c0f7a1e',
  planCapacity: 500,
  slotsHeld: 120,
  paused: false,
  disabled: false,
  certifiedAssets: 2,
  totalAssets: 3,
  coveragePercent: 66.67,
  total: 40,
  done: 38,
  failed: 1,
  waiting: 1,
  retrying: 0,
  certified: 30,
  signedByUs: 12,
  perSecond: 1.5,
  retried: 1,
  attempts: 8,
  limit: 100,
  full: 'true',
  verifyField: 'sku',
  fieldValue: 'EK-17-RED',
  chain: 'base',
  chainId: 8453,
  contract: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
  owner: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  tokenId: '7',
  tokenUri: 'https://shop.example/tokens/7.json',
  transactionHash: `0x${'5a'.repeat(32)}`,
  explorerUrl: `https://basescan.example/tx/0x${'5a'.repeat(32)}`,
  challenge: 'touchstone-challenge-AMBNPGgIflytH9rAsZWzCwH5YnBnhDRd',
  lookedFor: 'touchstone-challenge-AMBNPGgIflytH9rAsZWzCwH5YnBnhDRd',
  where: 'http://shop.example/.well-known/touchstone-challenge',
  httpMethod: 'GET',
  tool: 'verify_svc_certificate',
  field: 'offers.price',
  value: '39.90',
  blob: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08.jpg',
  status: 'verified',
  nextStep: 'Nothing: the host is proven.',
  message: 'The host of the image does not answer.',
  detail: 'It says the challenge.',
  description: 'Verifies a certificate found on a page.',
  type: 'JsonWebSignature2020',
  proofPurpose: 'assertionMethod',
  algorithm: 'RS256',
  summary: 'The image carries a C2PA manifest whose integrity validates.',
  failedAt: '2026-11-22T09:30:00.000Z',
  uploadDate: '2026-10-02T08:00:00.000Z',
  code: 'image_fetch_failed',
  svc: `${SERVICE}/ns#`,
  loc: ['body', 'productUrl'],
  msg: 'Field required',
  errors: [],
  warnings: [],
  findings: [],
};

/** Optional members that a typical response does not have. */
const UNUSUAL = new Set([
  'nextCursor',
  'cursor',
  'lostAt',
  'retiredAt',
  'revokedAt',
  'retryAfter',
  'problem',
  'disabled',
  'nextAttemptAt',
  'errors',
  'input',
  'ctx',
  'expected',
  'actual',
]);

/** A realistic value of a schema, always the same. */
export function exampleOf(schema: JsonObject, schemas: JsonObject, name = ''): unknown {
  if (schema.example !== undefined) return schema.example;
  if (typeof schema.$ref === 'string') {
    const id = schema.$ref.split('/').at(-1) ?? '';
    return exampleOf((schemas[id] ?? {}) as JsonObject, schemas, name);
  }
  if ('const' in schema) return schema.const;
  const known = VALUES[name];
  if (Array.isArray(schema.enum)) return schema.enum.includes(known) ? known : schema.enum[0];
  const [first] = (schema.anyOf ?? schema.oneOf ?? schema.allOf ?? []) as JsonObject[];
  if (first !== undefined) return exampleOf(first, schemas, name);
  return plainExample(schema, schemas, name, known);
}

function plainExample(schema: JsonObject, schemas: JsonObject, name: string, known: unknown): unknown {
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'object' || schema.properties !== undefined) return objectOf(schema, schemas);
  if (Array.isArray(schema.prefixItems))
    return (schema.prefixItems as JsonObject[]).map((item) => exampleOf(item, schemas));
  if (type === 'array')
    return Array.isArray(known)
      ? known
      : [exampleOf((schema.items ?? {}) as JsonObject, schemas, singular(name))];
  if (type === 'boolean') return typeof known === 'boolean' ? known : true;
  if (type === 'integer' || type === 'number')
    return typeof known === 'number' ? known : ((schema.default ?? schema.minimum ?? 1) as unknown);
  if (type === 'string') return textOf(schema, known);
  return known ?? {};
}

function objectOf(schema: JsonObject, schemas: JsonObject): JsonObject {
  const required = new Set((schema.required ?? []) as string[]);
  const members = Object.entries((schema.properties ?? {}) as Record<string, JsonObject>);
  return Object.fromEntries(
    members
      .filter(([name]) => required.has(name) || !UNUSUAL.has(name))
      .map(([name, member]) => [name, exampleOf(member, schemas, name)]),
  );
}

function textOf(schema: JsonObject, known: unknown): string {
  const { format } = schema;
  if (format === 'uuid') return typeof known === 'string' ? known : PRODUCT;
  if (format === 'date-time') return '2026-11-22T09:30:00.000Z';
  if (format === 'date') return '2026-11-22';
  return typeof known === 'string' ? known : String(schema.default ?? 'as the description says');
}

const singular = (name: string) => name.replace(/s$/, '');
