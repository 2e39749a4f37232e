import {
  CATALOGUE_SHAPES,
  type CatalogueRow,
  type CatalogueShape,
  type LiveBatch,
  readCatalogue,
  readLive,
  SOURCE_KINDS,
  SourceError,
  type SourceKind,
} from '@touchstone/catalogue';
import { productCertificatePath } from '@touchstone/certificate';
import type { Store } from '@touchstone/contract';
import { type Command, Option } from 'commander';
import { CliError, cannotTell, EXIT, usage } from '../cli-error.ts';
import { createServiceClient, type ServiceClient } from '../client.ts';
import { nameOf, openInput } from '../files.ts';
import { type Checkpoint, NO_CHECKPOINT, openCheckpoint } from '../import/checkpoint.ts';
import { liveWeb, readProductPage } from '../import/live-web.ts';
import { findGone, prune } from '../import/prune.ts';
import { findOrCreateStore, getStore, type StoreView } from '../import/registry.ts';
import { count, sendCatalogue } from '../import/send.ts';
import {
  errorsText,
  type ImportOutcome,
  importText,
  importValue,
  type RowReport,
  Summary,
} from '../import/summary.ts';
import { createProgress, type Progress } from '../output/progress.ts';
import { safeJsonLine } from '../output/text.ts';
import type { Session } from '../session.ts';
import { apiKey, baseAddress, type GlobalOptions, nonEmpty, serviceUrl, wholeNumber } from '../settings.ts';

interface ImportOptions extends GlobalOptions {
  readonly storeUrl?: string;
  readonly store?: string;
  readonly storeId?: string;
  readonly storeName?: string;
  readonly merchantId?: string;
  readonly key?: string;
  readonly shape?: CatalogueShape;
  readonly kind?: SourceKind;
  readonly rebase: boolean;
  readonly dryRun?: boolean;
  readonly resume?: string;
  readonly prune?: boolean;
  readonly yes?: boolean;
  readonly interval: number;
}

export function addImport(program: Command, session: Session): void {
  program
    .command('import')
    .description("Bring a shop's catalogue into the registry: every product in, or the reason printed.")
    .argument(
      '<source>',
      'the address of a shop (Shopify, WooCommerce, a feed, else its sitemaps), or a file: Shopify products.json or CSV, WooCommerce Store API, REST v3 or CSV, a Google feed (RSS, Atom, TSV), rows of the registry, each with gzip or not; - for standard input',
    )
    .option('--store <uuid>', 'the store to import into (default: the one with the address)')
    .addOption(new Option('--store-id <uuid>').hideHelp())
    .option(
      '--store-url <url>',
      "the shop's home page; product pages are put on its address (default: that of --store, or of the shop that is read)",
    )
    .option(
      '--merchant-id <uuid>',
      'whose store is made when there is none yet (default: the only one that the key may see)',
    )
    .option('--store-name <name>', 'name of a store that is made (default: its host)')
    .option('--key <key>', 'API key (TOUCHSTONE_KEY)')
    .addOption(
      new Option('--shape <shape>', 'shape of a file (default: recognised)').choices(CATALOGUE_SHAPES),
    )
    .addOption(new Option('--kind <kind>', 'how a shop is read (default: found out)').choices(SOURCE_KINDS))
    .option(
      '--no-rebase',
      'refuse products whose address is on another host, instead of moving them to the address of the store',
    )
    .addOption(
      new Option('--interval <milliseconds>', 'between two requests to a shop')
        .default(500)
        .argParser((text) => wholeNumber(text, '--interval', 0, 60_000)),
    )
    .option('--resume <file>', 'keep in this file how far it came, and go on from there; removed at the end')
    .option(
      '--prune',
      'delete products of the store that are not in the catalogue; asks above a fifth of them',
    )
    .option('--yes', 'with --prune: do not ask')
    .option('--dry-run', 'read and report only; nothing is sent')
    .action(async (source: string, _: unknown, command: Command) => {
      await importCatalogue(session, source, command.optsWithGlobals<ImportOptions>());
    });
}

async function importCatalogue(session: Session, source: string, options: ImportOptions): Promise<void> {
  const { io } = session;
  const summary = new Summary(options.json === true ? tellRow(session, options) : undefined);
  const dryRun = options.dryRun === true;
  const checkpoint =
    options.resume === undefined || dryRun ? NO_CHECKPOINT : await openCheckpoint(options.resume, source, io);
  const progress = createProgress(io);
  const run: ImportRun = { session, source, options, summary, checkpoint, progress };
  try {
    const sent = dryRun ? await readOnly(run) : await send(run);
    const outcome: ImportOutcome = { file: nameOf(source), summary, dryRun, store: undefined, ...sent };
    progress.end();
    if (options.json === true) io.stdout.write(`${safeJsonLine(importValue(outcome))}\n`);
    else io.stdout.write(importText(outcome, session.paint));
  } finally {
    progress.end();
  }
  session.exitCode = summary.counts.failed > 0 || summary.products === 0 ? EXIT.failed : EXIT.verified;
}

