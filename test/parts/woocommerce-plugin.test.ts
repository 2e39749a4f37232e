import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { releasedVersion } from '../../scripts/packages/version.ts';
import { zipFolder } from '../../scripts/packages/zip-folder.ts';
import { ROOT } from '../kit/imports.ts';
import { filesIn } from '../kit/zip.ts';

// its behaviour in WordPress: test/wordpress

const PLUGIN = join(ROOT, 'integrations/woocommerce');
const read = (file: string) => readFileSync(join(PLUGIN, file), 'utf8');

function run(script: string, ...args: string[]): string {
  return execFileSync(process.execPath, [join(ROOT, 'scripts', script), ...args], { encoding: 'utf8' });
}

it('is packed as WordPress installs it, and the same sources give the same bytes', () => {
  const zip = zipFolder('woocommerce');
  expect(zipFolder('woocommerce').equals(zip)).toBe(true);
  const files = filesIn(zip);
  const wanted = globSync('{*.php,includes/*.php,languages/*.pot,readme.txt,LICENSE}', { cwd: PLUGIN });
  // with the verifier, which verifies what is printed
  const library = globSync('{src/*.php,autoload.php,LICENSE}', { cwd: join(ROOT, 'sdk/php') });
  expect(library.length).toBeGreaterThan(30);
  expect([...files.keys()].toSorted()).toEqual(
    [...wanted, ...library.map((file) => `lib/certificate/${file}`)]
      .map((file) => `touchstone-certificates/${file}`)
      .toSorted(),
  );
  for (const file of wanted)
    expect(files.get(`touchstone-certificates/${file}`)).toBe(
      read(file).replaceAll('0.0.0-development', releasedVersion()),
    );
});

it('states the version of the release everywhere, and has its own license', () => {
  const files = filesIn(zipFolder('woocommerce'));
  const packed = (file: string) => files.get(`touchstone-certificates/${file}`) ?? '';
  const main = packed('touchstone-certificates.php');
  const version = /^ \* Version:\s+(\S+)$/m.exec(main)?.[1];
  expect(version).toBe(releasedVersion());
  expect(main).toContain(`const VERSION     = '${version}';`);
  expect(packed('readme.txt')).toContain(`Stable tag: ${version}\n`);
  for (const file of [main, packed('readme.txt')]) expect(file).toContain('GPL-2.0-or-later');
  expect(read('LICENSE')).toContain('GNU GENERAL PUBLIC LICENSE');
});

it('has a translation template with all its texts', () => {
  expect(run('make-pot.ts', '--check')).toBe('');
});

it('guards each file against direct access', () => {
  const files = globSync('{*.php,includes/*.php}', { cwd: PLUGIN });
  const open = files.filter(
    (file) => !/defined\( '(ABSPATH|WP_UNINSTALL_PLUGIN)' \) \|\| exit;/.test(read(file)),
  );
  expect(open).toEqual([]);
});
