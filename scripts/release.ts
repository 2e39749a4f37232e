import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildPackages, PUBLISHED } from './packages/build.ts';
import { makeDownloads } from './packages/downloads.ts';
import { packPackages } from './packages/pack.ts';
import { git, releasedVersion, sourceCommit } from './packages/version.ts';
import { zipFolder } from './packages/zip-folder.ts';
import { notesOf } from './release/notes.ts';
import { type Digested, provenanceStatement, signBytes, signedEnvelope } from './release/provenance.ts';
import { billOfMaterials } from './release/sbom.ts';

// Makes the files of a release from a commit, in dist/release: `npm run release -- --dry-run`. Equal commits give equal bytes
// (CONTRIBUTING.md, Releases). Publishes nothing: what needs an identity is in .github/workflows/release.yml.

const ROOT = resolve(import.meta.dirname, '..');
/** A machine that nobody vouches for. */
const LOCAL_BUILDER = 'urn:touchstone:builder:local';

const { values: options } = parseArgs({
  options: {
    'dry-run': { type: 'boolean', default: false },
    out: { type: 'string', default: join(ROOT, 'dist/release') },
    // PEM of an Ed25519 key
    'sign-key': { type: 'string' },
    // more files to release, such as a Debian package
    with: { type: 'string', multiple: true, default: [] },
    builder: { type: 'string', default: LOCAL_BUILDER },
    source: { type: 'string' },
  },
});

const version = releasedVersion();
const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');
const commit = sourceCommit();
const key = options['sign-key'] === undefined ? undefined : readFileSync(options['sign-key'], 'utf8');

if (!options['dry-run']) {
  refuse([...missing(), `Nothing was made or published. "npm run release -- --dry-run" makes the files.`]);
} else if (commit === undefined) {
  refuse([
    'A release is made from a commit: this is no checkout, or its files differ from HEAD (git status).',
  ]);
} else {
  const out = resolve(options.out);
  const work = mkdtempSync(join(tmpdir(), 'touchstone-release-'));
  try {
    await make(commit, out, work);
  } finally {
    rmSync(work, { recursive: true });
  }
}

/** What a release would still need, in sentences. */
function* missing(): Generator<string> {
  if (commit === undefined) yield 'The files differ from HEAD, or this is no checkout.';
  else if (git('rev-parse', '--verify', `v${version}^{commit}`) !== commit)
    yield `HEAD has no tag v${version}: git tag --sign v${version}`;
  if (notesOf(changelog, version) === undefined) yield `CHANGELOG.md has no section [${version}].`;
  if (key === undefined) yield 'No key signs the checksums: --sign-key <Ed25519 key, PEM>';
  yield 'Packages are published by .github/workflows/release.yml, on the tag: npm and Sigstore accept its identity, and none from here.';
}

function refuse(sentences: readonly string[]): void {
  process.stderr.write(sentences.map((sentence) => `${sentence}\n`).join(''));
  process.exitCode = 1;
}

async function make(from: string, out: string, work: string): Promise<void> {
  // before the long part
  const notes = notesOf(changelog, version) ?? notesOf(changelog, 'Unreleased');
  if (notes === undefined) throw new Error(`CHANGELOG.md has no section [${version}]`);
  if (key !== undefined) signBytes(Buffer.alloc(0), key);
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const write = (name: string, content: string | Uint8Array) =>
    writeFileSync(join(out, name), content, { mode: 0o644 });

  await buildPackages(work);
  await makeDownloads(join(work, 'server/downloads'), work);
  packPackages(work, PUBLISHED, out);
  write(`touchstone-certificates-${version}.zip`, zipFolder('woocommerce'));
  for (const file of options.with) copyFileSync(file, join(out, basename(file)));
  const subject = digestsIn(out);

  const time = Number(git('log', '-1', '--format=%ct', from));
  write('sbom.cdx.json', billOfMaterials(ROOT, join(work, 'sbom'), version, time));
  write('RELEASE-NOTES.md', `# Touchstone ${version}\n\n${notes}\n`);
  const statement = provenanceStatement({
    subject,
    commit: from,
    source: options.source,
    builder: options.builder,
    command: 'npm ci && npm run release -- --dry-run',
    materials: [digestOf(ROOT, 'package-lock.json')],
    byproducts: ['RELEASE-NOTES.md', 'sbom.cdx.json'].map((name) => digestOf(out, name)),
    tools: {
      node: process.versions.node,
      npm: execFileSync('npm', ['--version'], { encoding: 'utf8' }).trim(),
    },
  });
  write('provenance.json', statement);
  const sums = digestsIn(out)
    .map(({ name, digest }) => `${digest.sha256}  ${name}\n`)
    .join('');
  write('SHA256SUMS', sums);
  if (key !== undefined) {
    write('SHA256SUMS.sig', signBytes(Buffer.from(sums), key));
    write('provenance.dsse.json', signedEnvelope(statement, key));
  }
  for (const name of readdirSync(out).toSorted())
    process.stdout.write(`${String(statSync(join(out, name)).size).padStart(10)}  ${name}\n`);
  for (const sentence of missing()) process.stderr.write(`Not released: ${sentence}\n`);
}

/** Every file of a folder, sorted by name. */
function digestsIn(folder: string): Digested[] {
  return readdirSync(folder)
    .toSorted()
    .map((name) => digestOf(folder, name));
}

function digestOf(folder: string, name: string): Digested {
  return {
    name,
    digest: {
      sha256: createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
    },
  };
}
