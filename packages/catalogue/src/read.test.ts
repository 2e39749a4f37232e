import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseGtin } from './gtin.ts';
import { detectShape, parseStoreUrl, readCatalogue } from './index.ts';
import { problemsOf, rowsOf } from './testing.ts';

describe('readCatalogue', () => {
  it('names what is wrong with a file as a whole', async () => {
    const files: readonly (readonly [string | Uint8Array, string])[] = [
      ['', '0 file_empty'],
      [' \r\n\t', '0 file_empty'],
      ['<!doctype html><title>Password</title>', '0 file_is_html'],
      ['{"products":[]}', '0 no_products'],
      ['[]', '0 no_products'],
      ['hello', '0 shape_unknown'],
      ['[{"id":1,"title":"A","handle":"a"', '0 file_truncated'],
      [new Uint8Array([0x5b, 0x22, 0xe9, 0x22, 0x5d]), '0 file_not_utf8'],
    ];
    for (const [file, problem] of files)
      expect(problemsOf(await rowsOf(file)), String(file)).toContain(problem);
  });

  it('returns every complete product of a truncated file', async () => {
    const rows = await rowsOf('{"products":[{"id":1,"title":"A","handle":"a"},\n{"id":2,"title":"B","ha');
    expect(rows[0]).toMatchObject({ product: { externalProductId: '1' } });
    expect(rows[1]).toMatchObject({ problem: { row: 0, code: 'file_truncated' } });
    expect(JSON.stringify(rows[1])).toContain('Product 2, begun on line 2');
  });

  it('says which fields an unrecognised row has, and which fields a registry row has', async () => {
    const rows = await rowsOf(
      '{"externalProductId":"1","name":"A","url":"https://a.example/"}\n{"name":"B"}',
    );
    expect(rows[1]).toMatchObject({
      problem: {
        row: 2,
        code: 'row_not_product',
        reason: expect.stringContaining(
          'It has the fields name; a row of the registry has externalProductId,',
        ),
      },
    });
  });

  it('answers for any file content, however deeply nested', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(problemsOf(await rowsOf(`[{"id":1,"title":"A","handle":"a","images":${deep}},${deep}]`))).toEqual([
      '1 row_too_large',
      '2 row_too_large',
    ]);
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string({ unit: 'binary' }), fc.json(), fc.uint8Array()), async (file) => {
        expect((await rowsOf(file)).length).toBeGreaterThan(0);
      }),
    );
    const odd = fc.record(
      {
        ...Object.fromEntries(
          ['id', 'title', 'handle', 'permalink', 'status', 'name'].map((key) => [key, fc.jsonValue()]),
        ),
        ...Object.fromEntries(
          ['images', 'variants', 'attributes', 'brands'].map((key) => [key, fc.jsonValue()]),
        ),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(odd, { minLength: 1, maxLength: 4 }), async (list) => {
        expect(await rowsOf(JSON.stringify(list))).toHaveLength(list.length);
      }),
    );
  });

  it('refuses an invalid store URL before it reads anything', () => {
    for (const storeUrl of ['', 'shop.example', 'ftp://shop.example', 'https://u:p@shop.example']) {
      expect(() => readCatalogue('[]', { storeUrl }), storeUrl).toThrow(TypeError);
    }
    expect(parseStoreUrl(' https://Shop.Example/fr/?q=1#x ')?.href).toBe('https://shop.example/fr');
  });
});

describe('detectShape', () => {
  it('detects the four shapes and nothing else', () => {
    expect(detectShape('\uFEFF{"metadata":{},"products":[{"id":1,"title":"A","handle":"a"}]}')).toBe(
      'shopify-json',
    );
    expect(detectShape('"Handle","Title","Vendor"\r\n')).toBe('shopify-csv');
    expect(detectShape('[{"id":1,"permalink":"https://x.test/","prices":{}}]')).toBe('woocommerce-store-api');
    expect(detectShape('{"id":1,"permalink":"https://x.test/","status":"publish"}')).toBe(
      'woocommerce-rest-v3',
    );
    for (const other of [
      '',
      '{}',
      '[]',
      '[1]',
      '{"products":[{"title"',
      'a,b',
      '<html>',
      '{"@type":"Product"}',
    ]) {
      expect(detectShape(other), other).toBeNull();
    }
  });
});

describe('parseGtin', () => {
  it('accepts only the four lengths with a correct check digit', () => {
    expect(parseGtin('96385074')).toBe('96385074');
    expect(parseGtin("'036000291452")).toBe('036000291452');
    expect(parseGtin('4006381-333931')).toBe('4006381333931');
    expect(parseGtin('10614141000415')).toBe('10614141000415');
    for (const other of ['4006381333932', '00000000', '123', '40063813339310', 'ABC', '']) {
      expect(parseGtin(other), other).toBeNull();
    }
  });
});
