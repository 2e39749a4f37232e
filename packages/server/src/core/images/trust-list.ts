import { X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { NO_TRUST_LIST } from '@touchstone/certificate';
import type { FurtherTrustList, TrustList } from '@touchstone/image';
import { SignerFileError } from './signer.ts';

/** The purpose of a list of authorities: `signers` of manifests, or one of the further lists. */
export type TrustPurpose = 'signers' | FurtherTrustList['purpose'];

const TRUST_PURPOSES = ['signers', 'legacy', 'time_stamps', 'identities'] as const;

/** Where the lists are: in the operator's files, else in the pinned ones of the data folder. */
export interface TrustListPaths {
  readonly trustFiles: Readonly<Record<TrustPurpose, string | undefined>>;
  readonly dataDir: string;
}

/** The contents of a trust list file. */
export interface TrustListFile {
  readonly name: string;
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly anchorsPem: string;
}

/**
 * The default: no signer is trusted. No list is shipped, because it would become outdated with the release, and because the
 * service would appear to trust signers that the operator did not choose.
 */
const NO_LIST: TrustListFile = { name: NO_TRUST_LIST, date: 'no date', anchorsPem: '' };

/**
 * The trust list of manifest signers, and the further lists.
 *
 * @throws SignerFileError
 */
export async function openTrustLists(paths: TrustListPaths): Promise<TrustList> {
  const read = async (purpose: TrustPurpose) => {
    const path = trustListPath(purpose, paths);
    const isNamed = paths.trustFiles[purpose] !== undefined;
    return (await readTrustList(path, isNamed ? `${SETTINGS[purpose]} (${path})` : path)) ?? NO_LIST;
  };
  const [, ...others] = TRUST_PURPOSES;
  const lists = await Promise.all(others.map(async (purpose) => ({ purpose, ...(await read(purpose)) })));
  return { ...(await read('signers')), further: lists.filter(({ name }) => name !== NO_TRUST_LIST) };
}

const SETTINGS: Readonly<Record<TrustPurpose, string>> = {
  signers: 'TOUCHSTONE_C2PA_TRUST_FILE',
  legacy: 'TOUCHSTONE_C2PA_LEGACY_TRUST_FILE',
  time_stamps: 'TOUCHSTONE_C2PA_TSA_TRUST_FILE',
  identities: 'TOUCHSTONE_CAWG_TRUST_FILE',
};

export function trustListPath(purpose: TrustPurpose, { trustFiles, dataDir }: TrustListPaths): string {
  return trustFiles[purpose] ?? join(dataDir, 'trust', `${purpose}.pem`);
}

/**
 * Reads a list, with the name and date stated in it, else those of its file.
 *
 * @param what names it in messages
 * @returns `null` if there is no such file
 * @throws SignerFileError
 */
export async function readTrustList(path: string, what: string): Promise<TrustListFile | null> {
  try {
    const text = await readFile(path, 'utf8');
    const { mtime } = await stat(path);
    const anchorsPem = certificatesOf(text).join('\n');
    const [, name = basename(path)] = /^# Name: (.+)$/m.exec(text) ?? [];
    const [, date = mtime.toISOString().slice(0, 10)] = /^# Date: (\d{4}-\d\d-\d\d)$/m.exec(text) ?? [];
    return { name, date, anchorsPem };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new SignerFileError(`${what} cannot be used as PEM certificates: ${String(error)}`, {
      cause: error,
    });
  }
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** @throws Error for a text without certificates, or with one that cannot be read */
export function certificatesOf(text: string): string[] {
  const found = text.match(CERTIFICATE) ?? [];
  for (const pem of found) new X509Certificate(pem);
  const begun = text.match(/-----BEGIN /g)?.length ?? 0;
  if (begun > found.length) throw new Error('it holds something other than whole certificates');
  if (found.length === 0) throw new Error('it holds no certificate');
  return found;
}
