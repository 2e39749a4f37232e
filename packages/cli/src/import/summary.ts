import { type CatalogueNote, type CatalogueProblem, NOTES } from '@touchstone/catalogue';
import { safe } from '../output/safe-text.ts';
import { table } from '../output/table.ts';
import type { RowOutcome } from './registry.ts';

/** Why one row is not in. */
export interface RowError {
  readonly row: number;
  readonly externalProductId?: string;
  readonly reason: string;
}

/** Counts what becomes of a catalogue. */
export class Summary {
  readonly counts = { created: 0, updated: 0, unchanged: 0, revived: 0, failed: 0 };
  /** Products that are in, by the state that they were left in; empty where the service tells none. */
  readonly states: Record<string, number> = {};
  readonly errors: RowError[] = [];
  readonly #notes = new Map<string, { note: CatalogueNote; count: number }>();
  products = 0;
  hidden = 0;
  images = 0;

  problem(problem: CatalogueProblem): void {
    const { row, reason, externalProductId } = problem;
    this.fail({ row, reason, ...(externalProductId === undefined ? {} : { externalProductId }) });
  }

  fail(error: RowError): void {
    this.counts.failed++;
    this.errors.push(error);
  }

  note(note: CatalogueNote): void {
    const key = `${note.code} ${note.detail}`;
    const known = this.#notes.get(key);
    if (known === undefined) this.#notes.set(key, { note, count: 1 });
    else known.count++;
  }

  outcome(row: number, externalProductId: string, outcome: RowOutcome): void {
    if (outcome.status === 'error') this.fail({ row, externalProductId, reason: outcome.reason ?? '' });
    else {
      this.counts[outcome.status]++;
      if (outcome.state !== undefined) this.states[outcome.state] = (this.states[outcome.state] ?? 0) + 1;
    }
  }

  get in(): number {
    const { created, updated, unchanged, revived } = this.counts;
    return created + updated + unchanged + revived;
  }

  notes(): readonly (CatalogueNote & { readonly products: number })[] {
    return [...this.#notes.values()].map(({ note, count }) => ({ ...note, products: count }));
  }
}

/** At most so many notes of one kind are told in words; `--json` has them all. */
const NOTES_SHOWN = 5;

/** Notes, one line for all products that share one. */
export function notesText(summary: Summary): string {
  const lines: string[] = [];
  const shown = new Map<string, number>();
  for (const { code, detail, products } of summary.notes()) {
    const before = shown.get(code) ?? 0;
    shown.set(code, before + 1);
    if (before < NOTES_SHOWN) lines.push(`  - ${products}×: ${NOTES[code]} ${safe(detail)}`.trimEnd());
  }
  for (const [code, count] of shown) {
    if (count > NOTES_SHOWN)
      lines.push(`  - … and ${count - NOTES_SHOWN} more notes ${code} (all with --json)`);
  }
  return lines.length === 0 ? '' : `\nNotes\n${lines.join('\n')}\n`;
}

/** Every row in error, none left out. */
export function errorsText(summary: Summary): string {
  if (summary.errors.length === 0) return '';
  const rows = summary.errors.map(({ row, externalProductId, reason }) => [
    { text: row === 0 ? 'file' : `row ${row}` },
    { text: externalProductId === undefined ? '' : safe(externalProductId) },
    { text: safe(reason) },
  ]);
  return `\nNot in\n${table(rows)}`;
}
