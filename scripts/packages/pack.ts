import { execFileSync } from 'node:child_process';

/**
 * Packs built packages, each in its folder below `built`, into tarballs of `target`.
 *
 * @returns their names, in the order of the packages
 */
export function packPackages(built: string, names: readonly string[], target: string): string[] {
  const folders = names.map((name) => `./${name}`);
  const packed = execFileSync(
    'npm',
    ['pack', '--silent', '--ignore-scripts', '--pack-destination', target, ...folders],
    // no settings of the command that runs this, such as `--dry-run`
    { cwd: built, encoding: 'utf8', env: { PATH: process.env.PATH, HOME: process.env.HOME } },
  );
  return packed.trim().split('\n');
}
