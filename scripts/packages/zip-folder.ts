import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeZip } from '../../packages/server/src/platform/zip.ts';
import { releasedVersion } from './version.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Left by an editor or a system. */
const HIDDEN = /(^|\/)\.|~$/;

/** Stands in the plugin's sources for the version that packing writes. */
const UNRELEASED = '0.0.0-development';

/** What of the sources is passed on as an archive. */
const ARCHIVES = {
  woocommerce: {
    source: 'integrations/woocommerce',
    folder: 'touchstone-certificates',
    without: /^(tests\/|README\.md$)/,
  },
  shopify: { source: 'integrations/shopify', folder: 'touchstone-shopify', without: /^$/ },
  guides: { source: 'docs', folder: 'touchstone-guides/docs', without: /^(adr|api)\// },
} as const;

/** The verifier that the plugin contains: what its users need of `sdk/php`. */
export const VERIFIER_IN_PLUGIN = {
  source: 'sdk/php',
  folder: 'lib/certificate',
  only: /^(src\/|autoload\.php$|LICENSE$)/,
};

/** An archive, sorted by name and with a fixed date, so that equal sources give equal bytes. */
export function zipFolder(name: keyof typeof ARCHIVES): Buffer {
  const { source, folder, without } = ARCHIVES[name];
  const files = filesIn(source)
    .filter((file) => !without.test(file))
    .map((file) => {
      const bytes = readFileSync(join(ROOT, source, file));
      return { name: `${folder}/${file}`, bytes: name === 'woocommerce' ? versioned(bytes) : bytes };
    });
  const library = name === 'woocommerce' ? VERIFIER_IN_PLUGIN : null;
  const more = (
    library === null ? [] : filesIn(library.source).filter((file) => library.only.test(file))
  ).map((file) => ({
    name: `${folder}/${library?.folder}/${file}`,
    bytes: readFileSync(join(ROOT, library?.source as string, file)),
  }));
  return writeZip([...files, ...more].toSorted((a, b) => (a.name < b.name ? -1 : 1)));
}

function filesIn(source: string): string[] {
  return readdirSync(join(ROOT, source), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(ROOT, source).length + 1))
    .filter((file) => !HIDDEN.test(file));
}

function versioned(text: Buffer): Buffer {
  return Buffer.from(text.toString('utf8').replaceAll(UNRELEASED, releasedVersion()));
}
