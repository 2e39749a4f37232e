import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { OPERATIONS } from '../operations.ts';
import { openApiDocument } from './document.ts';
import { withResponses } from './testing.ts';

interface Media {
  readonly schema?: Readonly<Record<string, unknown>>;
  readonly example?: unknown;
}
interface Described {
  readonly operationId: string;
  readonly parameters?: readonly { name: string; required: boolean; schema: object; example?: unknown }[];
  readonly requestBody?: { readonly content: Record<string, Media> };
  readonly responses: Record<
    string,
    {
      readonly headers: Record<string, { required?: boolean; schema: { example: unknown } }>;
      readonly content?: Record<string, Media>;
    }
  >;
}

const document = withResponses<ReturnType<typeof JSON.parse>>(openApiDocument(OPERATIONS, '1'));
const operations = (Object.values(document.paths) as Record<string, Described>[]).flatMap((methods) =>
  Object.values(methods),
);
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(document, 'openapi.json');

/** What is wrong with a value; empty where it is what the schema says. */
function faults(schema: object, value: unknown): string {
  const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi.json#/'));
  return ajv.validate(absolute, value) ? '' : ajv.errorsText();
}

test('the public operations are first, in the order that a reader needs them, and those of operators last', () => {
  expect(operations.slice(0, 9).map(({ operationId }) => operationId)).toEqual([
    'getProductCertificate',
    'findProductCertificate',
    'getAssetCertificate',
    'getImageCertificate',
    'verifyProductCertificate',
    'verifyImageCertificate',
    'checkPage',
    'getPageCheck',
    'getJwks',
  ]);
});

test.each(operations)(
  '$operationId has an example of each body, parameter and response, valid by its schema',
  (operation) => {
    const { parameters = [], requestBody, responses } = operation;
    for (const { name, required, schema, example } of parameters) {
      if (required) expect(`${name}: ${faults(schema, example)}`).toBe(`${name}: `);
    }
    const contents = [requestBody?.content, ...Object.values(responses).map(({ content }) => content)];
    const described = contents.flatMap((content) => Object.entries(content ?? {}));
    for (const [mediaType, { schema = {}, example }] of described.filter(([type]) => isJson(type))) {
      expect(example, mediaType).toBeDefined();
      expect(faults(schema, example)).toBe('');
    }
  },
);

test('a certificate declares its caching, a 429 and a 503 their Retry-After, and no failure may be stored', () => {
  const find = (id: string) => operations.find(({ operationId }) => operationId === id)?.responses ?? {};
  const certificate = find('getProductCertificate');
  for (const status of ['200', '304']) {
    expect(Object.keys(certificate[status]?.headers ?? {}).toSorted()).toEqual([
      'Access-Control-Allow-Origin',
      'CDN-Cache-Control',
      'Cache-Control',
      'ETag',
      'Surrogate-Key',
      'Vary',
      'X-Request-Id',
    ]);
  }
  expect(certificate['200']?.headers['Cache-Control']?.schema.example).toBe('public, max-age=86400');
  expect(certificate['404']?.headers['Cache-Control']?.schema.example).toBe('no-store');
  expect(find('checkPage')['429']?.headers).toMatchObject({
    'Retry-After': { required: true },
    RateLimit: {},
    'RateLimit-Policy': {},
  });
  for (const { responses } of operations) {
    for (const [status, { headers }] of Object.entries(responses)) {
      expect(headers['X-Request-Id']?.required).toBe(true);
      if (status === '503') expect(headers['Retry-After']?.required).toBe(true);
    }
  }
});

test('every error of a status has one JSON type: a problem, a validation error, or at 422 either of both', () => {
  const names = new Set<string>();
  for (const { operationId, responses } of operations) {
    for (const [status, { content = {} }] of Object.entries(responses)) {
      if (Number(status) < 400) continue;
      const types = new Set(Object.values(content).map(({ schema }) => JSON.stringify(schema)));
      expect([operationId, status, types.size]).toEqual([operationId, status, 1]);
      const { $ref } = JSON.parse([...types][0] ?? '{}') as { $ref: string };
      names.add(`${status === '422' ? status : ''} ${$ref.replace('#/components/schemas/', '')}`);
    }
  }
  expect(names).toEqual(new Set([' Problem', '422 ValidationError', '422 ValidationOrProblem']));
});

test('the submitted document is typed as in the specification', () => {
  const { document: submitted } = document.components.schemas.ProductVerificationRequest.properties;
  expect(Object.keys(submitted.anyOf[0].properties)).toEqual(['productID', 'url', 'svc:issuedFor', 'proof']);
});

function isJson(mediaType: string): boolean {
  return mediaType.endsWith('json') && !mediaType.endsWith('ndjson');
}
