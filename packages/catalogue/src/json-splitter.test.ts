import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JsonElement, JsonSplitter } from './json-splitter.ts';

const textOf = (element: JsonElement) => ('text' in element ? element.text : `over ${element.over}`);

function split(text: string, size = text.length || 1) {
  const splitter = new JsonSplitter();
  const texts: string[] = [];
  for (let i = 0; i < text.length; i += size) {
    for (const element of splitter.push(text.slice(i, i + size))) texts.push(textOf(element));
  }
  const { last, end } = splitter.end();
  if (last !== undefined) texts.push(textOf(last));
  return { texts, end };
}

const values = (text: string, size?: number) => split(text, size).texts.map((element) => JSON.parse(element));

describe('JsonSplitter', () => {
  it('splits a list, a wrapped list and one value per line alike', () => {
    const products = [{ a: 1 }, { b: ['x', { products: [2] }] }, 'text, with ] and "quotes"', 3, null];
    expect(values(JSON.stringify(products))).toEqual(products);
    const wrapper = { metadata: { products: 5, list: [1] }, products, more: { products: [9] } };
    expect(values(JSON.stringify(wrapper, null, 2))).toEqual(products);
    expect(values(products.map((product) => JSON.stringify(product)).join('\r\n'))).toEqual(products);
  });

  it('continues after one page with the next', () => {
    expect(values('{"products":[{"id":1}]}\n{"products":[{"id":2},{"id":3}]}')).toEqual([
      { id: 1 },
      { id: 2 },
      { id: 3 },
    ]);
  });

  it('gives the same result however the text is split into chunks', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue(), { maxLength: 5 }),
        fc.integer({ min: 1, max: 9 }),
        (list, size) => {
          const wrapped = JSON.stringify({ note: 'a [ b', products: list });
          expect(values(wrapped, size)).toEqual(JSON.parse(JSON.stringify(list)));
          expect(split(wrapped, size).end).toEqual({ kind: 'complete' });
        },
      ),
    );
  });

  it('reports a truncated element and its position, after every complete one', () => {
    const { texts, end } = split('{"products": [\n{"id":1},\n{"id":2, "title": "La');
    expect(texts).toEqual(['{"id":1}']);
    expect(end).toEqual({ kind: 'truncated', line: 3, inElement: true });
    expect(split('[{"id":1}').end).toEqual({ kind: 'truncated', line: 1, inElement: false });
    expect(split('{"products":[{"id":1}]').end).toMatchObject({ kind: 'truncated', inElement: false });
  });

  it('keeps no more than the limit of one element, and continues with the next', () => {
    const splitter = new JsonSplitter();
    const long = 'x'.repeat(1_000_000);
    expect([...splitter.push('[{"a":"')]).toEqual([]);
    for (let i = 0; i < 40; i++) expect([...splitter.push(long)]).toEqual([]);
    expect([...splitter.push('"},{"b":1}]')].map(textOf)).toEqual(['over characters', '{"b":1}']);
    expect(splitter.end().end).toEqual({ kind: 'complete' });
  });
});