/** A line for each row as soon as it is known, so that whoever needs the ids of a large catalogue need not hold them all. */
function tellRow({ io }: Session, options: ImportOptions): (row: RowReport) => void {
  const service = serviceUrl(options, io.env);
  return (row) => {
    const told = 'id' in row ? { ...row, certificate: service + productCertificatePath(row.id) } : row;
    io.stdout.write(`${safeJsonLine(told)}\n`);
  };
}

interface ImportRun {
  readonly session: Session;
  readonly source: string;
  readonly options: ImportOptions;
  readonly summary: Summary;
  readonly checkpoint: Checkpoint;
  readonly progress: Progress;
}

const isAddress = (source: string): boolean => /^https?:\/\//i.test(source);
const storeIdOf = ({ store, storeId }: ImportOptions): string | undefined => store ?? storeId;

async function readOnly(run: ImportRun): Promise<Record<string, never>> {
  const storeUrl = namedStoreUrl(run.options);
  if (storeUrl === undefined && !isAddress(run.source))
    throw usage('A file needs the address of its shop: --store-url.');
  try {
    for await (const { rows, skipped, total } of batches(run, storeUrl)) {
      for (const row of rows) count(row, run.summary);
      run.summary.skipped += skipped;
      tellProgress(run, total);
    }
  } catch (error) {
    throw sourceFailed(error, run);
  }
  return {};
}

function namedStoreUrl({ storeUrl }: ImportOptions): string | undefined {
  return storeUrl === undefined ? undefined : baseAddress(storeUrl, 'The store address (--store-url)');
}

/** What is read, in portions after each of which one may go on. */
function batches(run: ImportRun, storeUrl: string | undefined): AsyncIterable<LiveBatch> {
  const { session, source, options, checkpoint, progress } = run;
  const { io } = session;
  const { rebase, shape, kind, interval } = options;
  const { after } = checkpoint;
  if (!isAddress(source)) {
    const reading = { storeUrl: storeUrl ?? '', rebase, ...(shape === undefined ? {} : { shape }) };
    return fileBatches(source, readCatalogue(openInput(source, io), reading), after?.position ?? 0);
  }
  const wooCommerceKey = nonEmpty(io.env.TOUCHSTONE_WOOCOMMERCE_KEY);
  return readLive(source, {
    web: liveWeb(io),
    readPage: readProductPage,
    rebase,
    interval,
    ...(storeUrl === undefined ? {} : { storeUrl }),
    ...(kind === undefined ? {} : { kind }),
    ...(after === undefined ? {} : { after }),
    ...(wooCommerceKey === undefined ? {} : { wooCommerceKey }),
    onWait: (reason, wait) => progress.remark(`(the shop ${reason}; again in ${Math.ceil(wait / 1000)} s)`),
  });
}

/** Rows of a file that are sent, and noted in the checkpoint, together. */
const FILE_ROWS = 2_000;

async function* fileBatches(
  url: string,
  read: AsyncIterable<CatalogueRow>,
  after: number,
): AsyncGenerator<LiveBatch, void, undefined> {
  let rows: CatalogueRow[] = [];
  let position = 0;
  const batch = (): LiveBatch => ({ rows, cursor: { kind: 'document', url, position }, skipped: 0 });
  for await (const row of read) {
    position++;
    if (position <= after) continue;
    rows.push(row);
    if (rows.length < FILE_ROWS) continue;
    yield batch();
    rows = [];
  }
  if (rows.length > 0) yield batch();
}

async function send(run: ImportRun): Promise<Pick<ImportOutcome, 'store' | 'missing'>> {
  const { session, source, options, summary, checkpoint, progress } = run;
  const { io } = session;
  const client = createServiceClient({
    baseUrl: serviceUrl(options, io.env),
    key: apiKey(options, io.env),
    io,
    attempts: 8,
    onRetry: (reason, wait) => progress.remark(`(${reason}; again in ${wait / 1000} s)`),
  });
  const id = storeIdOf(options);
  const named = id === undefined ? undefined : await getStore(client, id);
  const storeUrl = namedStoreUrl(options) ?? (named === undefined ? undefined : named.url);
  if (storeUrl === undefined && !isAddress(source))
    throw usage('A file needs its store: --store, or --store-url with the address of the shop.');
  if (named !== undefined) assertAddressOf(named, storeUrl);
  const seen = new Set(checkpoint.seen);
  let store: StoreView | undefined;
  const total = isAddress(source) || source === '-' ? undefined : await countProducts(batches(run, storeUrl));
  try {
    for await (const batch of batches(run, storeUrl)) {
      if (io.stop.aborted) break;
      const address = storeUrl ?? homeOf(batch);
      const find = async (shape: CatalogueShape) =>
        named ?? store ?? (await storeFor(client, address, platformOf(shape), options));
      const to = { client, store: find, stop: io.stop };
      store =
        (await sendCatalogue(batch.rows, to, summary, () => tellProgress(run, total ?? batch.total))) ??
        store;
      const ids = identifiersOf(batch);
      for (const one of ids) seen.add(one);
      summary.skipped += batch.skipped;
      // where it was stopped in between, the batch is sent again
      if (!io.stop.aborted) await checkpoint.add(batch.cursor, ids);
    }
    if (io.stop.aborted) throw cannotTell('Stopped.');
    store ??= checkpoint.after === undefined ? undefined : named;
    const missing = store === undefined ? undefined : await pruned(run, client, store.id, seen);
    await checkpoint.remove();
    return { store, ...(missing === undefined ? {} : { missing }) };
  } catch (error) {
    progress.end();
    await checkpoint.close();
    const failure = sourceFailed(error, run);
    if (
      failure instanceof CliError &&
      failure.exitCode !== EXIT.usage &&
      summary.in + summary.counts.failed > 0
    )
      throw interrupted(failure, summary);
    throw failure;
  }
}

