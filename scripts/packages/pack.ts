import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Packs built packages, each in its folder below `built`, into tarballs of `target`. Equal files give equal bytes: npm sorts them, and writes
 * neither owners nor times.
 *
 * @returns their names, in the order of the packages
 */
export function packPackages(built: string, names: readonly string[], target: string): string[] {
  for (const name of names) fixModes(join(built, name));
  const folders = names.map((name) => `./${name}`);
  const packed = execFileSync(
    'npm',
    ['pack', '--silent', '--ignore-scripts', '--pack-destination', target, ...folders],
    // no settings of the command that runs this, such as `--dry-run`
    { cwd: built, encoding: 'utf8', env: { PATH: process.env.PATH, HOME: process.env.HOME } },
  );
  return packed.trim().split('\n');
}

/** The modes in archives do not depend on the umask under which the sources were checked out or built. */
function fixModes(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    chmodSync(path, entry.isDirectory() || path.startsWith(join(folder, 'bin/')) ? 0o755 : 0o644);
  }
}
