import { type Command, Option } from 'commander';
import { EXIT, usage } from '../cli-error.ts';
import { createProgress } from '../output/progress.ts';
import { type Paint, safe } from '../output/text.ts';
import { type PulledCertificates, pullCertificates } from '../pull/pull-certificates.ts';
import type { Session } from '../session.ts';
import { apiCredential, type GlobalOptions, serviceUrl } from '../settings.ts';

interface PullCommandOptions extends GlobalOptions {
  readonly out?: string;
  readonly to?: string;
  readonly all?: boolean;
  readonly since?: string;
  readonly key?: string;
}

export function addCertificatesPull(certificates: Command, session: Session): void {
  certificates
    .command('pull')
    .description(
      "Keep a folder in sync with a store's certificates: downloads changed ones, removes withdrawn ones.",
    )
    .argument('<store-id>', 'the store')
    .option(
      '--out <folder>',
      'target folder: one <product id>.json each, and index.json with externalProductId, url, file and replaceBy of each',
    )
    .addOption(new Option('--to <folder>', 'the same').hideHelp())
    .option('--since <cursor>', 'continue from this cursor instead of that of the folder')
    .option('--all', 'download all again')
    .option('--key <key>', 'API key (TOUCHSTONE_KEY)')
    .action((storeId: string, _: unknown, command: Command) =>
      pull(session, storeId, command.optsWithGlobals<PullCommandOptions>()),
    );
}

async function pull(session: Session, storeId: string, options: PullCommandOptions): Promise<void> {
  const { io, paint } = session;
  const folder = options.out ?? options.to;
  if (folder === undefined)
    throw usage('No folder was given.', `touchstone certificates pull ${storeId} --out certificates/`);
  const baseUrl = serviceUrl(options, io.env);
  const progress = createProgress(io, 'certificates');
  const pulled = await pullCertificates({
    baseUrl,
    credential: apiCredential(options, io.env, baseUrl),
    io,
    storeId,
    folder,
    all: options.all === true,
    nameOf: session.nameOf,
    ...(options.since === undefined ? {} : { since: options.since }),
    onLine: (done) => progress.update({ done, failed: 0 }),
    onRetry: (reason) => progress.remark(reason),
  }).finally(() => progress.end());
  session.print(options, { folder, ...pulled }, () => words(pulled, folder, paint));
  session.exitCode = pulled.failed + pulled.ended > 0 ? EXIT.failed : EXIT.verified;
}

function words(
  { written, present, removed, failed, certificates, ended, replaceBy }: PulledCertificates,
  folder: string,
  paint: Paint,
): string {
  const lines = [
    `${paint('strong', `${written} certificates downloaded`)} to ${safe(folder)}, ${present} unchanged, ${removed} removed`,
    `${certificates} in all${replaceBy === undefined ? '' : `; the first expires ${replaceBy}: put them into their pages, and pull again before`}`,
    ...(ended === 0
      ? []
      : [
          `${paint('bad', `${ended} have expired`)}, and the service has no newer ones: touchstone certificates <store-id> shows why`,
        ]),
    ...(failed === 0 ? [] : [`${failed} could not be issued and are retried automatically`]),
  ];
  return `${lines.join('\n')}\n`;
}
