import { join } from 'node:path';
import type { AppendFile, Io } from '../io.ts';

/** What the index of a folder says of one certificate. */
export interface IndexEntry {
  readonly productId: string;
  readonly externalProductId: string;
  readonly url: string;
  readonly file: string;
  /** When its proof ends, RFC 3339. */
  readonly replaceBy: string;
}

/** JSON with one certificate a line, so that a large one can be read by lines too. */
const INDEX = 'index.json';
/** What has changed since the index was written, a line each; the last line of a product counts. */
const JOURNAL = 'index.changes';

/** Each line begins like this; the id follows. */
const BEGINNING = '{"productId":"';
const UUID_LENGTH = 36;

/**
 * The index of a folder of certificates. What changes goes to a journal first, which outlives a run that is stopped, and
 * becomes part of the index at the end of a run.
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

  /** Whether a folder has one, or the beginning of one. */
  static async isThere(io: Io, folder: string): Promise<boolean> {
    const names = await io.namesIn(folder);
    return names.includes(INDEX) || names.includes(JOURNAL);
  }

  /** @param anew - what a run before left in the journal does not count */
  static async open(io: Io, folder: string, anew: boolean): Promise<CertificateIndex> {
    const whole = anew ? '' : wholeLines((await textAt(io, join(folder, JOURNAL))) ?? '');
    // written, not opened, first: that makes the folder
    await io.writeFile(join(folder, JOURNAL), Buffer.from(whole));
    return new CertificateIndex(io, folder, await io.appendTo(join(folder, JOURNAL)));
  }

  put({ productId, externalProductId, url, file, replaceBy }: IndexEntry): void {
    this.#lines.push(JSON.stringify({ productId, externalProductId, url, file, replaceBy }));
  }

  remove(productId: string): void {
    this.#lines.push(`${BEGINNING}${productId}"}`);
  }

  /** Resolved once what was put and removed so far outlives this process. */
  async save(): Promise<void> {
    const lines = this.#lines;
    this.#lines = [];
    if (lines.length > 0) await this.#journal.append(`${lines.join('\n')}\n`);
  }

  close(): Promise<void> {
    return this.#journal.close();
  }

  /**
   * Makes the journal part of the index.
   *
   * @param about - what stands before the certificates
   * @param anew - the index of before does not count
   * @returns when the certificates that it names end, RFC 3339
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

/** Without a last line that was cut off. */
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
