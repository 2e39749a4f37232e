import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readFacts } from '@touchstone/facts';
import { readPage } from '@touchstone/page/read';
import { describe, expect, it } from 'vitest';
import { readCases } from '../../bench/pages/facts/corpus.ts';
import { SAME_TEXT } from '../../packages/server/src/parts/picture-matches/product-texts.ts';
import { shareOfText, sketchText } from '../../packages/server/src/parts/picture-matches/text-sketch.ts';
import { shuffledSentences } from '../publishing/clones/make-clones.ts';

const CORPORA = process.env.TOUCHSTONE_CORPORA ?? resolve(import.meta.dirname, '../../../shared/corpora');

describe.skipIf(!existsSync(join(CORPORA, 'product-pages')))('the descriptions of real product pages', () => {
  const cases = existsSync(join(CORPORA, 'product-pages')) ? readCases(CORPORA) : [];
  const texts = cases.flatMap(({ url, family, html }) => {
    const text = readPage(html(), { url }, readFacts).facts.description?.value ?? '';
    const sketch = sketchText(text);
    return sketch === undefined ? [] : [{ family, text, sketch }];
  });
  const isSame = (a: Uint8Array, b: Uint8Array) => shareOfText(a, b) >= SAME_TEXT;

  it('of different sites are never the same', () => {
    const pairs = texts.flatMap((a, nth) =>
      texts.slice(0, nth).flatMap((b) => (a.family === b.family ? [] : [[a, b] as const])),
    );
    expect(pairs.length).toBeGreaterThan(500);
    expect(pairs.filter(([a, b]) => isSame(a.sketch, b.sketch))).toEqual([]);
  });

  it('are recognised when their sentences are in another order', () => {
    const shuffled = texts.flatMap(({ text, sketch }, nth) => {
      const other = shuffledSentences(text, nth);
      const changed = sketchText(other);
      return other === text || changed === undefined ? [] : [isSame(sketch, changed)];
    });
    process.stdout.write(
      `${texts.length} texts, ${shuffled.filter(Boolean).length}/${shuffled.length} shuffled\n`,
    );
    expect(shuffled.length).toBeGreaterThan(20);
    expect(shuffled.filter(Boolean).length / shuffled.length).toBeGreaterThanOrEqual(0.9);
  });
});
