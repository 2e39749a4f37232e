import { CATALOGUE_LIMITS, type LimitName } from './limits.ts';
import type { TextRange } from './text-range.ts';

/**
 * A record of a delimited text, and where it stands in it, without its line end; `over`: it exceeds a limit, and the text up to the next
 * line end was skipped.
 */
export type Delimited =
  | ({ readonly line: number; readonly cells: readonly string[] } & TextRange)
  | { readonly line: number; readonly over: LimitName };

const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;
/** Characters within which the first line must end; of a longer one the beginning decides. */
const MAX_FIRST_LINE = 65_536;

/** At the start of a cell; in it; in a quoted cell; after a quote in a quoted cell; in what is skipped. */
type Place = 'start' | 'plain' | 'quoted' | 'quote' | 'skipped';

/**
 * Splits a delimited text into records while it is read (RFC 4180). Quoted cells may contain line ends; quotes within other
 * cells are text, and so are the quotes of a cell that continues after its closing quote. Empty lines are left out. The time
 * is proportional to the length of the text, whatever it contains.
 */
export class DelimitedReader {
  #beginning: string | undefined = '';
  #delimiter = 0;
  /** Lines that end with a carriage return alone, as old spreadsheets write them. */
  #endsWithReturn = false;
  #place: Place = 'start';
  #cells: string[] = [];
  /** What earlier pieces contained of the present cell. */
  #cell = '';
  #isQuoted = false;
  #recordChars = 0;
  /** Number of the present line, from 1: a record has that of the line on which it ends. */
  #line = 1;
  /** Characters before the present piece. */
  #before = 0;
  /** Where the present record begins. */
  #recordFrom = 0;
  /** The line of a quoted cell that the text ended in. */
  #openedAt = 1;
  #records: Delimited[] = [];

  /** What separates the cells; known once the first line is read. */
  get delimiter(): string {
    return String.fromCharCode(this.#delimiter);
  }

  /** Reads the next piece of the text. */
  push(piece: string): readonly Delimited[] {
    this.#records = [];
    if (this.#beginning === undefined) this.#read(piece);
    else {
      this.#beginning += piece;
      const firstLine = this.#beginning.trimStart();
      // a return at the end may be half of a line end
      if (/\n|\r[\s\S]/.test(firstLine) || firstLine.length > MAX_FIRST_LINE) this.#begin();
    }
    return this.#records;
  }

  /**
   * The last records.
   *
   * @returns `openedAt`: the line on which a quoted cell begins that is not closed
   */
  end(): { readonly records: readonly Delimited[]; readonly openedAt?: number } {
    this.#records = [];
    if (this.#beginning !== undefined) this.#begin();
    if (this.#place === 'quoted') return { records: this.#records, openedAt: this.#openedAt };
    if (this.#place !== 'skipped') this.#endRecord('', 0, 0);
    return { records: this.#records };
  }

  #begin(): void {
    const text = this.#beginning ?? '';
    this.#beginning = undefined;
    const firstLine = text.trimStart();
    const end = /\r\n|\r|\n/.exec(firstLine);
    this.#endsWithReturn = end?.[0] === '\r';
    this.#delimiter = delimiterOf(firstLine.slice(0, end?.index)).charCodeAt(0);
    this.#read(text);
  }

  #read(piece: string): void {
    const lineEnd = this.#endsWithReturn ? RETURN : LINE_FEED;
    let from = 0;
    for (let at = 0; at < piece.length; at++) {
      const char = piece.charCodeAt(at);
      if (this.#place === 'quoted') {
        if (char === QUOTE) {
          this.#keep(piece, from, at);
          this.#place = 'quote';
          from = at + 1;
        } else if (char === lineEnd) this.#line++;
        continue;
      }
      if (this.#place === 'skipped') {
        if (char !== lineEnd) continue;
        this.#startRecord();
        this.#line++;
        from = at + 1;
        this.#recordFrom = this.#before + from;
        continue;
      }
      if (char === this.#delimiter) {
        this.#endCell(piece, from, at);
        from = at + 1;
      } else if (char === lineEnd) {
        this.#endRecord(piece, from, at);
        this.#line++;
        from = at + 1;
        this.#recordFrom = this.#before + from;
      } else if (this.#place === 'start') {
        if (char === QUOTE) {
          this.#place = 'quoted';
          this.#isQuoted = true;
          this.#openedAt = this.#line;
          from = at + 1;
        } else this.#place = 'plain';
      } else if (this.#place === 'quote') {
        if (char === QUOTE) {
          // two quotes are one; this one is the first character of what follows
          this.#place = 'quoted';
          from = at;
        } else if (char !== RETURN) {
          this.#cell = `"${this.#cell}"`;
          this.#place = 'plain';
          from = at;
        } else from = at + 1;
      }
    }
    if (this.#place === 'plain' || this.#place === 'quoted') this.#keep(piece, from, piece.length);
    this.#before += piece.length;
  }

  #keep(piece: string, from: number, to: number): void {
    if (to <= from) return;
    this.#recordChars += to - from;
    if (this.#cell.length + to - from > CATALOGUE_LIMITS.cell.most) this.#skip('cell');
    else if (this.#recordChars > CATALOGUE_LIMITS.record.most) this.#skip('record');
    else this.#cell += piece.slice(from, to);
  }

  #endCell(piece: string, from: number, to: number): void {
    this.#keep(piece, from, to);
    if (this.#place === 'skipped') return;
    this.#cells.push(this.#cell);
    this.#cell = '';
    this.#place = 'start';
    if (this.#cells.length > CATALOGUE_LIMITS.columns.most) this.#skip('columns');
  }

  #endRecord(piece: string, from: number, to: number): void {
    this.#endCell(piece, from, to);
    if (this.#place !== 'skipped') {
      const isEmpty = this.#cells.length === 1 && !this.#isQuoted && /^\r?$/.test(this.#cells[0] ?? '');
      if (!isEmpty)
        this.#records.push({
          line: this.#line,
          cells: this.#cells,
          from: this.#recordFrom,
          to: this.#before + to,
        });
    }
    this.#startRecord();
  }

  #startRecord(): void {
    this.#place = 'start';
    this.#cells = [];
    this.#cell = '';
    this.#isQuoted = false;
    this.#recordChars = 0;
  }

  #skip(over: LimitName): void {
    this.#records.push({ line: this.#line, over });
    this.#startRecord();
    this.#place = 'skipped';
  }
}

/** The most frequent separator of the first line: spreadsheets use that of their locale. */
export function delimiterOf(firstLine: string): string {
  const count = (separator: string): number => firstLine.split(separator).length;
  return [',', ';', '\t'].reduce((best, other) => (count(other) > count(best) ? other : best));
}

/** Normalised names of columns: `"Image Link"` becomes `image_link`. */
export function columnsOf(cells: readonly string[]): string[] {
  return cells.map((cell) =>
    cell
      .replace(/^\uFEFF/, '')
      .replaceAll('"', '')
      .trim()
      .toLowerCase()
      .replace(/\s+/g, '_'),
  );
}
