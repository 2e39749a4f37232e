import { execFile, spawnSync } from 'node:child_process';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { PUBLISHED } from '../../scripts/packages/build.ts';
import { releasedVersion } from '../../scripts/packages/version.ts';
import { useFolder } from '../kit/folder.ts';
import { ROOT } from '../kit/imports.ts';

const run = promisify(execFile);
const VERSION = releasedVersion();
const folder = useFolder('release');
const first = join(folder, 'checkout');
const second = join(folder, 'elsewhere/and/deeper');
const made = join(folder, 'made');
const key = join(folder, 'key.pem');
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
let commit: string;

beforeAll(async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  await writeFile(key, privateKey);
  await writeFile(join(folder, 'touchstone-release.pub'), publicKey);
  await checkOut(first);
  commit = (await git('rev-parse', 'HEAD')).trim();
  await release(first, '--dry-run', '--sign-key', key, '--out', made);
}, 900_000);

describe('a release', () => {
  it('is the same bytes from the same commit in another folder, at another time and under another umask', async () => {
    await rm(join(first, 'packages/web/dist'), { recursive: true });
    await mkdir(dirname(second), { recursive: true });
    await rename(first, second);
    await run(
      'find',
      ['.', '-path', './node_modules', '-prune', '-o', '-type', 'f', '-exec', 'chmod', 'go-rwx', '{}', '+'],
      { cwd: second },
    );
    await utimes(join(second, 'packages/cli/README.md'), 1, 1);
    const again = join(folder, 'again');
    const before = process.umask(0o077);
    await release(second, '--dry-run', '--sign-key', key, '--out', again).finally(() =>
      process.umask(before),
    );
    await rename(second, first);
    expect(await digestsIn(again)).toEqual(await digestsIn(made));
  }, 900_000);

  it('holds every package with its version and commit, each by the same version of the others', async () => {
    const names = (await readdir(made)).filter((name) => name.endsWith('.tgz'));
    expect(names).toEqual(PUBLISHED.map((name) => `touchstone-${name}-${VERSION}.tgz`).toSorted());
    for (const name of names) {
      const manifest = JSON.parse(await fileOf(name, 'package/package.json')) as {
        version: string;
        gitHead: string;
        dependencies?: Record<string, string>;
      };
      expect([name, manifest.version, manifest.gitHead]).toEqual([name, VERSION, commit]);
      const ours = Object.entries(manifest.dependencies ?? {}).filter(([other]) =>
        other.startsWith('@touchstone/'),
      );
      expect([name, ours.filter(([, range]) => range !== VERSION)]).toEqual([name, []]);
    }
  });

  it('lists in its bill of materials what the packages need when they run, and nothing that only builds or tests them', async () => {
    const { components } = JSON.parse(await readFile(join(made, 'sbom.cdx.json'), 'utf8')) as {
      components: { name: string; version: string }[];
    };
    const versions = new Map(components.map(({ name, version }) => [name, version]));
    for (const name of PUBLISHED) {
      const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
        await fileOf(`touchstone-${name}-${VERSION}.tgz`, 'package/package.json'),
      ) as { dependencies?: Record<string, string>; optionalDependencies?: Record<string, string> };
      for (const [other, version] of Object.entries({ ...dependencies, ...optionalDependencies }))
        expect([other, versions.get(other)]).toEqual([other, version]);
    }
    expect(['vitest', 'typescript', 'node', '@types/node'].filter((name) => versions.has(name))).toEqual([]);
  });

  it.skipIf(!hasOpenssl)(
    'is verified by the commands of CONTRIBUTING.md, which notice a changed file, statement or signature',
    async () => {
      const guide = await readFile(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
      const commands = /## Releases[\s\S]*?```sh\n(sha256sum[\s\S]*?)```/.exec(guide)?.[1] ?? '';
      expect(commands).toContain('openssl');
      const verify = (where: string) => run('bash', ['-euo', 'pipefail', '-c', commands], { cwd: where });
      await cp(join(folder, 'touchstone-release.pub'), join(made, 'touchstone-release.pub'));
      await verify(made);
      const changed = [
        'RELEASE-NOTES.md',
        'SHA256SUMS',
        'SHA256SUMS.sig',
        'provenance.json',
        'provenance.dsse.json',
      ];
      for (const name of changed) {
        const copy = join(folder, 'changed');
        await cp(made, copy, { recursive: true });
        const bytes = await readFile(join(copy, name));
        bytes.writeUInt8(bytes.readUInt8(bytes.length - 20) ^ 1, bytes.length - 20);
        await writeFile(join(copy, name), bytes);
        await expect([name, verify(copy)][1], name).rejects.toThrow();
        await rm(copy, { recursive: true });
      }
    },
  );

  it('states how it was made: commit, lock file, command and builder, for every file that is installed', async () => {
    const statement = JSON.parse(await readFile(join(made, 'provenance.json'), 'utf8')) as Statement;
    const digests = await digestsIn(made);
    const installed = Object.keys(digests).filter((name) => /\.(tgz|zip)$/.test(name));
    expect(statement.subject.map(({ name, digest }) => [name, digest.sha256])).toEqual(
      installed.map((name) => [name, digests[name]]),
    );
    const { buildDefinition, runDetails } = statement.predicate;
    const lock = createHash('sha256')
      .update(await readFile(join(first, 'package-lock.json')))
      .digest('hex');
    expect(buildDefinition.resolvedDependencies.map(({ digest }) => digest)).toEqual([
      { gitCommit: commit },
      { sha256: lock },
    ]);
    expect(buildDefinition.externalParameters.command).toContain('npm run release');
    expect(runDetails.builder.id).toBe('urn:touchstone:builder:local');
  });

  it('is not published from here: without --dry-run it says what is missing, and makes nothing', async () => {
    const out = join(folder, 'nothing');
    const refused = await release(first, '--out', out).catch(
      (error: { code: number; stderr: string }) => error,
    );
    expect(refused).toMatchObject({ code: 1 });
    for (const words of [`no tag v${VERSION}`, '--sign-key', 'release.yml', 'Nothing was made'])
      expect(refused.stderr).toContain(words);
    expect(await readdir(folder)).not.toContain('nothing');
  });

  it('is not made from files that no commit has', async () => {
    await writeFile(join(first, 'packages/cli/src/new.ts'), '');
    const refused = release(first, '--dry-run', '--out', join(folder, 'nothing'));
    await expect(refused).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('differ from HEAD'),
    });
    expect(await readdir(folder)).not.toContain('nothing');
  });
});

