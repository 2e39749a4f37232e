import { execFile } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** The packages from whose sources the pages are built. */
const SOURCES = ['web', 'catalogue', 'certificate', 'contract', 'page', 'image'];
/** The packages of the workspace; absent from the published package, which includes built pages. */
const PACKAGES = resolve(import.meta.dirname, '../../../..');

/**
 * Builds the pages if they are missing or older than a source, for example after an installation without scripts. The service
 * runs without them, too.
 *
 * @param tell - receives lines for the person who starts the service
 */
export async function buildPages(tell: (line: string) => void, packages = PACKAGES): Promise<void> {
  const script = join(packages, 'web/build.ts');
  if (!existsSync(script) || isBuilt(packages)) return;
  tell('Building the pages, which are missing or older than their sources …');
  try {
    // the script compares contents, so that sources with only a new timestamp are not built again
    await promisify(execFile)(process.execPath, [script]);
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    const why = stderr.split('\n').find((line) => /Error/.test(line)) ?? String(error);
    tell(
      `The pages could not be built (${why.trim()}): their addresses answer 503, everything else works. "npm run build:pages" tries it again.`,
    );
  }
}

function isBuilt(packages: string): boolean {
  const manifest = join(packages, 'web/dist/pages.json');
  if (!existsSync(manifest)) return false;
  const builtAt = statSync(manifest).mtimeMs;
  return sourcesIn(packages).every((file) => statSync(file).mtimeMs <= builtAt);
}

/** Without glob patterns, which take five times as long: this runs at every start. */
function sourcesIn(packages: string): string[] {
  const folders = [join(packages, 'web'), ...SOURCES.map((name) => join(packages, name, 'src'))];
  return folders.filter(existsSync).flatMap((folder) =>
    readdirSync(folder, { recursive: folder.endsWith('src'), encoding: 'utf8' })
      .filter((name) => /\.(?:ts|tsx|css|svg)$/.test(name))
      .map((name) => join(folder, name)),
  );
}
