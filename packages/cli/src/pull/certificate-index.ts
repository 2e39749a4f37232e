import { join } from 'node:path';
import type { AppendFile, Io } from '../io.ts';

/** One certificate in the index of a folder. */
interface IndexEntry {
  readonly productId: string;
  readonly externalProductId: string;
  readonly url: string;
  readonly file: string;
  /** When its proof expires, RFC 3339. */
  readonly replaceBy: string;
}

/** JSON with one certificate per line, so that a large file can also be read line by line. */
const INDEX = 'index.json';
/** Changes since the index was written, one per line; the last line of a product counts. */
const JOURNAL = 'index.changes';

/** Each line begins with this, followed by the id. */
const BEGINNING = '{"productId":"';
const UUID_LENGTH = 36;

/**
 * The index of a folder of certificates. Changes are appended to a journal, which survives a stopped run, and are merged into the index at
 * the end of a run.
 */
export class CertificateIndex {
  readonly #io: Io;
  readonly #folder: string;
  readonly #journal: AppendFile;
  #lines: string[] = [];

  private constructor(io: Io, folder: string, journal: AppendFile) {
    this.#io = io;
    this.#folder = folder;
    this.#journal = journal;
  }

  /** Whether a folder has an index or a journal. */
  static async isThere(io: Io, folder: string): Promise<boolean> {
    const names = await io.namesIn(folder);
    return names.includes(INDEX) || names.includes(JOURNAL);
  }

  /** @param anew - discards the journal of an earlier run */
  static async open(io: Io, folder: string, anew: boolean): Promise<CertificateIndex> {
    const whole = anew ? '' : wholeLines((await textAt(io, join(folder, JOURNAL))) ?? '');
    // written first, not opened: that creates the folder
    await io.writeFile(join(folder, JOURNAL), Buffer.from(whole));
    return new CertificateIndex(io, folder, await io.appendTo(join(folder, JOURNAL)));
  }

  put({ productId, externalProductId, url, file, replaceBy }: IndexEntry): void {
    this.#lines.push(JSON.stringify({ productId, externalProductId, url, file, replaceBy }));
  }

  remove(productId: string): void {
    this.#lines.push(`${BEGINNING}${productId}"}`);
  }

  /** Resolves when all changes so far are stored and survive the end of this process. */
  async save(): Promise<void> {
    const lines = this.#lines;
    this.#lines = [];
    if (lines.length > 0) await this.#journal.append(`${lines.join('\n')}\n`);
  }

  close(): Promise<void> {
    return this.#journal.close();
  }

  /**
   * Merges the journal into the index.
   *
   * @param about - members written before the certificates
   * @param anew - discards the previous index
   * @returns when the certificates of the index expire, RFC 3339
   */
  async finish(about: object, anew: boolean): Promise<string[]> {
    await this.save();
    const entries = new Map<string, string>();
    for (const name of anew ? [JOURNAL] : [INDEX, JOURNAL]) {
      for (const line of ((await textAt(this.#io, join(this.#folder, name))) ?? '').split('\n')) {
        if (!line.startsWith(BEGINNING)) continue;
        const id = line.slice(BEGINNING.length, BEGINNING.length + UUID_LENGTH);
        if (line.length === BEGINNING.length + UUID_LENGTH + 2) entries.delete(id);
        else entries.set(id, line.replace(/,$/, ''));
      }
    }
    const head = JSON.stringify(about).slice(0, -1);
    const pieces = [`${head},"certificates":[\n`, [...entries.values()].join(',\n'), '\n]}\n'];
    await this.#io.writeFile(
      join(this.#folder, INDEX),
      Buffer.concat(pieces.map((piece) => Buffer.from(piece))),
    );
    await this.close();
    await this.#io.removeFile(join(this.#folder, JOURNAL));
    return Array.from(entries.values(), (line) => (JSON.parse(line) as IndexEntry).replaceBy);
  }
}

/** Drops a truncated last line. */
function wholeLines(text: string): string {
  return text.slice(0, text.lastIndexOf('\n') + 1);
}

async function textAt(io: Io, path: string): Promise<string | null> {
  const pieces: Uint8Array[] = [];
  try {
    for await (const piece of io.readFile(path)) pieces.push(piece);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
  return Buffer.concat(pieces).toString('utf8');
}
