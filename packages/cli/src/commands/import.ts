import {
  CATALOGUE_SHAPES,
  type CatalogueRow,
  type CatalogueShape,
  readCatalogue,
} from '@touchstone/catalogue';
import { type Command, Option } from 'commander';
import { CliError, cannotTell, usage } from '../cli-error.ts';
import { createServiceClient, type ServiceClient } from '../client/service-client.ts';
import { EXIT } from '../exit-codes.ts';
import { createProgress } from '../import/progress.ts';
import { findOrCreateStore, getStore, type StoreView } from '../import/registry.ts';
import { count, sendCatalogue } from '../import/send.ts';
import { errorsText, notesText, Summary } from '../import/summary.ts';
import { nameOf, openInput } from '../input.ts';
import { safe } from '../output/safe-text.ts';
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
    .option('--merchant-id <uuid>', 'whose store is made when there is none yet')
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
  const rows = (): AsyncIterable<CatalogueRow> => {
    const { shape, rebase } = options;
    return readCatalogue(openInput(file, io), {
      storeUrl,
      rebase,
      ...(shape === undefined ? {} : { shape }),
    });
  };
  const summary = new Summary();
  if (options.dryRun === true) {
    for await (const row of rows()) count(row, summary);
    report(session, file, summary, options, undefined);
    return;
  }
  const progress = createProgress(io);
  const client = createServiceClient({
    baseUrl: serviceUrl(options, io.env),
    key: apiKey(options, io.env),
    io,
    attempts: 8,
    onRetry: (reason, wait) => progress.remark(`(${reason}; again in ${wait / 1000} s)`),
  });
  // standard input cannot be read twice: then the total stays unknown
  const total = file === '-' ? undefined : await countRows(rows());
  if (total === 0) {
    for await (const row of rows()) count(row, summary);
    report(session, file, summary, options, undefined);
    return;
  }
  const store = await storeFor(client, storeUrl, options);
  try {
    await sendCatalogue(rows(), { client, storeId: store.id, stop: io.stop }, summary, progress, total);
  } catch (error) {
    progress.end();
    if (!(error instanceof CliError)) throw error;
    const done = `${summary.in} products are in, ${summary.counts.failed} failed before.`;
    throw new CliError(`${error.message}\n${done}`, {
      exitCode: EXIT.cannotTell,
      hint: `${error.hint ?? ''} Then run the same command again: what is in stays in.`.trim(),
      cause: error,
    });
  }
  progress.end();
  if (io.stop.aborted)
    throw cannotTell(`Stopped: ${summary.in} products are in.`, 'Run the same command again to go on.');
  report(session, file, summary, options, store);
}

async function countRows(rows: AsyncIterable<CatalogueRow>): Promise<number> {
  let products = 0;
  for await (const row of rows) if ('product' in row) products++;
  return products;
}

async function storeFor(client: ServiceClient, storeUrl: string, options: ImportOptions): Promise<StoreView> {
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
    platform: 'custom',
    ...(merchantId === undefined ? {} : { merchantId }),
  });
}

function report(
  session: Session,
  file: string,
  summary: Summary,
  options: ImportOptions,
  store: StoreView | undefined,
): void {
  const { counts, errors, products, hidden, images } = summary;
  const told = {
    file: nameOf(file),
    ...(store === undefined ? {} : { store }),
    dryRun: options.dryRun === true,
    products,
    hidden,
    images,
    ...counts,
    errors,
    notes: summary.notes(),
  };
  session.print(
    options,
    told,
    () =>
      headline(session, summary, store, options) + notesText(summary) + errorsText(summary) + nextStep(store),
  );
  session.exitCode = counts.failed > 0 || products === 0 ? EXIT.failed : EXIT.verified;
}

function headline(
  session: Session,
  summary: Summary,
  store: StoreView | undefined,
  options: ImportOptions,
): string {
  const { counts, products, hidden, images } = summary;
  const { paint } = session;
  const failed = counts.failed === 0 ? 'none failed' : paint('bad', `${counts.failed} failed`);
  const read = `${products} products read (${hidden} hidden, ${images} images), ${failed}`;
  if (store === undefined) {
    return `${paint('strong', options.dryRun === true ? 'DRY RUN' : 'NOTHING SENT')}  ${read}.\n`;
  }
  const title = counts.failed === 0 ? paint('good', 'ALL IN') : paint('bad', 'NOT ALL IN');
  const { created, updated, unchanged, revived } = counts;
  const where = `store ${store.id} (${safe(store.url)}${store.created ? ', new' : ''})`;
  return (
    `${paint('strong', title)}  ${read}.\n` +
    `${created} created, ${updated} updated, ${unchanged} unchanged, ${revived} revived in ${where}.\n`
  );
}

function nextStep(store: StoreView | undefined): string {
  const open = store?.domains.find((domain) => !domain.verified);
  if (open === undefined) return '';
  return (
    `\nNext: prove that the shop controls ${safe(open.hostname)}: serve the text ${safe(open.challenge)}\n` +
    `at https://${safe(open.hostname)}/.well-known/touchstone-challenge, then call POST ` +
    `/api/v1/registry/stores/${store?.id}/domains/${safe(open.hostname)}/verify.\n`
  );
}
