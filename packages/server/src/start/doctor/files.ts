import { X509Certificate } from 'node:crypto';
import { readdir, readFile, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import {
  certificatesOf,
  readTrustList,
  type TrustPurpose,
  trustListPath,
} from '../../core/images/trust-list.ts';
import { type Config, masterKeyPlace } from '../../platform/settings/config.ts';
import { days, daysBetween, type Finding, finding, ok } from './finding.ts';

/** Bytes without which PostgreSQL soon refuses to write. */
const FULL = 100e6;
const LITTLE = 0.2;
/** Days. */
const OLD_LIST = 180;
const SOON = 30;
/** Hours: a daily backup may be late. */
const OLD_BACKUP = 26;
const HOUR = 3_600_000;

/** Free space of the folders that the service writes to. */
export async function examineDisk({ dataDir, images }: Config): Promise<Finding[]> {
  const { blobs } = images;
  const folders = new Set([dataDir, ...('folder' in blobs ? [blobs.folder] : [])]);
  const found = await Promise.all(
    [...folders].map(async (folder) => {
      const at = await nearest(folder);
      const { bavail, blocks, bsize } = await statfs(at);
      const free = bavail * bsize;
      const share = bavail / blocks;
      const said = `${(free / 1e9).toFixed(1)} GB (${Math.floor(share * 100)} %) are free in ${folder}.`;
      if (free < FULL) return finding('disk', 'fault', said, 'Free at least 100 MB.');
      if (share < LITTLE) return finding('disk', 'warning', said, 'Free some, or use another disk.');
      return ok('disk', said);
    }),
  );
  // one line for two folders on one disk
  return found.filter(
    ({ found: said }, n) => found.findIndex((other) => spaceOf(other.found) === spaceOf(said)) === n,
  );
}

const spaceOf = (said: string) => said.replace(/ in .*/, '');

/** The folder, or the nearest above it that is there. */
async function nearest(folder: string): Promise<string> {
  const isThere = await stat(folder).then(
    () => true,
    () => false,
  );
  return isThere ? folder : nearest(join(folder, '..'));
}

/** Secrets in files that others may read. */
export async function examineSecrets(config: Config): Promise<Finding[]> {
  const { signer } = config.images;
  // started by root, the service lets the group of its processes read the master key
  const files = [
    { file: masterKeyPlace(config).path, tooOpen: 0o037 },
    { file: join(config.dataDir, 'operator.key'), tooOpen: 0o077 },
    ...(signer === undefined ? [] : [{ file: signer.keyFile, tooOpen: 0o077 }]),
  ];
  const found: Finding[] = [];
  for (const { file, tooOpen } of files) {
    const mode = await stat(file).then((stats) => stats.mode & 0o777, codeOf);
    if (mode === 'ENOENT') continue;
    if (typeof mode === 'string')
      found.push(
        finding(
          'secrets',
          'unknown',
          `${file} cannot be looked at (${mode}).`,
          'Run this as the user of the service.',
        ),
      );
    else if ((mode & tooOpen) !== 0)
      found.push(
        finding(
          'secrets',
          'fault',
          `${file} is open to others (mode ${mode.toString(8)}).`,
          `Run "chmod 600 ${file}".`,
        ),
      );
    else found.push(ok('secrets', `No other user can read ${file}.`));
  }
  return found;
}

const codeOf = (error: NodeJS.ErrnoException) => error.code ?? 'unknown error';

/** Ages of the lists of authorities that are trusted, and of the certificate that images are signed by. */
export async function examineTrust({ dataDir, images }: Config, now: Date): Promise<Finding[]> {
  const { trustFiles, signer } = images;
  const found: Finding[] = [];
  for (const purpose of Object.keys(trustFiles) as TrustPurpose[]) {
    const path = trustListPath(purpose, { dataDir, trustFiles });
    const list = await readTrustList(path, path);
    if (list === null && purpose === 'signers')
      found.push(
        finding(
          'trust lists',
          'warning',
          'No signer of images is trusted: there is no list.',
          'Install one with "touchstone trust update".',
        ),
      );
    if (list !== null) found.push(ageOfList(purpose, list, now));
  }
  if (signer === undefined)
    return [
      ...found,
      finding(
        'image signer',
        'warning',
        'Images are signed by a development chain, which nobody trusts.',
        'Set TOUCHSTONE_C2PA_CERT_FILE and TOUCHSTONE_C2PA_KEY_FILE.',
      ),
    ];
  const { validToDate } = new X509Certificate(await readFile(signer.certFile));
  const left = daysBetween(now, validToDate);
  const said = `The certificate that images are signed by is valid until ${validToDate.toISOString().slice(0, 10)}.`;
  const state = left < 0 ? 'fault' : left < SOON ? 'warning' : null;
  return [
    ...found,
    state === null ? ok('image signer', said) : finding('image signer', state, said, 'Renew it.'),
  ];
}

function ageOfList(
  purpose: TrustPurpose,
  list: { name: string; date: string; anchorsPem: string },
  now: Date,
): Finding {
  const about = 'trust lists';
  const all = certificatesOf(list.anchorsPem);
  const expired = all.filter((pem) => new X509Certificate(pem).validToDate < now).length;
  const age = daysBetween(new Date(list.date), now);
  const said = `“${list.name}” of ${list.date} (${purpose}) has ${all.length} authorities, of which ${expired} have expired.`;
  if (expired === all.length)
    return finding(about, 'fault', said, 'Install a newer list with "touchstone trust update".');
  if (age > OLD_LIST)
    return finding(
      about,
      'warning',
      `${said} It is ${days(age)} old.`,
      'Install a newer list with "touchstone trust update".',
    );
  return ok(about, said);
}

/** The age of the newest file in a folder of backups, or of one file. */
export async function examineBackup(path: string | undefined, now: Date): Promise<Finding> {
  const about = 'backups';
  if (path === undefined)
    return finding(
      about,
      'unknown',
      'Where backups are is not known.',
      'Name the file or folder with --backup.',
    );
  const stats = await stat(path).catch(() => null);
  if (stats === null)
    return finding(about, 'fault', `${path} is not there.`, 'Make a backup, and name its file or folder.');
  const inside = stats.isDirectory()
    ? await Promise.all((await readdir(path)).map(async (name) => (await stat(join(path, name))).mtime))
    : [stats.mtime];
  if (inside.length === 0) return finding(about, 'fault', `${path} is empty.`, 'Make a backup.');
  const newest = new Date(Math.max(...inside.map((date) => date.getTime())));
  const hours = (now.getTime() - newest.getTime()) / HOUR;
  const said = `The newest backup is ${hours < 48 ? `${Math.floor(hours)} hours` : days(Math.floor(hours / 24))} old.`;
  return hours > OLD_BACKUP
    ? finding(about, 'warning', said, 'Find out why none was made in the last day.')
    : ok(about, `${said} Restore one from time to time.`);
}
