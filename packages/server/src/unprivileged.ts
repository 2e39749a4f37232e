import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from './platform/lifecycle/make-folder.ts';
import { type Account, accountFor } from './platform/processes/account.ts';
import { giveFolder, letRead } from './platform/processes/hand-over.ts';
import { type Config, masterKeyPlace } from './platform/settings/config.ts';

/**
 * As whom the processes that answer run: under root, as the user of PostgreSQL, who is given the folder of images and may
 * read what lies beside it. Absent: as this process.
 */
export async function unprivilegedAccount(config: Config, entry: URL): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const { blobs, concurrent } = config.images;
  const writes = 'folder' in blobs && concurrent > 0 ? [blobs.folder] : [];
  for (const folder of writes) await makeFolder(folder, 0o700);
  const account = accountFor({ entry, reads: [], writes: [] });
  const own = await ownFiles(config.dataDir);
  for (const file of own) await letRead(file, account);
  for (const folder of writes) await giveFolder(folder, account);
  return accountFor({ entry, reads: [config.dataDir, ...own, ...namedFiles(config)], writes });
}

/** Of the data folder, what the processes read and never write. */
async function ownFiles(dataDir: string): Promise<string[]> {
  const trust = join(dataDir, 'trust');
  const lists = await readdir(trust).catch(() => []);
  const files = ['master.key', 'image-signer-development.crt.pem', 'image-signer-development.key.pem'];
  const there = new Set(await readdir(dataDir));
  return [
    ...files.filter((name) => there.has(name)).map((name) => join(dataDir, name)),
    ...(there.has('trust') ? [trust] : []),
    ...lists.map((name) => join(trust, name)),
  ];
}

/** What settings name. */
function namedFiles(config: Config): string[] {
  const { signer, trustFiles } = config.images;
  const { path, named } = masterKeyPlace(config);
  const files = [
    named ? path : undefined,
    signer?.certFile,
    signer?.keyFile,
    config.fetch.caFile,
    ...Object.values(trustFiles),
  ];
  return files.filter((file) => file !== undefined);
}
