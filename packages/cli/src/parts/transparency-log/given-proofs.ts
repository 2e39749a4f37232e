import { leafFault, type ProofLeaf, yearOfOrigin } from '@touchstone/certificate/log';
import { usage } from '../../cli-error.ts';
import { readInput } from '../../files.ts';
import type { Io } from '../../io.ts';
import { sha256 } from './verified-tiles.ts';

const CERTIFICATE_FILE = /\.(html?|json|jsonld|jwt|ndjson|txt)$/i;
/** A compact JWS, also within HTML or JSON. */
const PROOFS = /eyJ[\w-]{1,4000}\.([\w-]{1,10000})\.[\w-]{1,2000}/g;
const FILE_LIMIT = 1_000_000_000;

/** Proofs that were found in certificates, to be compared with a log. Their signatures are not verified: the log has not seen them either. */
export class GivenProofs {
  /** By their hash, base64url. */
  readonly #proofs = new Map<string, string>();
  readonly #found = new Set<string>();

  /** @throws CliError (usage) if a file cannot be read, or has no proof */
  static async read(places: readonly string[], io: Io): Promise<GivenProofs> {
    const given = new GivenProofs();
    for (const place of places)
      for (const file of await filesOf(place, io)) given.#addFrom(await textOf(file, io));
    if (places.length > 0 && given.#proofs.size === 0)
      throw usage(`There is no proof in ${places.join(', ')}.`);
    return given;
  }

  /** The proofs of products and images. */
  get all(): readonly string[] {
    return [...this.#proofs.values()].filter((jws) => yearOf(jws) !== undefined);
  }

  #addFrom(text: string): void {
    for (const [jws] of text.matchAll(PROOFS))
      this.#proofs.set(Buffer.from(sha256(Buffer.from(jws))).toString('base64url'), jws);
  }

  /** Whether an entry differs from its proof; `undefined` if that was not given. */
  async differs(
    leaf: ProofLeaf,
    entry: Uint8Array<ArrayBuffer>,
    origin: string,
  ): Promise<boolean | undefined> {
    const jws = this.#proofs.get(leaf.proof);
    if (jws === undefined) return undefined;
    this.#found.add(leaf.proof);
    return (await leafFault(jws, entry, origin)) !== null;
  }

  /** The hashes of proofs of the log's year that were not among the entries of any log that was read. */
  notFound(origin: string): string[] {
    const year = yearOfOrigin(origin);
    return Array.from(this.#proofs).flatMap(([hash, jws]) => {
      const issued = yearOf(jws);
      const isOther = issued === undefined || (year !== undefined && issued !== year);
      return isOther || this.#found.has(hash) ? [] : [hash];
    });
  }
}

/** The year in which a proof was issued; `undefined` for other tokens, such as status lists. */
function yearOf(jws: string): number | undefined {
  try {
    const { iat, domain } = JSON.parse(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString()) as {
      readonly iat?: unknown;
      readonly domain?: unknown;
    };
    return typeof iat === 'number' && typeof domain === 'string'
      ? new Date(iat * 1000).getUTCFullYear()
      : undefined;
  } catch {
    return undefined;
  }
}

async function filesOf(place: string, io: Io): Promise<string[]> {
  const names = await io.namesIn(place).catch(() => undefined);
  if (names === undefined || names.length === 0) return [place];
  const files: string[] = [];
  for await (const { path, names: inside } of io.foldersBelow(place))
    for (const name of inside)
      if (CERTIFICATE_FILE.test(name)) files.push([place, path, name].filter(Boolean).join('/'));
  return files;
}

async function textOf(file: string, io: Io): Promise<string> {
  return new TextDecoder().decode(await readInput(file, io, FILE_LIMIT));
}