interface Statement {
  readonly subject: readonly { readonly name: string; readonly digest: { readonly sha256: string } }[];
  readonly predicate: {
    readonly buildDefinition: {
      readonly externalParameters: { readonly command: string };
      readonly resolvedDependencies: readonly { readonly digest: object }[];
    };
    readonly runDetails: { readonly builder: { readonly id: string } };
  };
}

/** The present files as a commit of their own, with the installed dependencies. */
async function checkOut(target: string): Promise<void> {
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
  });
  // a file that was deleted is listed until that is committed
  for (const file of stdout.split('\0').filter(Boolean))
    await cp(join(ROOT, file), join(target, file)).catch((error: { code: string }) => {
      if (error.code !== 'ENOENT') throw error;
    });
  // as hard links where the file system has them
  const modules = [join(ROOT, 'node_modules'), join(target, 'node_modules')];
  await run('cp', ['-al', ...modules]).catch(() =>
    cp(modules[0] ?? '', modules[1] ?? '', { recursive: true, verbatimSymlinks: true }),
  );
  await git('init', '--quiet');
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'release: test');
}

async function git(...args: string[]): Promise<string> {
  const person = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false'];
  return (await run('git', [...person, ...args], { cwd: first })).stdout;
}

function release(checkout: string, ...args: string[]) {
  return run(process.execPath, [join(checkout, 'scripts/release.ts'), ...args], { cwd: checkout });
}

async function digestsIn(where: string): Promise<Record<string, string>> {
  const names = (await readdir(where)).toSorted();
  const digest = async (name: string) =>
    [
      name,
      createHash('sha256')
        .update(await readFile(join(where, name)))
        .digest('hex'),
    ] as const;
  return Object.fromEntries(await Promise.all(names.map(digest)));
}

/** A file of a tarball, by the records of the ustar format. */
async function fileOf(tarball: string, wanted: string): Promise<string> {
  const tar = gunzipSync(await readFile(join(made, tarball)));
  for (let at = 0; at < tar.length; ) {
    const name = tar.toString('utf8', at, tar.indexOf(0, at));
    const size = Number.parseInt(tar.toString('utf8', at + 124, at + 135), 8) || 0;
    if (name === wanted) return tar.toString('utf8', at + 512, at + 512 + size);
    at += 512 + Math.ceil(size / 512) * 512;
  }
  throw new Error(`${tarball} contains no ${wanted}`);
}
