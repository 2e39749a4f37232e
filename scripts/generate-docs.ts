import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { VERSION } from '@touchstone/certificate';
import { commandLineDocs } from '../packages/cli/src/docs-files.ts';
import { codesMarkdown, codeTables } from '../packages/contract/src/codes.ts';
import { openApiDocument } from '../packages/contract/src/openapi/document.ts';
import { OPERATIONS } from '../packages/contract/src/operations.ts';
import { PAGE_CODES } from '../packages/page/src/index.ts';
import { verdictCard } from '../packages/web/card.ts';
import { settingsMarkdown } from './settings-page.ts';
import { tableTypes } from './table-types.ts';
import { weightsMarkdown } from './weights-page.ts';

// Writes the generated files: those of docs/, and the types of tables; with --check it writes nothing and fails if one differs.

const root = join(import.meta.dirname, '..');
const isCheck = process.argv.includes('--check');
const stale: string[] = [];

const files = [
  ['docs/openapi.json', `${JSON.stringify(openApiDocument(OPERATIONS, VERSION), null, 2)}\n`],
  ['docs/codes.md', codesMarkdown(codeTables(PAGE_CODES))],
  ['docs/page-weights.md', await weightsMarkdown(root)],
  ['docs/settings.md', settingsMarkdown()],
  ...commandLineDocs(),
  ['packages/mcp/src/verdict-card.ts', await cardModule()],
  ['packages/server/src/platform/database/tables.ts', await tableTypes()],
] as const;

for (const [path, text] of files) {
  const file = join(root, path);
  const present = await readFile(file, 'utf8').catch(() => undefined);
  if (present === text) continue;
  if (isCheck) {
    stale.push(path);
    continue;
  }
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  process.stdout.write(`wrote ${path}\n`);
}

/** The card as a module: whoever has the tools has it too, in any runtime, without a build of the pages. */
async function cardModule(): Promise<string> {
  return `// Generated from packages/web/src/card and the texts of the pages by \`npm run docs\`; do not edit.

/** The verdict as an HTML document for MCP Apps. */
export const VERDICT_CARD: string = ${JSON.stringify(await verdictCard(VERSION))};
`;
}

if (stale.length > 0) {
  process.stderr.write(`Not what the code says: ${stale.join(', ')}. Run "npm run docs" and commit.\n`);
  process.exitCode = 1;
}
