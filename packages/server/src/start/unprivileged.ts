import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findAccount } from '@touchstone/embedded-postgres/account';
import { makeFolder } from '../platform/lifecycle/make-folder.ts';
import { type Account, accountFor } from '../platform/processes/account.ts';
import { grantRead, transferFolder } from '../platform/processes/file-ownership.ts';
import { type Config, masterKeyPlace } from '../platform/settings/config.ts';

/**
 * The user as which processes answer requests: under root, the user of PostgreSQL, who gets the folder of blobs and may
 * read the other files in the data folder. Absent: that of this process.
 */
export async function unprivilegedAccount(config: Config, entry: URL): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const { blobs } = config.images;
  // also where no image is certified: status lists and the transparency log lie there
  const writes = 'folder' in blobs ? [blobs.folder] : [];
  for (const folder of writes) await makeFolder(folder, 0o700);
  const user = findAccount();
  await grantReadOfOwnFiles(config);
  for (const folder of writes) await transferFolder(folder, user);
  const reads = [...(await ownFiles(config.dataDir)), ...namedFiles(config)];
  return accountFor({ entry, enters: [config.dataDir], reads, writes });
}

/** Under root, lets that user read the files in the data folder. To be called whenever some have been created again. */
export async function grantReadOfOwnFiles({ dataDir }: Config): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const user = findAccount();
  for (const file of await ownFiles(dataDir)) await grantRead(file, user);
}

/** Whether all files in the settings exist: a first start may have to create the master key. */
export async function areNamedFilesThere(config: Config): Promise<boolean> {
  const found = await Promise.all(
    namedFiles(config).map((file) =>
      access(file).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.every(Boolean);
}

const DEVELOPMENT_KEY = 'image-signer-development.key.pem';

/** Files in the data folder that the processes only read. */
async function ownFiles(dataDir: string): Promise<string[]> {
  const trust = join(dataDir, 'trust');
  const lists = await readdir(trust).catch(() => []);
  const files = ['master.key', 'image-signer-development.crt.pem', DEVELOPMENT_KEY];
  const there = new Set(await readdir(dataDir));
  return [
    ...files.filter((name) => there.has(name)).map((name) => join(dataDir, name)),
    ...(there.has('trust') ? [trust] : []),
    ...lists.map((name) => join(trust, name)),
  ];
}

/** Files named by settings. */
function namedFiles(config: Config): string[] {
  const { signer, trustFiles } = config.images;
  const { path, named } = masterKeyPlace(config);
  const files = [
    named ? path : undefined,
    signer?.certFile,
    signer?.keyFile,
    config.fetch.caFile,
    config.tracingModule,
    ...Object.values(trustFiles),
  ];
  return files.filter((file) => file !== undefined);
}
