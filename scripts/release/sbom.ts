import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The members of a CycloneDX document that are set here. */
interface Sbom {
  serialNumber: string;
  metadata: { timestamp: string; component: { name: string } };
  components: Component[];
  dependencies: { readonly ref: string }[];
}

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly properties: readonly { readonly name: string }[];
}

/**
 * The software bill of materials of the published packages, with all that they need when they run, on any system: CycloneDX 1.5 as npm
 * writes it from the lock file, with nothing in it that differs from one run to the next.
 *
 * @param work - an empty folder
 * @param time - seconds since 1970, of the commit
 */
export function billOfMaterials(root: string, work: string, version: string, time: number): string {
  // npm names packages by name and version, and only the root has one in the sources
  for (const file of globSync('packages/*/package.json', { cwd: root })) {
    mkdirSync(join(work, dirname(file)), { recursive: true });
    write(join(work, file), { ...read(join(root, file)), version });
  }
  // without what builds and tests: npm's `--omit=dev` would omit what the packages need, too, if a test needs it
  const {
    dependencies: _,
    devDependencies: __,
    scripts: ___,
    ...manifest
  } = read(join(root, 'package.json'));
  write(join(work, 'package.json'), manifest);
  const lock = read(join(root, 'package-lock.json')) as unknown as { packages: Record<string, object> };
  const packages = Object.entries(lock.packages).map(
    ([path, entry]) => [path, path.startsWith('packages/') ? { ...entry, version } : entry] as const,
  );
  write(join(work, 'package-lock.json'), { ...lock, packages: Object.fromEntries(packages) });
  const options = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx'];
  const env = { PATH: process.env.PATH, HOME: process.env.HOME };
  const text = execFileSync('npm', options, { cwd: work, encoding: 'utf8', env, maxBuffer: 2 ** 26 });
  rmSync(work, { recursive: true });
  const sbom = JSON.parse(text) as Sbom;
  // what npm still finds in the lock file, and nothing needs
  const unneeded = new Set(sbom.components.filter(isExtraneous).map((component) => component['bom-ref']));
  sbom.components = sbom.components
    .filter((component) => !unneeded.has(component['bom-ref']))
    // that of the folder, for ours
    .map((component) => ({ ...component, name: component['bom-ref'].replace(/@[^@]*$/, '') }));
  sbom.dependencies = sbom.dependencies.filter(({ ref }) => !unneeded.has(ref));
  // the folder's, by default
  sbom.metadata.component.name = 'touchstone';
  sbom.metadata.timestamp = new Date(time * 1000).toISOString();
  sbom.serialNumber = '';
  sbom.serialNumber = `urn:uuid:${uuidOf(JSON.stringify(sbom))}`;
  return `${JSON.stringify(sbom, null, 2)}\n`;
}

function isExtraneous({ properties }: Component): boolean {
  return properties.some(({ name }) => name === 'cdx:npm:package:extraneous');
}

/** A hash as a UUID of version 8 (RFC 9562 section 5.8). */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function read(file: string): Record<string, unknown> {
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
}

function write(file: string, content: object): void {
  writeFileSync(file, JSON.stringify(content));
}
