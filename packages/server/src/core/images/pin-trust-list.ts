import { X509Certificate } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { certificatesOf, readTrustList, type TrustListFile } from './trust-list.ts';

/** A certificate of a list, in terms that people recognise. */
export interface ListedCertificate {
  readonly subject: string;
  /** RFC 3339. */
  readonly validFrom: string;
  readonly validUntil: string;
  /** SHA-256 of the certificate, hex. */
  readonly fingerprint: string;
}

/** How a list differs from the one before. */
export interface TrustListChange {
  readonly path: string;
  readonly name: string;
  readonly date: string;
  /** Certificates of the new list. */
  readonly certificates: number;
  /** The list before; `null`: there was none. */
  readonly before: { readonly name: string; readonly date: string } | null;
  readonly added: readonly ListedCertificate[];
  readonly removed: readonly ListedCertificate[];
  /** Expired certificates of the new list: they validate only signatures with a time stamp. */
  readonly expired: readonly ListedCertificate[];
}

export interface NewTrustList {
  /** Text with PEM certificates. */
  readonly text: string;
  readonly name: string;
  /** YYYY-MM-DD. */
  readonly date: string;
}

/**
 * Writes a trust list, with its name and date, to be used from the next start on, and reports how it differs from the one before.
 *
 * @param isTrial changes nothing
 * @throws Error for a text that holds no certificates; SignerFileError where the present list cannot be read
 */
export async function pinTrustList(
  path: string,
  list: NewTrustList,
  now: Date,
  isTrial: boolean,
): Promise<TrustListChange> {
  const present = await readTrustList(path, path);
  const after = listed(certificatesOf(list.text));
  const before = listed(present === null ? [] : certificatesOf(present.anchorsPem));
  if (!isTrial) await write(path, list, after);
  return {
    path,
    name: list.name,
    date: list.date,
    certificates: after.size,
    before: present === null ? null : nameAndDate(present),
    added: missing(after, before),
    removed: missing(before, after),
    expired: [...after.values()]
      .map(({ about }) => about)
      .filter(({ validUntil }) => new Date(validUntil) < now),
  };
}

interface Listed {
  readonly pem: string;
  readonly about: ListedCertificate;
}

/** By fingerprint, so that duplicates count once. */
function listed(pems: readonly string[]): ReadonlyMap<string, Listed> {
  return new Map(
    pems.map((pem) => {
      const { subject, validFromDate, validToDate, fingerprint256 } = new X509Certificate(pem);
      const fingerprint = fingerprint256.replaceAll(':', '').toLowerCase();
      const about = {
        // one attribute a line, its commas escaped
        subject: subject.replaceAll('\\', '').split('\n').toReversed().join(', '),
        validFrom: validFromDate.toISOString(),
        validUntil: validToDate.toISOString(),
        fingerprint,
      };
      return [fingerprint, { pem, about }];
    }),
  );
}

function missing(
  from: ReadonlyMap<string, Listed>,
  others: ReadonlyMap<string, Listed>,
): ListedCertificate[] {
  return [...from].filter(([key]) => !others.has(key)).map(([, { about }]) => about);
}

const nameAndDate = ({ name, date }: TrustListFile) => ({ name, date });

/** Atomically: a service that starts meanwhile reads either the old list or the new one. */
async function write(
  path: string,
  { name, date }: NewTrustList,
  after: ReadonlyMap<string, Listed>,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const certificates = [...after.values()].map(({ pem, about }) => `# ${oneLine(about.subject)}\n${pem}\n`);
  const text = `# Name: ${oneLine(name)}\n# Date: ${date}\n\n${certificates.join('\n')}`;
  const draft = `${path}.${process.pid}.new`;
  await writeFile(draft, text, { flush: true });
  await rename(draft, path);
}

const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').replaceAll('-----', '---');
