/**
 * Runs one benchmark of a suite: `npm run bench:images -- likeness …`, or the suite's first without a name. `npm run bench` measures what
 * docs/measurements.md lists.
 */
const SUITES: Readonly<Record<string, readonly string[]>> = {
  catalogue: ['size', 'import', 'million'],
  images: ['pipeline', 'likeness', 'manifests', 'matches', 'copies', 'unrelated'],
  log: ['scale', 'behind'],
  pages: ['facts', 'markup', 'lookalikes', 'resellers'],
};

const [suite = '', named = '', ...others] = process.argv.slice(2);
const names = SUITES[suite] ?? [];
const isNamed = names.includes(named);
const name = isNamed ? named : names[0];
if (name === undefined) throw new Error(`There is no suite "${suite}": ${Object.keys(SUITES).join(', ')}`);
// each reads its own arguments
process.argv = [...process.argv.slice(0, 2), ...(isNamed || named === '' ? [] : [named]), ...others];
await import(`./${suite}/${name}.ts`);
