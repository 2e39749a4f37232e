import { join } from 'node:path';
import type { ReadItem } from '@touchstone/catalogue';
import { comparePageUrls, pageKey, pageKeys } from '@touchstone/certificate/binding';
import { usage } from '../../cli-error.ts';
import type { Io } from '../../io.ts';
import { isRecord } from '../../problem.ts';
import { CERTIFICATE_FILE, PULL_STATE } from '../../pull/pull-certificates.ts';

/** By what the certificate of an item was found. */
export type FoundBy = 'page' | 'sku' | 'gtin';

export interface FoundCertificate {
  readonly by: FoundBy;
  readonly document: Readonly<Record<string, unknown>>;
}

interface Entry {
  readonly file: string;
  /** Address of the page for which it was signed. */
  readonly url: string;
}

/** The certificates of a folder that `certificates pull` keeps. Their addresses and numbers are in memory, the documents are not. */
export class FeedCertificates {
  readonly #io: Io;
  readonly #folder: string;
  /** The service from which the folder was pulled. */
  readonly service: string;
  /** Issuers of the certificates, as their proofs name them. */
  readonly issuers = new Set<string>();
  readonly #byPage = new Map<string, Entry[]>();
  /** `null`: several have this number. */
  readonly #bySku = new Map<string, Entry | null>();
  readonly #byGtin = new Map<string, Entry | null>();
  #last: { readonly file: string; readonly document: Promise<FoundCertificate['document']> } | undefined;

  private constructor(io: Io, folder: string, service: string) {
    this.#io = io;
    this.#folder = folder;
    this.service = service;
  }

  /** @throws CliError (usage) for a folder without a pull: all certificates would be removed from the feed */
  static async read(folder: string, io: Io): Promise<FeedCertificates> {
    const names = await io.namesIn(folder);
    if (!names.includes(PULL_STATE))
      throw usage(
        `${folder} contains no certificates.`,
        `Download them with "touchstone certificates pull <store-id> --out ${folder}", or give the store with --store.`,
      );
    const state = await jsonIn(join(folder, PULL_STATE), io);
    const found = new FeedCertificates(io, folder, String(state?.service ?? ''));
    for (const file of names) {
      if (!CERTIFICATE_FILE.test(file)) continue;
      const document = await jsonIn(join(folder, file), io);
      if (document !== undefined) found.#add(file, document);
    }
    return found;
  }

  #add(file: string, document: Readonly<Record<string, unknown>>): void {
    const issuer = issuerOf(document);
    const { url } = document;
    const key = typeof url === 'string' ? pageKey(url) : null;
    if (issuer === undefined || typeof url !== 'string' || key === null) return;
    this.issuers.add(issuer);
    const entry = { file, url };
    const known = this.#byPage.get(key);
    if (known === undefined) this.#byPage.set(key, [entry]);
    else known.push(entry);
    for (const property of [document.additionalProperty].flat()) {
      if (!isRecord(property) || typeof property.value !== 'string') continue;
      if (property.name === 'sku') addOnce(this.#bySku, skuKey(property.value), entry);
      if (property.name === 'gtin') addOnce(this.#byGtin, gtinKey(property.value), entry);
    }
  }

  /**
   * The certificate of the page to which an item links, else that with its article number or GTIN if only one has it: it says in what
   * the item differs.
   */
  async find(item: ReadItem): Promise<FoundCertificate | undefined> {
    const link = item.link ?? item.links[0];
    const ofPage = link === undefined ? undefined : this.#ofPage(link);
    if (ofPage !== undefined) return { by: 'page', document: await this.#documentIn(ofPage.file) };
    const ofSku = onlyOne(this.#bySku, item.skus.map(skuKey));
    if (ofSku !== undefined) return { by: 'sku', document: await this.#documentIn(ofSku.file) };
    const ofGtin = onlyOne(this.#byGtin, item.gtins.map(gtinKey));
    return ofGtin && { by: 'gtin', document: await this.#documentIn(ofGtin.file) };
  }

  /** The most specific address that is equal, as in a look-up at the service. */
  #ofPage(link: string): Entry | undefined {
    return pageKeys(link)
      .flatMap((key) => this.#byPage.get(key) ?? [])
      .filter(({ url }) => comparePageUrls(url, link).equal)
      .toSorted((a, b) => b.url.length - a.url.length)[0];
  }

  /** Items of one page mostly follow each other. */
  async #documentIn(file: string): Promise<FoundCertificate['document']> {
    if (this.#last?.file !== file)
      this.#last = {
        file,
        document: jsonIn(join(this.#folder, file), this.#io).then((document) => document ?? {}),
      };
    return this.#last.document;
  }
}

/** The issuer that the proof of a certificate names; nothing is verified. */
export function issuerOf(document: unknown): string | undefined {
  const proof = isRecord(document) ? document.proof : undefined;
  const jwt = isRecord(proof) && typeof proof.jwt === 'string' ? proof.jwt : '';
  try {
    const claims: unknown = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString());
    return isRecord(claims) && typeof claims.iss === 'string' ? claims.iss : undefined;
  } catch {
    return undefined;
  }
}

function addOnce(entries: Map<string, Entry | null>, key: string, entry: Entry): void {
  entries.set(key, entries.has(key) ? null : entry);
}

function onlyOne(entries: ReadonlyMap<string, Entry | null>, keys: readonly string[]): Entry | undefined {
  const found = new Set(keys.map((key) => entries.get(key)));
  const [first] = found;
  return found.size === 1 ? (first ?? undefined) : undefined;
}

const skuKey = (text: string) => text.trim().toLowerCase();
/** As 14 digits. */
const gtinKey = (text: string) => text.replace(/\D/g, '').padStart(14, '0');

async function jsonIn(path: string, io: Io): Promise<Record<string, unknown> | undefined> {
  const pieces: Uint8Array[] = [];
  for await (const piece of io.readFile(path)) pieces.push(piece);
  try {
    const value: unknown = JSON.parse(Buffer.concat(pieces).toString('utf8'));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
