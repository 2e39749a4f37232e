import {
  CATALOGUE_SHAPES,
  type CatalogueRow,
  type CatalogueShape,
  readCatalogue,
} from '@touchstone/catalogue';
import { productCertificatePath } from '@touchstone/certificate';
import type { Store } from '@touchstone/contract';
import { type Command, Option } from 'commander';
import { CliError, cannotTell, EXIT, usage } from '../cli-error.ts';
import { createServiceClient, type ServiceClient } from '../client.ts';
import { nameOf, openInput } from '../files.ts';
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
import { createProgress } from '../output/progress.ts';
import { safeJsonLine } from '../output/text.ts';
import type { Session } from '../session.ts';
import { apiKey, baseAddress, type GlobalOptions, serviceUrl } from '../settings.ts';

interface ImportOptions extends GlobalOptions {
  readonly storeUrl: string;
  readonly storeId?: string;
  readonly storeName?: string;
  readonly merchantId?: string;
  readonly key?: string;
  readonly shape?: CatalogueShape;
  readonly rebase: boolean;
  readonly dryRun?: boolean;
}

export function addImport(program: Command, session: Session): void {
  program
    .command('import')
    .description("Bring a shop's catalogue into the registry: every product in, or the reason printed.")
    .argument(
      '<file>',
      'Shopify products.json or CSV export, WooCommerce Store API or REST v3; - for standard input',
    )
    .requiredOption('--store-url <url>', "the shop's home page; product pages are put on its address")
    .option('--store-id <uuid>', 'the store to import into (default: the one with this address)')
    .option(
      '--merchant-id <uuid>',
      'whose store is made when there is none yet (default: the only one that the key may see)',
    )
    .option('--store-name <name>', 'name of a store that is made (default: its host)')
    .option('--key <key>', 'API key (TOUCHSTONE_KEY)')
    .addOption(
      new Option('--shape <shape>', 'shape of the file (default: recognised)').choices(CATALOGUE_SHAPES),
    )
    .option(
      '--no-rebase',
      'refuse products whose address is on another host, instead of moving them to --store-url',
    )
    .option('--dry-run', 'read and report only; nothing is sent')
    .action(async (file: string, _: unknown, command: Command) => {
      await importCatalogue(session, file, command.optsWithGlobals<ImportOptions>());
    });
}

async function importCatalogue(session: Session, file: string, options: ImportOptions): Promise<void> {
  const { io } = session;
  const storeUrl = baseAddress(options.storeUrl, 'The store address (--store-url)');
  const { shape, rebase } = options;
  const rows = (): AsyncIterable<CatalogueRow> =>
    readCatalogue(openInput(file, io), { storeUrl, rebase, ...(shape === undefined ? {} : { shape }) });
  const summary = new Summary(options.json === true ? tellRow(session, options) : undefined);
  const dryRun = options.dryRun === true;
  let store: StoreView | undefined;
  if (dryRun) for await (const row of rows()) count(row, summary);
  else store = await send(session, options, storeUrl, summary, rows, file === '-');
  const outcome: ImportOutcome = { file: nameOf(file), summary, dryRun, store };
  if (options.json === true) io.stdout.write(`${safeJsonLine(importValue(outcome))}\n`);
  else io.stdout.write(importText(outcome, session.paint, serviceUrl(options, io.env)));
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

async function send(
  session: Session,
  options: ImportOptions,
  storeUrl: string,
  summary: Summary,
  rows: () => AsyncIterable<CatalogueRow>,
  once: boolean,
): Promise<StoreView | undefined> {
  const { io } = session;
  const progress = createProgress(io);
  const client = createServiceClient({
    baseUrl: serviceUrl(options, io.env),
    key: apiKey(options, io.env),
    io,
    attempts: 8,
    onRetry: (reason, wait) => progress.remark(`(${reason}; again in ${wait / 1000} s)`),
  });
  // what cannot be read twice (standard input) leaves the total unknown
  const total = once ? undefined : await countProducts(rows());
  const store = (shape: CatalogueShape) => storeFor(client, storeUrl, platformOf(shape), options);
  try {
    const found = await sendCatalogue(rows(), { client, store, stop: io.stop }, summary, progress, total);
    if (io.stop.aborted) throw cannotTell('Stopped.');
    return found;
  } catch (error) {
    progress.end();
    if (error instanceof CliError && summary.in + summary.counts.failed > 0)
      throw interrupted(error, summary);
    throw error;
  } finally {
    progress.end();
  }
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

async function countProducts(rows: AsyncIterable<CatalogueRow>): Promise<number> {
  let products = 0;
  for await (const row of rows) if ('product' in row) products++;
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
  if (options.storeId !== undefined) {
    const store = await getStore(client, options.storeId);
    if (URL.parse(store.url)?.host !== URL.parse(storeUrl)?.host) {
      const known = store.domains.some((domain) => domain.hostname === URL.parse(storeUrl)?.hostname);
      if (!known) throw usage(`The store ${store.id} has the address ${store.url}, not ${storeUrl}.`);
    }
    return store;
  }
  const { merchantId } = options;
  return findOrCreateStore(client, {
    url: storeUrl,
    name: options.storeName ?? new URL(storeUrl).host,
    platform,
    ...(merchantId === undefined ? {} : { merchantId }),
  });
}
