import { join } from 'node:path';
import { PROOF_LIFETIME } from '@touchstone/certificate';
import { normalizePageUrl } from '@touchstone/certificate/binding';
import { usage } from '../cli-error.ts';
import type { Io } from '../io.ts';
import { isRecord } from '../problem.ts';
import { CERTIFICATE_FILE, PULL_STATE } from '../pull/pull-certificates.ts';

/** A certificate in a folder written by `certificates pull`. */
export interface PulledCertificate {
  readonly productId: string;
  /** Address of the page it was signed for. */
  readonly url: string;
  readonly document: object;
  /** When its proof expires. */
  readonly endsAt: Date;
}

/** The certificates of a folder, by page address. */
export interface PulledCertificates {
  /** The certificate for the first of these addresses that has one. */
  find(addresses: readonly string[]): PulledCertificate | null;
  /** Page addresses of all certificates except those of these products. */
  urlsBut(productIds: ReadonlySet<string>): string[];
}

/** @throws CliError (usage) for a folder without a pull: an empty one would remove the certificates from all pages */
export async function readPulled(folder: string, io: Io): Promise<PulledCertificates> {
  const names = await io.namesIn(folder);
  if (!names.includes(PULL_STATE)) {
    throw usage(
      `${folder} contains no certificates.`,
      `Download them with "touchstone certificates pull <store-id> --out ${folder}", or give the store with --store.`,
    );
  }
  const byAddress = new Map<string, PulledCertificate>();
  for (const name of names) {
    if (!CERTIFICATE_FILE.test(name)) continue;
    const certificate = certificateIn(await textOf(join(folder, name), io));
    const key = certificate === null ? undefined : normalizePageUrl(certificate.url)?.text;
    if (certificate !== null && key !== undefined) byAddress.set(key, certificate);
  }
  return {
    urlsBut: (productIds) =>
      [...byAddress.values()].filter(({ productId }) => !productIds.has(productId)).map(({ url }) => url),
    find(addresses) {
      for (const address of addresses) {
        const found = byAddress.get(normalizePageUrl(address)?.text ?? '');
        if (found !== undefined) return found;
      }
      return null;
    },
  };
}

/** `null` for a file without a certificate that has a proof. */
function certificateIn(text: string): PulledCertificate | null {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isRecord(document) || document['@type'] !== 'Product' || !isRecord(document.proof)) return null;
  const { productID: productId, url } = document;
  const record = document['svc:record'];
  const issuedAt = isRecord(record) ? Date.parse(String(record.issuedAt)) : Number.NaN;
  if (typeof productId !== 'string' || typeof url !== 'string' || Number.isNaN(issuedAt)) return null;
  return { productId, url, document, endsAt: new Date(issuedAt + PROOF_LIFETIME * 1000) };
}

async function textOf(path: string, io: Io): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of io.readFile(path)) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}
