import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { hostile, nearValid, type Schema, type Schemas, valid } from './schema-values.ts';

/** The parts of our OpenAPI document from which requests are generated. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export interface ApiOperation {
  readonly operationId: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly schema: Schema }[];
  readonly description?: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
}

export type Caller = 'nobody' | 'stranger' | 'garbled' | 'other merchant' | 'merchant' | 'operator';

/** A request with placeholders in path and body, filled in when it is sent. */
export interface Generated {
  readonly operation: ApiOperation;
  readonly method: string;
  readonly path: string;
  readonly caller: Caller;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const PLACES = [
  'merchant',
  'store',
  'product',
  'image',
  'key',
  'check',
  'webhook',
  'delivery',
  'import',
  'change',
];

/** Addresses for webhooks, where nothing listens. */
const ENDPOINT = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('https://mine.example/hook', 'https://hooks.mine.example/') },
  { weight: 1, arbitrary: fc.webUrl() },
);

/** Names of fields that contain ids of existing objects. */
const known = (operationId: string): Schemas['known'] => {
  const url = fc.oneof(
    fc.constantFrom(
      'http://mine.example/products/kettle',
      'http://mine.example/products/cup',
      'http://mine.example/',
    ),
    fc.webPath().map((path) => `http://mine.example${path}`),
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
  );
  return {
    merchantId: fc.constant('{{merchant}}'),
    url: operationId.endsWith('Webhook') ? ENDPOINT : url,
    productUrl: url,
    domain: fc.oneof(fc.constantFrom('mine.example', 'theirs.example'), fc.domain()),
    verifyField: fc.oneof(fc.constantFrom('productId', 'externalProductId', 'sku'), fc.string()),
    fieldValue: fc.oneof(fc.constantFrom('{{product}}', 'kettle', 'cup'), fc.string()),
    hostname: fc.oneof(fc.constantFrom('mine.example', 'naughty.example'), fc.domain()),
    externalProductId: fc.oneof(fc.constantFrom('kettle', 'cup'), fc.string({ minLength: 1, maxLength: 30 })),
    document: fc.oneof(
      fc.constantFrom<unknown>('{{certificate}}', '{{certificate-text}}', '{{certificate-edited}}', null, []),
      fc.jsonValue(),
    ),
  };
};

const BLOB_BYTES = Buffer.from('GIF89a');

/** Bytes that are stored in the service before they are requested. */
export const BLOB = {
  bytes: BLOB_BYTES,
  key: `${createHash('sha256').update(BLOB_BYTES).digest('hex')}.gif`,
};

/** Only objects created for deletion are deleted, so that the rest of a run keeps its objects. */
const takesAway = ({ operationId }: ApiOperation) => /^(delete|remove|revoke)/.test(operationId);

/**
 * One request to each operation of the document, so that all get as many however many there are; the caller provides the seed.
 *
 * @param creators - operations that go first, since others need what they make; those that delete go last
 */
export function roundOf(api: OpenApi, creators: readonly string[]): fc.Arbitrary<readonly Generated[]> {
  const resolve: Schemas['resolve'] = (schema) => {
    const name = schema.$ref?.split('/').at(-1);
    return name === undefined ? schema : (api.components.schemas[name] ?? {});
  };
  const turn = (operation: ApiOperation) => {
    if (creators.includes(operation.operationId)) return 0;
    return takesAway(operation) ? 2 : 1;
  };
  const all = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  return fc.tuple(
    ...all
      .toSorted((a, b) => turn(a.operation) - turn(b.operation))
      .map(({ path, method, operation }) =>
        requestTo(method.toUpperCase(), path, operation, { known: known(operation.operationId), resolve }),
      ),
  );
}

function requestTo(
  method: string,
  path: string,
  operation: ApiOperation,
  schemas: Schemas,
): fc.Arbitrary<Generated> {
  const json = operation.requestBody?.content['application/json']?.schema;
  return fc.record({
    operation: fc.constant(operation),
    method: fc.oneof(
      { weight: 30, arbitrary: fc.constant(method) },
      { weight: 1, arbitrary: fc.constantFrom('HEAD', 'OPTIONS', 'QUERY', 'TRACE', 'PROPFIND') },
    ),
    path: fc
      .tuple(pathOf(path, operation), queryOf(operation, schemas))
      .map(([filled, query]) => (query === '' ? filled : `${filled}?${query}`)),
    caller: callers(operation),
    body: json === undefined ? fc.constant(undefined) : bodyOf(json, operation, schemas),
    headers: headersOf(operation),
  }) as fc.Arbitrary<Generated>;
}

function callers(operation: ApiOperation): fc.Arbitrary<Caller> {
  const isOpen = (operation.security ?? []).length === 0;
  return fc.oneof(
    { weight: isOpen ? 6 : 1, arbitrary: fc.constant<Caller>('nobody') },
    { weight: 1, arbitrary: fc.constantFrom<Caller>('stranger', 'garbled', 'other merchant') },
    { weight: 4, arbitrary: fc.constant<Caller>('merchant') },
    { weight: 4, arbitrary: fc.constant<Caller>('operator') },
  );
}

