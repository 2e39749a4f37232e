/**
 * Prints where the reader's result for marked-up products differs from the markup, with the reason, and how many price strings of shops it
 * reads correctly. `npm run bench:pages -- markup`
 */
import { corporaFolder } from './facts/corpus.ts';
import { compareMarkup, MARKUP_CORPORA } from './facts/markup.ts';
import { reasonOf } from './facts/markup-reasons.ts';
import { readPriceStrings } from './facts/price-strings.ts';

const corpora = corporaFolder(process.env);
if (corpora === undefined) {
  console.error('No corpora: set TOUCHSTONE_CORPORA to the folder that holds product-markup.');
  process.exitCode = 2;
} else {
  for (const corpus of MARKUP_CORPORA) {
    const { documents, products, attributes, differences } = compareMarkup(corpora, corpus);
    console.log(
      `\n${corpus}: ${documents} documents, ${products} with a Product, ${attributes} attributes, ${differences.length} read otherwise`,
    );
    for (const difference of differences) {
      const { file, attribute, stated, read } = difference;
      const values = `${JSON.stringify(stated?.slice(0, 40) ?? null)}, read ${JSON.stringify(read?.slice(0, 40) ?? null)}`;
      console.log(`  ${file}: ${attribute} ${values}: ${reasonOf(difference)?.reason ?? 'NO REASON'}`);
    }
  }
  console.log(`\nprice-strings: ${JSON.stringify(readPriceStrings(corpora))}`);
}
