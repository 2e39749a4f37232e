import { codeTables } from './docs/code-tables.ts';
import { codesMarkdown } from './docs/codes-markdown.ts';
import { openApiDocument } from './docs/openapi/document.ts';
import { VERSION } from './platform/version.ts';
import { describedRows, type RowDependencies } from './routes.ts';

/**
 * The generated files of docs/, by path. The table is only described, never called, so it needs neither a
 * database nor keys: what the rows would call throws.
 */
export function docsFiles(): ReadonlyMap<string, string> {
  const rows = describedRows(uncallable() as RowDependencies);
  return new Map([
    ['docs/openapi.json', `${JSON.stringify(openApiDocument(rows, VERSION), null, 2)}\n`],
    ['docs/codes.md', codesMarkdown(codeTables())],
  ]);
}

/** Stands for any dependency at any depth, as long as nobody calls it. */
function uncallable(): unknown {
  return new Proxy(() => {}, {
    get: () => uncallable(),
    apply: () => {
      throw new Error('The operation table is only described here.');
    },
  });
}
