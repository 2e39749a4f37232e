import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../operations.ts';
import { openApiDocument } from './document.ts';
import { withResponses } from './testing.ts';

interface Described {
  readonly operationId: string;
  readonly responses: Record<string, { description: string; content?: Record<string, unknown> }>;
  readonly requestBody?: unknown;
  readonly parameters?: { name: string; in: string }[];
}

const openApi = withResponses(openApiDocument(OPERATIONS, '1.2.3')) as {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, unknown> };
};
const operations = Object.entries(openApi.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => ({ path, method, ...described })),
);

describe('the OpenAPI document', () => {
  test('is deterministic', () => {
    expect(openApiDocument(OPERATIONS, '1')).toEqual(openApiDocument(OPERATIONS, '1'));
  });

  test('has every endpoint of the specification, under the specified path', () => {
    const found = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    expect(found).toEqual(
      expect.arrayContaining([
        'GET /api/v1/mc4p/products/{product_id}/certificate',
        'GET /api/v1/mc4p/assets/{asset_id}/certificate',
        'POST /api/v1/mc4p/products/{product_id}/verify',
        'POST /api/v1/mc4p/page-checks',
        'GET /api/v1/.well-known/jwks.json',
      ]),
    );
  });

  test('names each operation once', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('every path parameter is described, and no other', () => {
    for (const { path, parameters = [] } of operations) {
      const inPath = [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1]);
      expect(parameters.filter((p) => p.in === 'path').map((p) => p.name)).toEqual(inPath);
    }
  });

  test.each(['schemas', 'responses'])(
    'every reference to components.%s resolves, and each is referenced',
    (kind) => {
      const document = openApiDocument(OPERATIONS, '1.2.3') as { components: Record<string, object> };
      const text = JSON.stringify(document);
      const used = new Set(
        [...text.matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)].flatMap((match) =>
          match[1] === kind ? match[2] : [],
        ),
      );
      expect([...used].toSorted()).toEqual(Object.keys(document.components[kind] ?? {}).toSorted());
      expect(text).not.toContain('#/$defs/');
    },
  );

  test('every operation with input documents validation errors, and every one documents 500', () => {
    for (const { responses, requestBody, parameters = [] } of operations) {
      if (requestBody !== undefined || parameters.some((p) => p.in !== 'header')) {
        expect(responses['422']?.content).toHaveProperty(['application/json']);
      }
      expect(responses['500']?.content).toHaveProperty(['application/problem+json']);
    }
  });
});
