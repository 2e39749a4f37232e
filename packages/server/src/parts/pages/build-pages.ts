import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** The packages of the workspace; absent from the published package, which includes built pages. */
const PACKAGES = resolve(import.meta.dirname, '../../../..');

/**
 * Builds the pages if they are missing, for example after an installation without scripts. After an edit, `npm run build:pages` does. The
 * service runs without them, too.
 *
 * @param tell - receives lines for the person who starts the service
 */
export async function buildPages(tell: (line: string) => void, packages = PACKAGES): Promise<void> {
  const script = join(packages, 'web/build.ts');
  if (!existsSync(script) || existsSync(join(packages, 'web/dist/pages.json'))) return;
  tell('Building the pages, which are missing …');
  try {
    await promisify(execFile)(process.execPath, [script]);
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    const why = stderr.split('\n').find((line) => /Error/.test(line)) ?? String(error);
    tell(
      `The pages could not be built (${why.trim()}): their addresses answer 503, everything else works. "npm run build:pages" tries it again.`,
    );
  }
}
