import { type PageCode, pageNote } from '../codes.ts';
import { BOUNDS } from './bounds.ts';
import { cleanText } from './text.ts';

/** Accepts findings about a page. */
export type FindingSink = Pick<Findings, 'add'>;

/** Collects findings as `code: sentence`, without duplicates and at most `BOUNDS.findings`. */
export class Findings {
  readonly #notes = new Set<string>();

  add(code: PageCode, detail?: string): void {
    if (this.#notes.size >= BOUNDS.findings) return;
    this.#notes.add(
      pageNote(code, detail === undefined ? undefined : cleanText(detail, BOUNDS.detailLength)),
    );
  }

  list(): string[] {
    return [...this.#notes];
  }
}