const segment = fc.oneof(
  fc.string({ minLength: 1, maxLength: 30 }).map(encodeURIComponent),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 10 }).map(encodeURIComponent),
  fc.uuid(),
  fc.constantFrom('%00', '%2e%2e', '%', '%zz', '%ED%A0%80', '..', '*', '{{merchant}}x', 'null', '0', '-'),
);

function pathOf(path: string, operation: ApiOperation): fc.Arbitrary<string> {
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name ?? '');
  const values = names.map((name, index) => {
    const place = name === 'id' ? 'check' : name.replace(/_id$/, '').replace('asset', 'image');
    const spare = takesAway(operation) && index === names.length - 1 ? 'spare-' : '';
    const other = place === 'blob' ? BLOB.key : 'mine.example';
    // following an import ends with it, possibly after hours
    const isEndless = operation.operationId === 'followImport';
    const good = PLACES.includes(place) && !isEndless ? `{{${spare}${place}}}` : other;
    return fc.oneof({ weight: 6, arbitrary: fc.constant(good) }, { weight: 1, arbitrary: segment });
  });
  return fc.tuple(...values).map((filled) => {
    let index = 0;
    return path.replace(/\{[^}]+\}/g, () => filled[index++] ?? '');
  });
}

function queryOf(operation: ApiOperation, { known: { url }, resolve }: Schemas): fc.Arbitrary<string> {
  const schemas: Schemas = { known: url === undefined ? {} : { url }, resolve };
  const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
  const own = parameters.map(({ name, schema }) =>
    fc.option(
      fc
        .oneof(
          { weight: 3, arbitrary: valid(schema, schemas, name) },
          {
            weight: 1,
            arbitrary: fc.oneof(
              fc.string({ unit: 'grapheme' }),
              fc.constantFrom('', '0', '-1', '501', '1e3', 'NaN', '\u0000'),
            ),
          },
        )
        .map((value) => `${name}=${encodeURIComponent(String(value))}`),
      { freq: 3 },
    ),
  );
  const odd = fc.oneof(
    { weight: 7, arbitrary: fc.constant(null) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('%', '&&', 'full=true', '__proto__=1', 'a[]=1', 'limit=1&limit=2'),
    },
  );
  return fc.tuple(...own, odd).map((parts) => parts.filter((part) => part !== null).join('&'));
}

function bodyOf(schema: Schema, operation: ApiOperation, schemas: Schemas): fc.Arbitrary<string | undefined> {
  const said = (value: unknown) => JSON.stringify(value);
  const isRows = operation.requestBody?.content['application/x-ndjson'] !== undefined;
  return fc.oneof(
    { weight: 8, arbitrary: valid(schema, schemas).map(said) },
    { weight: 8, arbitrary: nearValid(schema, schemas).map(said) },
    { weight: 2, arbitrary: hostile.map(said) },
    { weight: 1, arbitrary: valid(schema, schemas).map((value) => said(value).slice(0, -1)) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
    { weight: 1, arbitrary: fc.constant(undefined) },
    ...(isRows
      ? [
          {
            weight: 5,
            arbitrary: fc
              .array(fc.oneof(valid(schema, schemas), hostile).map(said), { maxLength: 4 })
              .map((lines) => `ndjson:${lines.join('\n')}`),
          },
        ]
      : []),
  );
}

const ODD_HEADERS: readonly Readonly<Record<string, string>>[] = [
  { 'x-request-id': 'given-1' },
  { 'x-request-id': '<script>' },
  { 'idempotency-key': 'same-key' },
  { 'idempotency-key': 'x'.repeat(300) },
  { 'if-none-match': '*' },
  { 'if-none-match': '"' },
  { accept: 'text/html;q=0.1, */*;q=x' },
  { 'accept-encoding': 'gzip;q=2, wonder' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': ';' },
  { 'content-type': 'multipart/form-data' },
  { 'content-encoding': 'gzip' },
  { 'x-forwarded-for': "1.2.3.4, ' or 1=1" },
  { origin: 'null' },
  { cookie: 'session=1' },
  { range: 'bytes=0-0' },
  { 'transfer-encoding': 'identity' },
];

function headersOf(operation: ApiOperation): fc.Arbitrary<Readonly<Record<string, string>>> {
  const takesKey = operation.parameters?.some(({ name }) => name === 'Idempotency-Key') === true;
  return fc
    .tuple(
      fc.option(
        fc.constantFrom(...ODD_HEADERS.filter((header) => header['transfer-encoding'] === undefined)),
        { freq: 4 },
      ),
      fc.option(fc.nat(50), { freq: takesKey ? 2 : 20 }),
    )
    .map(([odd, key]) => ({ ...odd, ...(key === null ? {} : { 'idempotency-key': `key-${key}` }) }));
}
