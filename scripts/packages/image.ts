import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { releasedVersion } from './version.ts';

// Builds packaging/container/Containerfile without a registry, from the Debian package in dist/ and a Debian root of mmdebstrap that stands in
// for debian:bookworm-slim; writes the image as an OCI archive to dist/ and prints its path. As root, with buildah. Arguments: a root that is
// there already (mmdebstrap --variant=minbase bookworm root.tar), and another folder than dist/.

const ROOT = resolve(import.meta.dirname, '../..');
const BASE = 'docker.io/library/debian:bookworm-slim';
const given = process.argv[2];
const target = resolve(process.argv[3] ?? join(ROOT, 'dist'));
const version = releasedVersion();
const epoch =
  process.env.SOURCE_DATE_EPOCH ??
  execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: ROOT, encoding: 'utf8' }).trim();

const work = mkdtempSync(join(tmpdir(), 'touchstone-image-'));
// a store of its own, removed afterwards
const storage = ['--root', join(work, 'storage'), '--runroot', join(work, 'run'), '--storage-driver', 'vfs'];
try {
  const archive = given ?? join(work, 'root.tar');
  if (!existsSync(archive)) run('mmdebstrap', '--quiet', '--variant=minbase', 'bookworm', archive);
  const base = buildah('from', 'scratch');
  buildah('add', base, archive, '/');
  buildah('commit', '--timestamp', epoch, '--rm', base, BASE);
  const name = `touchstone:${version}`;
  const file = join(ROOT, 'packaging/container/Containerfile');
  buildah('build', '--pull=never', '--timestamp', epoch, '-f', file, '-t', name, ROOT);
  mkdirSync(target, { recursive: true });
  const image = join(target, `touchstone-${version}-oci.tar`);
  rmSync(image, { force: true });
  buildah('push', '--quiet', name, `oci-archive:${image}:${name}`);
  process.stderr.write(`${(statSync(image).size / 1e6).toFixed(1)} MB compressed\n`);
  process.stdout.write(`${image}\n`);
} finally {
  rmSync(work, { recursive: true, force: true });
}

function buildah(command: string, ...words: string[]): string {
  return run('buildah', ...storage, command, ...words);
}

function run(program: string, ...words: string[]): string {
  const env = { ...process.env, BUILDAH_ISOLATION: 'chroot' };
  return execFileSync(program, words, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
}
