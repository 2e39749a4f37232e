import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../kit/imports.ts';

/** The commit of the last release, named in package.json. */
export const LAST_RELEASE = (
  JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { touchstone: { lastRelease: string } }
).touchstone.lastRelease;

/** A checkout without history, such as one downloaded, does not have it. */
export function hasCommit(commit: string): boolean {
  return spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: ROOT }).status === 0;
}

/** Puts the sources of a commit into a folder, with their dependencies. */
export function checkOut(commit: string, folder: string): void {
  mkdirSync(folder);
  const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 1e9 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  addDependencies(folder);
}

/** Puts these sources into a folder, as they are, with their dependencies. */
export function copySources(folder: string): void {
  mkdirSync(folder);
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const names = execFileSync('git', list, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1e8 })
    .split('\0')
    .filter((name) => name !== '' && existsSync(join(ROOT, name)));
  const archive = execFileSync('tar', ['-c', '--null', '-T', '-'], {
    cwd: ROOT,
    input: names.join('\0'),
    maxBuffer: 1e9,
  });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  addDependencies(folder);
}

/** Bundles the service, as an installation does: it starts in a fraction of the time. */
export function build(folder: string): void {
  execFileSync(process.execPath, ['scripts/build-service.ts'], { cwd: folder, stdio: 'pipe' });
}

/** Uses ours where the locked versions are the same, and installs others. */
function addDependencies(folder: string): void {
  if (lockedIn(folder) !== lockedIn(ROOT)) {
    execFileSync('npm', ['ci', '--omit=dev', '--ignore-scripts'], { cwd: folder, stdio: 'pipe' });
    return;
  }
  const target = join(folder, 'node_modules');
  mkdirSync(join(target, '@touchstone'), { recursive: true });
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (name !== '@touchstone' && !name.startsWith('.'))
      symlinkSync(join(ROOT, 'node_modules', name), join(target, name));
  }
  for (const name of readdirSync(join(ROOT, 'node_modules/@touchstone')))
    if (existsSync(join(folder, 'packages', name)))
      symlinkSync(join(folder, 'packages', name), join(target, '@touchstone', name));
}

/** What a service is installed with, by the lock file. */
function lockedIn(folder: string): string {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version?: string; dev?: boolean; link?: boolean }>;
  };
  return Object.entries(packages)
    .filter(([path, { dev, link }]) => path.startsWith('node_modules/') && dev !== true && link !== true)
    .map(([path, { version }]) => `${path} ${version}`)
    .toSorted()
    .join('\n');
}

/** Whether this release goes on answering for a while when it is stopped. */
export function givesNotice(folder: string): boolean {
  const settings = readFileSync(join(folder, 'packages/server/src/platform/settings/settings.ts'), 'utf8');
  return settings.includes('SHUTDOWN_DELAY_SECONDS');
}

/** On tables that each request reads and writes. */
const FIXTURE = `-- expand
alter table products add column of_fixture text;
alter table stores add column of_fixture text not null default 'x';
create table fixtures (merchant_id uuid not null, id uuid not null, primary key (merchant_id, id));
`;
const FIXTURE_INDEX = `-- expand, outside a transaction
drop index concurrently if exists products_by_fixture;
create index concurrently products_by_fixture on products (of_fixture);
`;

/** Changes the schema in a copy of the sources, as the next release would. */
export function addFixture(folder: string, lastRelease: string): void {
  const server = join(folder, 'packages/server/src');
  // versions before refuse a file of a capability that they know, and leave alone what others have made
  const isRecorded = existsSync(join(lastRelease, 'packages/server/src/platform/database/releases.ts'));
  const files = isRecorded ? join(server, 'core/registry/migrations') : join(server, 'core/fixture');
  mkdirSync(isRecorded ? files : join(files, 'migrations'), { recursive: true });
  if (isRecorded) {
    const next = readdirSync(files).length + 2;
    writeFileSync(join(files, `${String(next).padStart(4, '0')}-fixture.sql`), FIXTURE);
    writeFileSync(join(files, `${String(next + 1).padStart(4, '0')}-fixture-index.sql`), FIXTURE_INDEX);
    return;
  }
  writeFileSync(join(files, 'schema.sql'), FIXTURE);
  writeFileSync(join(files, 'migrations/0002-index.sql'), FIXTURE_INDEX);
  const parts = join(server, 'parts.ts');
  const text = readFileSync(parts, 'utf8');
  const end = '  ...PARTS.filter(';
  if (!text.includes(end)) throw new Error('The list of schemas in parts.ts is not where it was.');
  writeFileSync(parts, text.replace(end, `  schema('fixture', 'core/fixture'),\n${end}`));
}
