import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PARTS } from '../packages/server/src/parts.ts';

// Prints the lines of the core and of each part, without tests (`npm run parts`).

const ROOT = join(import.meta.dirname, '../packages');
/** Packages that are the core, as far as their files belong to no part. */
const CORE = [
  'certificate',
  'contract',
  'page',
  'fetch',
  'server/src/core',
  'server/src/platform',
  'server/src/start',
];
/** Where a package keeps what belongs to a part. */
const FOLDERS = ['contract/src/parts', 'server/src/parts', 'cli/src/parts', 'web/src/console'];

const isTest = (file: string) => /\.test\.tsx?$|(^|\/)testing(\/|\.ts$|-)/.test(file);

function linesIn(pattern: string): number {
  const files = globSync(pattern, { cwd: ROOT }).filter(
    (file) => !/node_modules|\/dist\//.test(file) && !isTest(file),
  );
  const texts = files.map((file) => readFileSync(join(ROOT, file), 'utf8'));
  return texts.reduce((sum, text) => sum + text.split('\n').length - 1, 0);
}

const rows = PARTS.map(({ name, operations }) => {
  const own = FOLDERS.map((folder) => linesIn(`${folder}/${name}/**/*.{ts,tsx}`));
  // the console of the web is a part as a whole, but for the folders of others in it
  const [contract = 0, server = 0, cli = 0, inConsole = 0] = own;
  const others = PARTS.filter((part) => part.name !== name).map((part) =>
    linesIn(`web/src/console/${part.name}/**/*.{ts,tsx}`),
  );
  const web =
    name === 'console'
      ? linesIn('web/src/console/**/*.{ts,tsx}') - others.reduce((sum, lines) => sum + lines, 0)
      : name === 'pages'
        ? linesIn('web/src/!(console)/**/*.{ts,tsx}')
        : inConsole;
  return {
    part: name,
    operations: operations.length,
    contract,
    server,
    cli,
    web,
    'in all': contract + server + cli + web,
  };
});
const ofParts = rows.reduce((sum, { contract }) => sum + contract, 0);
const core = CORE.map((folder) => ({ core: folder, lines: linesIn(`${folder}/**/*.ts`) }));
const atTop = linesIn('server/src/{main,compose,parts,index}.ts');
console.table(rows);
console.table([
  ...core.map((row) => (row.core === 'contract' ? { ...row, lines: row.lines - ofParts } : row)),
  { core: 'server/src, at the top', lines: atTop },
  { core: 'in all', lines: core.reduce((sum, { lines }) => sum + lines, atTop) - ofParts },
]);
