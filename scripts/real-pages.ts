/**
 * Runs every page of the corpus through the whole service in seven variants and prints the results. `npm run pages`; exits with 0 if every
 * page has the expected result in each.
 */
import { corporaFolder, readCases } from '../bench/pages/facts/corpus.ts';
import { checkVariants, faultsOf } from '../test/corpus/support/check-variants.ts';
import { changedByCertificate, variantsTable } from '../test/corpus/support/variants-table.ts';

async function main(): Promise<number> {
  const corpora = corporaFolder(process.env);
  if (corpora === undefined) {
    console.error('No corpora: set TOUCHSTONE_CORPORA to the folder that holds product-pages.');
    return 2;
  }
  const outcomes = await checkVariants(readCases(corpora));
  console.log(variantsTable(outcomes));
  const faulty = outcomes.filter((outcome) => faultsOf(outcome).length > 0);
  return faulty.length === 0 && changedByCertificate(outcomes).length === 0 ? 0 : 1;
}

process.exitCode = await main();
