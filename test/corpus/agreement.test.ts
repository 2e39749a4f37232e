import {
  type AgreementOutcome,
  compareStatements,
  type PageStatements,
} from '@touchstone/certificate/agreement';
import { readFacts } from '@touchstone/facts';
import { readPage } from '@touchstone/page/read';
import { describe, expect, it } from 'vitest';
import { corporaFolder, type PageCase, readCases } from '../../bench/pages/facts/corpus.ts';

const CORPORA = corporaFolder(process.env);

interface StatedCase extends PageCase {
  readonly name: string;
  readonly statements: PageStatements;
}

function statedCases(corpora: string): StatedCase[] {
  return readCases(corpora).flatMap((page) => {
    const { facts, statements } = readPage(page.html(), { url: page.url }, readFacts);
    return facts.name === null || statements === undefined
      ? []
      : [{ ...page, name: facts.name.value, statements }];
  });
}

function outcomes(pairs: readonly (readonly [StatedCase, StatedCase])[]): AgreementOutcome[] {
  return pairs.map(([page, { name, url, truth }]) => {
    const [sku, brand] = [truth.sku?.[0], truth.brand?.[0]];
    const signed = {
      productName: name,
      domain: new URL(url).hostname,
      ...(sku !== undefined && { sku }),
      ...(brand !== undefined && { brand }),
    };
    return compareStatements(signed, page.statements).outcome;
  });
}

describe.skipIf(CORPORA === undefined)('certificates on the 70 product pages', () => {
  const cases = CORPORA === undefined ? [] : statedCases(CORPORA);
  const count = (of: readonly AgreementOutcome[], outcome: AgreementOutcome) =>
    of.filter((one) => one === outcome).length;

  // the name is the one that was read, sku and brand are those of the annotators
  // two pages have main headings of other products only; those of a marketplace have several, each of which may name the product
  it('of their own products are told as different on hardly any, and as the same on most', () => {
    const own = outcomes(cases.map((page) => [page, page]));
    expect(cases.length).toBeGreaterThan(60);
    expect(count(own, 'different')).toBeLessThanOrEqual(2);
    expect(count(own, 'same')).toBeGreaterThanOrEqual(0.5 * own.length);
  });

  it('of the products of all other pages are told as the same on none', () => {
    const pairs = cases.flatMap((page) =>
      cases.filter((other) => other.name !== page.name).map((other) => [page, other] as const),
    );
    const others = outcomes(pairs);
    expect(count(others, 'same')).toBe(0);
    expect(count(others, 'different')).toBeGreaterThanOrEqual(0.9 * others.length);
  });
});
