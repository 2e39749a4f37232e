import { describe, expect, it } from 'vitest';
import { readPage } from './testing.ts';
import { type Input, RIGHT, WITH_FINDING } from './testing-bytes.ts';

function readingOf([, bytes, contentType]: Pick<Input, 0 | 1 | 2> & readonly unknown[]) {
  return readPage(bytes, {
    url: 'https://shop.example/p/coffee',
    ...(contentType !== undefined && { contentType }),
  });
}

describe('pages in unusual encodings are read correctly, or report why not', () => {
  it.each(RIGHT)('%s', (...input) => {
    const { facts } = readingOf(input);
    const [, , , { name, brand }] = input;
    expect([facts.name?.value, facts.brand?.value, facts.sku?.value]).toEqual([name, brand, 'KAF-250']);
    expect([facts.price?.value, facts.currency?.value]).toEqual(['19.90', 'EUR']);
  });

  it.each(WITH_FINDING)('%s', (...input) => {
    const [name, bytes, contentType, product, finding] = input;
    const { facts, findings } = readingOf([name, bytes, contentType]);
    expect(findings.map((note) => note.split(':', 1)[0])).toContain(finding);
    expect([product.name, undefined]).toContain(facts.name?.value);
    expect([product.brand, undefined]).toContain(facts.brand?.value);
    expect(['19.90', undefined]).toContain(facts.price?.value);
  });

  it('are 50 in total', () => {
    expect(RIGHT.length + WITH_FINDING.length).toBe(50);
  });
});
