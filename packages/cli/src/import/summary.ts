import type { CatalogueNote, CatalogueProblem } from '@touchstone/catalogue';
import type { RowOutcome } from './registry.ts';

/** Why one row was rejected. */
export interface RowError {
  readonly row: number;
  /** Equal for rows that are rejected for the same reason. */
  readonly kind: string;
  readonly externalProductId?: string | undefined;
  readonly reason: string;
}

/** Result of a row, reported as soon as it is known: for an imported product its id and certificate address. */
export type RowReport =
  | (RowError & { readonly status: 'error' })
  | (Omit<RowOutcome, 'reason'> & { readonly externalProductId: string });

/** Maximum number of rejected rows that are kept individually. */
const MAX_ERRORS = 10_000;

/** Counts the results of an import. */
export class Summary {
  readonly counts = { created: 0, updated: 0, unchanged: 0, revived: 0, failed: 0 };
  /** Imported products by resulting state; empty if the service reports none. */
  readonly states: Record<string, number> = {};
  readonly errors: RowError[] = [];
  readonly #kinds = new Map<string, { readonly example: RowError; count: number }>();
  /** Pages without a product that were not expected to have one. */
  skipped = 0;
  readonly #notes = new Map<string, { note: CatalogueNote; count: number }>();
  products = 0;
  hidden = 0;
  images = 0;
  readonly #onRow: (row: RowReport) => void;

  constructor(onRow: (row: RowReport) => void = () => {}) {
    this.#onRow = onRow;
  }

  problem(problem: CatalogueProblem): void {
    const { row, code, reason, externalProductId } = problem;
    this.fail({ row, kind: code, reason, externalProductId });
  }

  fail(error: RowError): void {
    this.counts.failed++;
    this.#onRow({ ...error, status: 'error' });
    if (this.errors.length < MAX_ERRORS) this.errors.push(error);
    const known = this.#kinds.get(error.kind);
    if (known === undefined) this.#kinds.set(error.kind, { example: error, count: 1 });
    else known.count++;
  }

  /** Rejected rows by reason, each with its first row as an example. */
  kinds(): readonly { readonly example: RowError; readonly count: number }[] {
    return [...this.#kinds.values()];
  }

  note(note: CatalogueNote): void {
    const key = `${note.code} ${note.detail}`;
    const known = this.#notes.get(key);
    if (known === undefined) this.#notes.set(key, { note, count: 1 });
    else known.count++;
  }

  outcome(row: number, externalProductId: string, outcome: RowOutcome): void {
    if (outcome.status === 'error')
      this.fail({ row, kind: outcome.kind ?? 'refused', externalProductId, reason: outcome.reason ?? '' });
    else {
      this.counts[outcome.status]++;
      this.#onRow({ externalProductId, ...outcome });
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
