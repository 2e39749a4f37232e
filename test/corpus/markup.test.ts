import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareMarkup, MARKUP_CORPORA } from '../../bench/pages/facts/markup.ts';
import { REASONS, reasonOf } from '../../bench/pages/facts/markup-reasons.ts';

const CORPORA = process.env.TOUCHSTONE_CORPORA ?? resolve(import.meta.dirname, '../../../shared/corpora');

describe.skipIf(!existsSync(join(CORPORA, 'product-markup')))('products of marked-up examples', () => {
  const all = existsSync(join(CORPORA, 'product-markup'))
    ? MARKUP_CORPORA.map((corpus) => compareMarkup(CORPORA, corpus))
    : [];

  it.each(all)('are read as marked up in $corpus, or differ for a listed reason', (figures) => {
    expect(figures.products).toBeGreaterThan(0);
    expect(figures.differences.filter((difference) => reasonOf(difference) === undefined)).toEqual([]);
  });

  it('need every listed reason', () => {
    const used = new Set(all.flatMap(({ differences }) => differences.map(reasonOf)));
    expect(REASONS.filter((reason) => !used.has(reason))).toEqual([]);
  });
});
