import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { writeZip } from './packages/zip.ts';

// Packs the WooCommerce plugin for installation in WordPress: dist/woocommerce/touchstone-certificates.zip, or in the folder named by an
// argument. Contains committed files only, sorted by name and with a fixed date, so that equal sources give equal bytes.

const ROOT = join(import.meta.dirname, '..');
const SOURCE = 'integrations/woocommerce';
const SLUG = 'touchstone-certificates';
/** For developers only. */
const LEFT_OUT = /^(tests\/|README\.md$)/;

const target = resolve(process.argv[2] ?? join(ROOT, 'dist/woocommerce'));
const listed = execFileSync('git', ['ls-files', '-z', SOURCE], { cwd: ROOT, encoding: 'utf8' });
const files = listed
  .split('\0')
  .filter((file) => file !== '')
  .map((file) => file.slice(SOURCE.length + 1))
  .filter((file) => !LEFT_OUT.test(file))
  .toSorted();
const zip = writeZip(
  files.map((file) => ({ name: `${SLUG}/${file}`, bytes: readFileSync(join(ROOT, SOURCE, file)) })),
);
mkdirSync(target, { recursive: true });
writeFileSync(join(target, `${SLUG}.zip`), zip);
process.stdout.write(`${join(target, `${SLUG}.zip`)}\n`);
process.stderr.write(
  `${files.length} files, ${zip.length} bytes, SHA-256 ${createHash('sha256').update(zip).digest('hex')}\n`,
);
