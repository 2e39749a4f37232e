import { type CatalogueShape, SourceError } from '@touchstone/catalogue';
import type { Store } from '@touchstone/contract';
import { CliError, cannotTell, EXIT, usage } from '../cli-error.ts';
import type { ServiceClient } from '../client.ts';
import { assertReadable } from '../files.ts';
import { safe } from '../output/text.ts';
import { registryClient } from '../registry-client.ts';
import { batches, countProducts, homeOf, identifiersOf } from './batches.ts';
import { NO_CHECKPOINT } from './checkpoint.ts';
import { type ImportOptions, type ImportRun, isAddress, namedStoreUrl } from './import-run.ts';
import { errorsText, type ImportOutcome } from './outcome.ts';
import { findMissing, prune } from './prune.ts';
import { findOrCreateStore, getStore, type StoreView } from './registry.ts';
import { count, sendCatalogue } from './send.ts';
import type { Summary } from './summary.ts';

/** Dry run: reads and reports, sends nothing. */
export async function readOnly(run: ImportRun): Promise<Pick<ImportOutcome, 'store'>> {
  const storeUrl = namedStoreUrl(run.options) ?? (await addressOfNamed(run));
  if (storeUrl === undefined && !isAddress(run.source)) {
    await assertReadable(run.source, run.session.io);
    throw usage('A file requires the address of its shop: --store-url.');
  }
  try {
    for await (const { rows, skipped, total } of batches(run, storeUrl)) {
      for (const row of rows) count(row, run.summary);
      run.summary.skipped += skipped;
      showProgress(run, total);
    }
  } catch (error) {
    throw sourceFailed(error, run);
  }
  return { store: undefined };
}

/** Address of the named store, for a file that states no shop address. */
async function addressOfNamed({ session, source, options }: ImportRun): Promise<string | undefined> {
  const id = options.store ?? options.storeId;
  if (id === undefined || isAddress(source)) return undefined;
  return (await getStore(registryClient(session, options), id)).url;
}

/** Sends the catalogue in batches, and deletes products that it no longer contains, if requested. */
export async function send(run: ImportRun): Promise<Pick<ImportOutcome, 'store' | 'missing'>> {
  const { session, source, options, summary, checkpoint, progress } = run;
  const { io } = session;
  const client = registryClient(session, options, {
    attempts: 8,
    onRetry: (reason, wait) => progress.remark(`(${reason}; again in ${wait / 1000} s)`),
  });
  const id = options.store ?? options.storeId;
  const named = id === undefined ? undefined : await getStore(client, id);
  const storeUrl = namedStoreUrl(options) ?? named?.url;
  if (storeUrl === undefined && !isAddress(source)) {
    await assertReadable(source, io);
    throw usage('A file requires its store: --store, or --store-url with the address of the shop.');
  }
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
        (await sendCatalogue(batch.rows, to, summary, () => showProgress(run, total ?? batch.total))) ??
        store;
      const ids = identifiersOf(batch);
      for (const one of ids) seen.add(one);
      summary.skipped += batch.skipped;
      // if stopped in between, the batch is sent again by the next run
      if (!io.stop.aborted) await checkpoint.add(batch.cursor, ids);
    }
    if (io.stop.aborted) throw cannotTell('stopped', 'Stopped.');
    store ??= checkpoint.after === undefined ? undefined : named;
    const missing = store === undefined ? undefined : await pruned(run, client, store.id, seen);
    await checkpoint.remove();
    return { store, missing };
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

/** Prunes products that were not read; only after the source was read completely. */
async function pruned(run: ImportRun, client: ServiceClient, storeId: string, seen: ReadonlySet<string>) {
  const { session, source, options, summary, progress } = run;
  if (summary.errors.some(({ row }) => row === 0)) return undefined;
  const found = await findMissing(client, storeId, seen);
  const asked = {
    canAsk: source !== '-',
    progress,
    yes: options.yes,
  };
  const isWanted = options.prune === true && found.gone.length > 0;
  const outcome = isWanted ? await prune(session, client, found, asked) : { deleted: 0, refused: false };
  return { products: found.gone, ...outcome };
}

function showProgress({ summary, progress }: ImportRun, total: number | undefined): void {
  const { failed } = summary.counts;
  progress.update({ done: summary.in + failed, failed, total });
}

const THROTTLED =
  'The shop throttles programs: let the service read it (a source of the store), or import an export as a file.';

/** Turns a failure of the shop into an error of the command. */
function sourceFailed(error: unknown, { options, checkpoint }: ImportRun): unknown {
  if (!(error instanceof SourceError)) return error;
  const advice: Readonly<Record<string, string>> = {
    source_refused: THROTTLED,
    source_busy: THROTTLED,
    source_key_withheld:
      'If that address is the shop, give it in place of this one, with https://; or unset TOUCHSTONE_WOOCOMMERCE_KEY to read it without hidden products.',
    source_unknown: 'Choose how to read it with --kind, or import an export as a file.',
  };
  const resume =
    options.resume === undefined || checkpoint === NO_CHECKPOINT
      ? ''
      : ' Run the same command again to continue from the checkpoint.';
  return cannotTell(
    error.code,
    safe(error.message),
    `${advice[error.code] ?? 'Try again later.'}${resume}`,
    error,
  );
}

/** Adds the progress to the message: the user must know which rows are imported. */
function interrupted(error: CliError, summary: Summary): CliError {
  const done = `${summary.in} products were imported and ${summary.counts.failed} failed before.`;
  return error.withMessage(`${error.message}\n${done}${errorsText(summary).trimEnd()}`, {
    exitCode: EXIT.cannotTell,
    hint: `${error.hint ?? ''} Run the same command again to continue: imported products are kept.`.trim(),
  });
}

type Platform = Store['platform'];

/** The platform that exports this file format. */
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

/** Products of one shop must not end up in the store of another. */
function assertAddressOf(store: StoreView, storeUrl: string | undefined): void {
  const { host, hostname } = new URL(storeUrl ?? store.url);
  if (URL.parse(store.url)?.host === host) return;
  if (store.domains.some((domain) => domain.hostname === hostname)) return;
  throw usage(`The store ${store.id} has the address ${store.url}, not ${storeUrl}.`);
}
