import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { listedSettings } from '../settings-page.ts';
import { installFromTarballs } from './installation.ts';
import { releasedVersion } from './version.ts';

// Builds the Debian package from the tarballs of `npm run pack` into dist/, and prints its path. An argument names another folder than
// dist/npm for the tarballs, a second one another than dist/ for the package, a third one a compression of dpkg-deb, for tests. Equal sources, lock file and SOURCE_DATE_EPOCH (by default the
// time of the commit) give equal bytes.

const ROOT = resolve(import.meta.dirname, '../..');
const SOURCES = join(ROOT, 'packaging/debian');
const MAINTAINER = 'Touchstone maintainers <maintainers@touchstone.example>';
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64', arm: 'armhf' };

const tarballs = resolve(process.argv[2] ?? join(ROOT, 'dist/npm'));
const target = resolve(process.argv[3] ?? join(ROOT, 'dist'));
/** The fastest xz: higher levels take minutes, and lintian knows no zstd. */
const compression = process.argv[4] ?? 'xz';
if (!existsSync(tarballs)) throw new Error(`${tarballs} is not there: run "npm run pack" first`);
const version = releasedVersion();
const architecture = ARCHITECTURES[process.arch];
if (architecture === undefined) throw new Error(`Debian has no name for ${process.arch} here`);
const epoch = Number(
  process.env.SOURCE_DATE_EPOCH ??
    execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: ROOT, encoding: 'utf8' }),
);

const root = mkdtempSync(join(tmpdir(), 'touchstone-debian-'));
try {
  chmodSync(root, 0o755);
  await installFromTarballs(join(root, 'usr/lib/touchstone'), tarballs);
  copy('touchstone', 'usr/bin/touchstone', 0o755);
  copy('touchstone.service', 'usr/lib/systemd/system/touchstone.service');
  copy('lintian-overrides', 'usr/share/lintian/overrides/touchstone');
  copy('copyright', 'usr/share/doc/touchstone/copyright');
  write('usr/share/doc/touchstone/changelog.gz', compressed(changelog()));
  const manual = readFileSync(join(SOURCES, 'touchstone.1'), 'utf8').replace('@VERSION@', version);
  write('usr/share/man/man1/touchstone.1.gz', compressed(manual));
  write('etc/touchstone/touchstone.env', settingsFile(), 0o640);
  const installed = filesBelow(root);
  for (const name of ['postinst', 'prerm', 'postrm']) copy(name, `DEBIAN/${name}`, 0o755);
  write('DEBIAN/conffiles', '/etc/touchstone/touchstone.env\n');
  write('DEBIAN/control', control(installed));
  write(
    'DEBIAN/md5sums',
    installed
      .filter((file) => !file.startsWith('etc/'))
      .flatMap(md5Of)
      .join(''),
  );
  for (const path of readdirSync(root, { recursive: true, encoding: 'utf8' }))
    lutimesSync(join(root, path), epoch, epoch);
  mkdirSync(target, { recursive: true });
  const file = join(target, `touchstone_${version}_${architecture}.deb`);
  execFileSync('dpkg-deb', [`-Z${compression}`, '-z1', '--root-owner-group', '--build', root, file], {
    env: { ...process.env, SOURCE_DATE_EPOCH: String(epoch) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  process.stdout.write(`${file}\n`);
} finally {
  rmSync(root, { recursive: true, force: true });
}

function write(path: string, content: string | Buffer, mode = 0o644): void {
  const file = join(root, path);
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    mkdirSync(join(root, folder), { recursive: true });
    chmodSync(join(root, folder), 0o755);
  }
  writeFileSync(file, content);
  chmodSync(file, mode);
}

function copy(name: string, path: string, mode = 0o644): void {
  write(path, '', mode);
  copyFileSync(join(SOURCES, name), join(root, path));
  chmodSync(join(root, path), mode);
}

function compressed(text: string): Buffer {
  return gzipSync(text, { level: 9 });
}

/** Files and links, sorted. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted();
}

/** None of a link. */
function md5Of(file: string): string[] {
  const path = join(root, file);
  if (lstatSync(path).isSymbolicLink()) return [];
  return [`${createHash('md5').update(readFileSync(path)).digest('hex')}  ${file}\n`];
}

function control(installed: readonly string[]): string {
  const bytes = installed.reduce((sum, file) => sum + Math.ceil(lstatSync(join(root, file)).size / 1024), 0);
  const text = readFileSync(join(SOURCES, 'control'), 'utf8');
  const values: Readonly<Record<string, string>> = {
    VERSION: version,
    ARCHITECTURE: architecture ?? '',
    INSTALLED_SIZE: String(bytes),
    MAINTAINER,
  };
  return text.replace(/@([A-Z_]+)@/g, (_, name: string) => values[name] ?? '');
}

function changelog(): string {
  const date = new Date(epoch * 1000).toUTCString().replace('GMT', '+0000');
  return `touchstone (${version}) unstable; urgency=medium\n\n  * What has changed stands in CHANGELOG.md of the sources.\n\n -- ${MAINTAINER}  ${date}\n`;
}

/** All settings, each with its description and default, as comments. */
function settingsFile(): string {
  const of = ({ name, byDefault, description }: ReturnType<typeof listedSettings>[number]) => {
    const value = name === 'TOUCHSTONE_DATA_DIR' ? '/var/lib/touchstone' : byDefault;
    return `# ${description}\n#${name}=${value}\n`;
  };
  const about = '# Settings of touchstone.service; "systemctl restart touchstone" after a change.\n';
  return [about, ...listedSettings().map(of)].join('\n');
}
