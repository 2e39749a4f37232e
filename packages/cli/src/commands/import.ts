import { CATALOGUE_SHAPES, SOURCE_KINDS } from '@touchstone/catalogue';
import { productCertificatePath } from '@touchstone/certificate';
import { type Command, Option } from 'commander';
import { EXIT } from '../cli-error.ts';
import { nameOf } from '../files.ts';
import { NO_CHECKPOINT, openCheckpoint } from '../import/checkpoint.ts';
import type { ImportOptions, ImportRun } from '../import/import-run.ts';
import { type ImportOutcome, importText, importValue } from '../import/outcome.ts';
import { readOnly, send } from '../import/run-import.ts';
import { type RowReport, Summary } from '../import/summary.ts';
import { createProgress } from '../output/progress.ts';
import { safeJsonLine } from '../output/text.ts';
import type { Session } from '../session.ts';
import { serviceUrl, wholeNumber } from '../settings.ts';

export function addImport(program: Command, session: Session): void {
  program
    .command('import')
    .description(
      "Import a shop's catalogue into the registry; prints a reason for every product that is rejected.",
    )
    .argument(
      '<source>',
      'the address of a shop (Shopify, WooCommerce, a feed, otherwise its sitemaps), or a file: Shopify products.json or CSV, WooCommerce Store API, REST v3 or CSV, a Google feed (RSS, Atom, TSV), a table with columns such as sku, title, link, image, rows of the registry, optionally gzipped; - for standard input',
    )
    .option('--store <uuid>', 'the store to import into (default: the one with the address)')
    .addOption(new Option('--store-id <uuid>').hideHelp())
    .option(
      '--store-url <url>',
      "the shop's home page; product pages are moved to its address (default: that of --store, or of the shop that is read)",
    )
    .option(
      '--merchant-id <uuid>',
      'the merchant for a new store (default: the only one that the key may see)',
    )
    .option('--store-name <name>', 'name of a new store (default: its host)')
    .option('--key <key>', 'API key (TOUCHSTONE_KEY)')
    .addOption(new Option('--shape <shape>', 'shape of a file (default: detected)').choices(CATALOGUE_SHAPES))
    .addOption(new Option('--kind <kind>', 'how a shop is read (default: detected)').choices(SOURCE_KINDS))
    .option(
      '--no-rebase',
      'reject products whose address is on another host, instead of moving them to the address of the store',
    )
    .addOption(
      new Option('--interval <milliseconds>', 'delay between two requests to a shop')
        .default(500)
        .argParser((text) => wholeNumber(text, '--interval', 0, 60_000)),
    )
    .option('--resume <file>', 'keep the progress in this file and continue from it; removed at the end')
    .option(
      '--prune',
      'delete products of the store that are not in the catalogue; asks if they are more than a fifth',
    )
    .option('--yes', 'with --prune: do not ask for confirmation')
    .option('--dry-run', 'only read and report; send nothing')
    .action(async (source: string, _: unknown, command: Command) => {
      await importCatalogue(session, source, command.optsWithGlobals<ImportOptions>());
    });
}

async function importCatalogue(session: Session, source: string, options: ImportOptions): Promise<void> {
  const { io } = session;
  const summary = new Summary(options.json === true ? printRow(session, options) : undefined);
  const dryRun = options.dryRun === true;
  const checkpoint =
    options.resume === undefined || dryRun ? NO_CHECKPOINT : await openCheckpoint(options.resume, source, io);
  const progress = createProgress(io);
  const run: ImportRun = { session, source, options, summary, checkpoint, progress };
  try {
    const sent = dryRun ? await readOnly(run) : await send(run);
    const outcome: ImportOutcome = { file: nameOf(source), summary, dryRun, ...sent };
    progress.end();
    const isWhole = summary.counts.failed === 0 && summary.products > 0 && outcome.missing?.refused !== true;
    session.exitCode = isWhole ? EXIT.verified : EXIT.failed;
    if (options.json === true) io.stdout.write(`${safeJsonLine(importValue(outcome))}\n`);
    else io.stdout.write(importText(outcome, session.paint));
  } finally {
    progress.end();
  }
}

/** Prints a line for each row as soon as its result is known, so that callers need not hold the ids of a large catalogue. */
function printRow({ io }: Session, options: ImportOptions): (row: RowReport) => void {
  const service = serviceUrl(options, io.env);
  return (row) => {
    const shown = 'id' in row ? { ...row, certificate: service + productCertificatePath(row.id) } : row;
    io.stdout.write(`${safeJsonLine(shown)}\n`);
  };
}
