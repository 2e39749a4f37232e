// Writes docs/api from the doc comments of published packages: node tools/api-docs/generate.mjs [--check]
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Application } from 'typedoc';

const ROOT = resolve(import.meta.dirname, '../..');
const TARGET = join(ROOT, 'docs/api');
const PACKAGES = ['certificate', 'fetch', 'page', 'facts', 'image', 'edge'];

const out = mkdtempSync(join(tmpdir(), 'touchstone-api-'));
try {
  for (const name of PACKAGES) await write(name, join(out, name));
  if (process.argv.includes('--check')) compare();
  else {
    rmSync(TARGET, { recursive: true, force: true });
    cpSync(out, TARGET, { recursive: true });
  }
} finally {
  rmSync(out, { recursive: true });
}

async function write(name, folder) {
  const base = join(ROOT, 'packages', name);
  const { exports } = JSON.parse(readFileSync(join(base, 'package.json'), 'utf8'));
  // the Zod schemas are better documented in docs/openapi.json; the parsed page is for our own reader of facts
  const subpaths = Object.keys(exports).filter((subpath) => !['./schema', './document'].includes(subpath));
  const entryPoints = subpaths.map((subpath) => join(base, exports[subpath]));
  const app = await Application.bootstrapWithPlugins({
    plugin: ['typedoc-plugin-markdown'],
    entryPoints,
    tsconfig: join(ROOT, 'tsconfig.json'),
    basePath: join(base, 'src'),
    displayBasePath: join(base, 'src'),
    name: `@touchstone/${name}`,
    readme: 'none',
    disableSources: true,
    excludeInternal: true,
    excludeExternals: true,
    groupOrder: ['Functions', 'Classes', 'Variables', '*'],
    parametersFormat: 'table',
    interfacePropertiesFormat: 'table',
    typeAliasPropertiesFormat: 'table',
    skipErrorChecking: true,
    hideBreadcrumbs: true,
    hidePageHeader: true,
    outputFileStrategy: 'modules',
    entryFileName: 'README',
    logLevel: 'Error',
  });
  const project = await app.convert();
  if (project === undefined) throw new Error(`typedoc cannot read ${name}`);
  app.options.setValue('outputs', [{ name: 'markdown', path: folder }]);
  await app.generateOutputs(project);
}

function compare() {
  const texts = (folder) =>
    Object.fromEntries(
      (existsSync(folder) ? readdirSync(folder, { recursive: true }) : [])
        .filter((file) => file.endsWith('.md'))
        .map((file) => [file, readFileSync(join(folder, file), 'utf8')]),
    );
  const [fresh, present] = [texts(out), texts(TARGET)];
  const stale = [...new Set([...Object.keys(fresh), ...Object.keys(present)])].filter(
    (file) => fresh[file] !== present[file],
  );
  if (stale.length === 0) return;
  process.stderr.write(
    `Not what the doc comments say: ${stale.join(', ')}. Run "npm run docs:api" and commit.\n`,
  );
  process.exitCode = 1;
}
