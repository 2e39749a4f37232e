import { beforeAll, describe, expect, it } from 'vitest';
import { corporaFolder, readCases } from '../../bench/pages/facts/corpus.ts';
import { checkVariants, faultsOf, type Outcome } from './support/check-variants.ts';
import { VARIANTS } from './support/variants.ts';
import { changedByCertificate, variantsTable } from './support/variants-table.ts';

const corpora = corporaFolder(process.env);

describe.skipIf(corpora === undefined)('real shop pages, certified and served under their own names', () => {
  let outcomes: readonly Outcome[] = [];

  beforeAll(async () => {
    outcomes = await checkVariants(readCases(corpora ?? ''));
    console.log(variantsTable(outcomes));
  }, 600_000);

  it.each(VARIANTS)('$name: every page is $verdict, over HTTP and on the command line', (variant) => {
    const own = outcomes.filter((outcome) => outcome.variant === variant);
    const faulty = own.filter((outcome) => faultsOf(outcome).length > 0);
    expect(faulty.map((outcome) => [outcome.url, ...faultsOf(outcome)])).toEqual([]);
    expect(own).toHaveLength(70);
  });

  it('name the product that was signed, but for two whose name in the catalogue is what their data says and not their heading', () => {
    const differing = outcomes.filter(({ report }) => report.conclusion.code === 'page_differs');
    expect(differing.map(({ url }) => new URL(url).host).toSorted()).toEqual([
      'vmzona.com',
      'www.tmon.co.kr',
    ]);
  });

  it('state the same about their products with and without a certificate', () => {
    expect(changedByCertificate(outcomes)).toEqual([]);
  });
});
