import { execFile } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** Whose sources the pages are made of. */
const SOURCES = ['web', 'catalogue', 'certificate', 'contract', 'page', 'image'];
/** The workspace; not there in the package as it is published, which carries its pages. */
const PACKAGES = resolve(import.meta.dirname, '../../..');

/**
 * Has the pages built where they are missing, or older than a source, as after an installation without scripts. Without them
 * the service runs all the same.
 *
 * @param tell - takes a line for whoever started the service
 */
export async function buildPages(tell: (line: string) => void, packages = PACKAGES): Promise<void> {
  const script = join(packages, 'web/build.ts');
  if (!existsSync(script) || isBuilt(packages)) return;
  tell('Building the pages, which are missing or older than their sources …');
  try {
    // compares contents: what a checkout merely touched is not built again
    await promisify(execFile)(process.execPath, [script]);
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    const why = stderr.split('\n').find((line) => /Error/.test(line)) ?? String(error);
    tell(
      `The pages could not be built (${why.trim()}); everything else works. "npm run build:pages" tries it again.`,
    );
  }
}

function isBuilt(packages: string): boolean {
  const described = join(packages, 'web/dist/pages.json');
  if (!existsSync(described)) return false;
  const builtAt = statSync(described).mtimeMs;
  return sourcesIn(packages).every((file) => statSync(file).mtimeMs <= builtAt);
}

/** Not by a pattern: looking for one takes five times as long, and this is at each start. */
function sourcesIn(packages: string): string[] {
  const folders = [join(packages, 'web'), ...SOURCES.map((name) => join(packages, name, 'src'))];
  return folders.filter(existsSync).flatMap((folder) =>
    readdirSync(folder, { recursive: folder.endsWith('src'), encoding: 'utf8' })
      .filter((name) => /\.(?:ts|tsx|css|svg)$/.test(name))
      .map((name) => join(folder, name)),
  );
}