const homeOf = ({ cursor }: LiveBatch): string =>
  cursor.kind === 'document' ? new URL(cursor.url).origin : cursor.url.replace(/\/+$/, '');

/** Of those that are no products in the end, too, where they are named: a bad row must not have its product deleted. */
function identifiersOf({ rows }: LiveBatch): string[] {
  return rows.flatMap((row) => {
    const id = 'problem' in row ? row.problem.externalProductId : row.product.externalProductId;
    return id === undefined ? [] : [id];
  });
}

/** What the store has beyond what was read; nothing is said where the reading did not come to its end. */
async function pruned(run: ImportRun, client: ServiceClient, storeId: string, seen: ReadonlySet<string>) {
  const { session, source, options, summary, progress } = run;
  if (summary.errors.some(({ row }) => row === 0)) return undefined;
  const found = await findGone(client, storeId, seen);
  const asked = {
    canAsk: source !== '-',
    progress,
    ...(options.yes === undefined ? {} : { yes: options.yes }),
  };
  const deleted =
    options.prune === true && found.gone.length > 0 ? await prune(session, client, found, asked) : 0;
  return { products: found.gone, deleted };
}

function tellProgress({ summary, progress }: ImportRun, total: number | undefined): void {
  const { failed } = summary.counts;
  progress.update({ done: summary.in + failed, failed, ...(total === undefined ? {} : { total }) });
}

const THROTTLED =
  'The shop throttles programs: have the service read it (a source of the store), or import an export as a file.';

/** What the shop did wrong, as an end of the command. */
function sourceFailed(error: unknown, { options, checkpoint }: ImportRun): unknown {
  if (!(error instanceof SourceError)) return error;
  const advice: Readonly<Record<string, string>> = {
    source_refused: THROTTLED,
    source_busy: THROTTLED,
    source_unknown: 'Say how with --kind, or import an export as a file.',
  };
  const resume =
    options.resume === undefined || checkpoint === NO_CHECKPOINT
      ? ''
      : ' Run the same command again to go on from the checkpoint.';
  return cannotTell(error.message, `${advice[error.code] ?? 'Try again later.'}${resume}`, error);
}

/** How far it came belongs into the message: the person must know what is in and what is not. */
function interrupted(error: CliError, summary: Summary): CliError {
  const done = `${summary.in} products are in, ${summary.counts.failed} failed before.`;
  return new CliError(`${error.message}\n${done}${errorsText(summary).trimEnd()}`, {
    exitCode: EXIT.cannotTell,
    hint: `${error.hint ?? ''} Run the same command again to go on: what is in stays in.`.trim(),
    cause: error,
  });
}

async function countProducts(read: AsyncIterable<LiveBatch>): Promise<number> {
  let products = 0;
  for await (const { rows } of read) products += rows.filter((row) => 'product' in row).length;
  return products;
}

type Platform = Store['platform'];

/** The platform that exports such a file. */
function platformOf(shape: CatalogueShape): Platform {
  return (['shopify', 'woocommerce'] as const).find((platform) => shape.startsWith(platform)) ?? 'custom';
}

async function storeFor(
  client: ServiceClient,
  storeUrl: string,
  platform: Platform,
  options: ImportOptions,
): Promise<StoreView> {
  const { merchantId } = options;
  return findOrCreateStore(client, {
    url: storeUrl,
    name: options.storeName ?? new URL(storeUrl).host,
    platform,
    ...(merchantId === undefined ? {} : { merchantId }),
  });
}

/** Products of one shop must not end in the store of another. */
function assertAddressOf(store: StoreView, storeUrl: string | undefined): void {
  const { host, hostname } = new URL(storeUrl ?? store.url);
  if (URL.parse(store.url)?.host === host) return;
  if (store.domains.some((domain) => domain.hostname === hostname)) return;
  throw usage(`The store ${store.id} has the address ${store.url}, not ${storeUrl}.`);
}
