import { safe } from '../output/safe-text.ts';
import type { Paint } from '../output/style.ts';
import type { StoreView } from './registry.ts';
import { errorsText, notesText, type Summary } from './summary.ts';

/** How an import ended. */
export interface ImportOutcome {
  readonly file: string;
  readonly summary: Summary;
  readonly dryRun: boolean;
  /** Absent where nothing was sent. */
  readonly store: StoreView | undefined;
}

/** For programs: the counts, every row in error, every note. */
export function importValue({
  file,
  summary,
  dryRun,
  store,
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
    notes: summary.notes(),
  };
}

/** For people: whether all is in, what was noted, every row that is not in, what to do next with this service. */
export function importText(outcome: ImportOutcome, paint: Paint, service: string): string {
  const { summary, store } = outcome;
  return headline(outcome, paint) + notesText(summary) + errorsText(summary) + nextStep(store, service);
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
  no_slot: 'waiting for a slot of the plan',
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

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function nextStep(store: StoreView | undefined, service: string): string {
  const open = store?.domains.find((domain) => !domain.verified);
  if (store === undefined || open === undefined) return '';
  const host = safe(open.hostname);
  // the service asks the store's own address about the store's own host
  const home = new URL(store.url);
  const origin = home.hostname === open.hostname ? home.origin : `https://${host}`;
  return (
    `\nNext: prove that the shop controls ${host}: serve the text ${safe(open.challenge)}\n` +
    `at ${origin}/.well-known/touchstone-challenge, then ask the service to look:\n` +
    `  curl -sS -X POST -H "Authorization: Bearer $TOUCHSTONE_KEY" ` +
    `${safe(service)}/api/v1/registry/stores/${safe(store.id)}/domains/${host}/verify\n`
  );
}
