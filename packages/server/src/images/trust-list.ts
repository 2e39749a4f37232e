import { X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { NO_TRUST_LIST } from '@touchstone/certificate';
import type { TrustList } from '@touchstone/image';
import { SignerFileError } from './signer.ts';

/**
 * Nobody is trusted: no list is shipped, since one inside a release ages with it, and trust that nobody chose would look
 * like ours.
 */
const NO_LIST: TrustList = { name: NO_TRUST_LIST, date: 'no date', anchorsPem: '' };

/**
 * Whose manifests count as those of trusted signers: the operator's anchors, by the name and the date of their file.
 *
 * @throws SignerFileError
 */
export async function openTrustList(file: string | undefined): Promise<TrustList> {
  if (file === undefined) return NO_LIST;
  const setting = `TOUCHSTONE_C2PA_TRUST_FILE (${file})`;
  try {
    const anchorsPem = await readFile(file, 'utf8');
    const { mtime } = await stat(file);
    // throws for what is no certificate
    new X509Certificate(anchorsPem);
    return { name: basename(file), date: mtime.toISOString().slice(0, 10), anchorsPem };
  } catch (error) {
    throw new SignerFileError(`${setting} cannot be used as PEM certificates: ${String(error)}`, {
      cause: error,
    });
  }
}
