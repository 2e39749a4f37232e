import { type CatalogueNote, type CatalogueProblem, NOTES } from '@touchstone/catalogue';
import { counted, type Paint, safe, table } from '../output/text.ts';
import { domainProofText } from '../registry/domain-proofs.ts';
import type { MissingProduct, Pruned } from './prune.ts';
import type { RowOutcome, StoreView } from './registry.ts';

/** Why one row is not in. */
export interface RowError {
  readonly row: number;
  /** Equal for rows that are not in for the same reason. */
  readonly kind: string;
  readonly externalProductId?: string;
  readonly reason: string;
}

/** What is told of a row as soon as it is known: of a product that is in, its id and where its certificate is. */
export type RowReport =
  | (RowError & { readonly status: 'error' })
  | (Omit<RowOutcome, 'reason'> & { readonly externalProductId: string });

/** Rows in error that are kept one by one. */
const MAX_ERRORS = 10_000;

/** Counts what becomes of a catalogue. */
export class Summary {
  readonly counts = { created: 0, updated: 0, unchanged: 0, revived: 0, failed: 0 };
  /** Products that are in, by the state that they were left in; empty where the service tells none. */
  readonly states: Record<string, number> = {};
  readonly errors: RowError[] = [];
  readonly #kinds = new Map<string, { readonly example: RowError; count: number }>();
  /** Pages that state no product, and were not said to. */
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
    this.fail({ row, kind: code, reason, ...(externalProductId === undefined ? {} : { externalProductId }) });
  }

  fail(error: RowError): void {
    this.counts.failed++;
    this.#onRow({ ...error, status: 'error' });
    if (this.errors.length < MAX_ERRORS) this.errors.push(error);
    const known = this.#kinds.get(error.kind);
    if (known === undefined) this.#kinds.set(error.kind, { example: error, count: 1 });
    else known.count++;
  }

  /** Rows that are not in, by why; the first of each as an example. */
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

/** At most so many notes of one kind are told in words; `--json` has them all. */
const NOTES_SHOWN = 5;

/** Notes, one line for all products that share one. */
function notesText(summary: Summary): string {
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

/** Why rows are not in, once for each kind, with how many and an example; `--json` lists them one by one. */
export function errorsText(summary: Summary): string {
  const kinds = summary.kinds();
  if (kinds.length === 0) return '';
  const rows = kinds.map(({ count, example: { row, externalProductId, reason } }) => {
    const where = row === 0 ? 'file' : `row ${row}`;
    return [
      { text: count === 1 ? where : `${count}×, first ${where}` },
      { text: externalProductId === undefined ? '' : safe(externalProductId) },
      { text: safe(reason) },
    ];
  });
  return `\nNot in\n${table(rows)}`;
}

/** How an import ended. */
export interface ImportOutcome {
  readonly file: string;
  readonly summary: Summary;
  readonly dryRun: boolean;
  /** Absent where nothing was sent. */
  readonly store: StoreView | undefined;
  /** Products of the store that were not read; absent where not all was read, or nothing sent. */
  readonly missing?: Pruned & { readonly products: readonly MissingProduct[] };
}

/** For programs: the counts, every row in error, every note. */
export function importValue({
  file,
  summary,
  dryRun,
  store,
  missing,
}: ImportOutcome): Readonly<Record<string, unknown>> {
  const { counts, states, errors, products, hidden, images } = summary;
  return {
    file,
    ...(store === undefined ? {} : { store }),
    dryRun,
    products,
    hidden,
    images,
    ...counts,
    states,
    errors,
    kinds: summary.kinds().map(({ count, example }) => ({ kind: example.kind, count, example })),
    skippedPages: summary.skipped,
    notes: summary.notes(),
    ...(missing === undefined
      ? {}
      : { notInFile: missing.products.length, deleted: missing.deleted, missing: missing.products }),
  };
}

/** For people: whether all is in, what was noted, every row that is not in, what to do next. */
export function importText(outcome: ImportOutcome, paint: Paint): string {
  const { summary, store } = outcome;
  return (
    headline(outcome, paint) +
    missingText(outcome) +
    notesText(summary) +
    errorsText(summary) +
    nextStep(store)
  );
}

function missingText({ missing, summary }: ImportOutcome): string {
  const skipped =
    summary.skipped === 0 ? '' : `${counted(summary.skipped, 'page')} without a product left out.\n`;
  if (missing === undefined) return skipped;
  const { products, deleted, refused } = missing;
  if (products.length === 0) return `${skipped}No product of this store is missing from the file.\n`;
  const are = products.length === 1 ? 'product of this store is' : 'products of this store are';
  const stay = `${products.length === 1 ? 'it stays as it was' : 'they stay as they were'} (${refused ? '--prune --yes' : '--prune'} deletes ${products.length === 1 ? 'it' : 'them'})`;
  const then = deleted > 0 ? `${deleted} deleted` : stay;
  return `${skipped}${products.length} ${are} not in the file; ${then}.\n`;
}

function headline({ summary, store, dryRun }: ImportOutcome, paint: Paint): string {
  const { counts, products, hidden, images } = summary;
  const failed = counts.failed === 0 ? 'none failed' : paint('bad', `${counts.failed} failed`);
  const read = `${counted(products, 'product')} read (${hidden} hidden, ${counted(images, 'image')}), ${failed}`;
  if (store === undefined) return `${paint('strong', dryRun ? 'DRY RUN' : 'NOTHING SENT')}  ${read}.\n`;
  const title = counts.failed === 0 ? paint('good', 'ALL IN') : paint('bad', 'NOT ALL IN');
  const { created, updated, unchanged, revived } = counts;
  const where = `store ${safe(store.id)} (${safe(store.url)}${store.created ? ', new' : ''})`;
  return (
    `${paint('strong', title)}  ${read}.\n` +
    `${created} created, ${updated} updated, ${unchanged} unchanged, ${revived} revived in ${where}.\n` +
    statesText(summary)
  );
}

/** What a state other than `active` is to a merchant; one that is missing is told by its name. */
const STATE_WORDS: Readonly<Record<string, string>> = {
  no_slot: 'waiting for a place in the plan',
  paused: 'paused by the operator',
  disabled: 'disabled by the operator',
};

/** Being in is not being published: a merchant must not learn that from a shopper. */
function statesText({ states }: Summary): string {
  const entries = Object.entries(states);
  if (entries.length === 0) return '';
  const active = states.active ?? 0;
  const others = entries
    .filter(([state]) => state !== 'active')
    .map(([state, number]) => `${number} ${STATE_WORDS[state] ?? safe(state)}`);
  const advice =
    states.no_slot === undefined
      ? ''
      : 'Products that wait publish no certificate: a larger planCapacity, or hiding others, makes room.\n';
  return `${[`${active} active`, ...others].join(', ')}.\n${advice}`;
}

function nextStep(store: StoreView | undefined): string {
  const open = store?.domains.find((domain) => !domain.verified);
  return store === undefined || open === undefined ? '' : `\nNext: ${domainProofText(store, open)}`;
}
