import { NOTES } from '@touchstone/catalogue';
import { counted, type Paint, safe, table } from '../output/text.ts';
import { domainProofText } from '../registry/domain-proofs.ts';
import type { MissingProduct, Pruned } from './prune.ts';
import type { StoreView } from './registry.ts';
import type { Summary } from './summary.ts';

/** Result of an import. */
export interface ImportOutcome {
  readonly file: string;
  readonly summary: Summary;
  readonly dryRun: boolean;
  /** Absent if nothing was sent. */
  readonly store: StoreView | undefined;
  /** Products of the store that the source does not contain; absent if the source was not read completely, or nothing was sent. */
  readonly missing?: (Pruned & { readonly products: readonly MissingProduct[] }) | undefined;
}

/** The result as JSON: counts, all invalid rows, all notes. */
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
    store,
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

/** The result as text: whether all was imported, notes, rejected rows, and what to do next. */
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
    summary.skipped === 0 ? '' : `${counted(summary.skipped, 'page')} without a product skipped.\n`;
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

/** What states other than `active` mean for a merchant; a state missing here is shown by its name. */
const STATE_WORDS: Readonly<Record<string, string>> = {
  no_slot: 'waiting for a seat of the plan',
  paused: 'paused by the operator',
  disabled: 'disabled by the operator',
};

/** Imported does not mean published: the merchant must be told here. */
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
      : 'Waiting products publish no certificate: increase planCapacity, or hide other products.\n';
  return `${[`${active} active`, ...others].join(', ')}.\n${advice}`;
}

function nextStep(store: StoreView | undefined): string {
  const open = store?.domains.find((domain) => !domain.verified);
  return store === undefined || open === undefined ? '' : `\nNext: ${domainProofText(store, open)}`;
}

/** Maximum number of notes of one kind in the text; `--json` has all. */
const NOTES_SHOWN = 5;

/** Notes, one line for all products with the same one. */
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

/** Reasons for rejected rows, each once with count and example; `--json` lists all rows. */
export function errorsText(summary: Summary): string {
  const kinds = summary.kinds();
  if (kinds.length === 0) return '';
  const rows = kinds.map(({ count, example: { row, externalProductId, reason } }) => {
    const where = row === 0 ? 'file' : `row ${row}`;
    return [
      count === 1 ? where : `${count}×, first ${where}`,
      externalProductId === undefined ? '' : safe(externalProductId),
      safe(reason),
    ];
  });
  return `\nNot imported\n${table(rows)}`;
}
