import type { ListedCertificate, TrustListChange } from '@touchstone/server';
import { type Command, Option } from 'commander';
import { cannotTell, EXIT, usage } from '../cli-error.ts';
import { nameOf, readInput } from '../files.ts';
import { list, safe } from '../output/text.ts';
import { fromServer } from '../server.ts';
import type { Session } from '../session.ts';
import type { GlobalOptions } from '../settings.ts';

const PURPOSES = ['signers', 'legacy', 'time-stamps', 'identities'] as const;

interface UpdateOptions extends GlobalOptions {
  readonly for: (typeof PURPOSES)[number];
  readonly name?: string;
  readonly date?: string;
  readonly check?: boolean;
}

export function addTrust(program: Command, session: Session): void {
  program
    .command('trust')
    .description('Lists of the authorities whose signatures of images this machine’s service trusts.')
    .command('update')
    .description(
      'Put a list in force from the next start of the service on, with its own date, and tell what changes. Without a setting for it (TOUCHSTONE_C2PA_TRUST_FILE …) it is kept in the data folder (TOUCHSTONE_DATA_DIR).',
    )
    .argument('<file>', 'PEM certificates, or - for standard input')
    .addOption(
      new Option('--for <purpose>', 'what the authorities are trusted for')
        .choices(PURPOSES)
        .default('signers'),
    )
    .option('--name <text>', 'what verdicts call the list (default: the name of the file)')
    .option('--date <YYYY-MM-DD>', 'of when the list is (default: today)')
    .option('--check', 'change nothing; exit code 1 if the list in force is another')
    // it configures the service on this machine, which need not run
    .configureHelp({ showGlobalOptions: false })
    .action((file: string, _: unknown, command: Command) =>
      update(session, file, command.optsWithGlobals<UpdateOptions>()),
    );
}

async function update(session: Session, file: string, options: UpdateOptions): Promise<void> {
  const { io } = session;
  const date = options.date ?? io.now().toISOString().slice(0, 10);
  if (!/^\d{4}-\d\d-\d\d$/.test(date) || Number.isNaN(Date.parse(date)))
    throw usage(`--date must be a day such as 2026-11-22, not “${date}”.`);
  const name = (options.name ?? (file === '-' ? '' : file.replace(/^.*[\\/]/, ''))).trim();
  if (name === '') throw usage('Standard input has no name: give the list one with --name.');
  const text = new TextDecoder().decode(await readInput(file, io));
  const server = await fromServer(import('@touchstone/server'));
  const purpose = options.for === 'time-stamps' ? 'time_stamps' : options.for;
  try {
    server.certificatesOf(text);
  } catch (error) {
    throw usage(`${nameOf(file)} is no list of PEM certificates: ${(error as Error).message}.`);
  }
  const isTrial = options.check === true;
  try {
    const { images, dataDir } = server.readConfig(io.env);
    const path = server.trustListPath(purpose, { trustFiles: images.trustFiles, dataDir });
    const change = await server.pinTrustList(path, { text, name, date }, io.now(), isTrial);
    session.print(options, { purpose: options.for, isTrial, ...change }, () => textOf(change, isTrial));
    session.exitCode = isTrial && isOther(change) ? EXIT.failed : EXIT.verified;
  } catch (error) {
    throw cannotTell(
      'output_not_written',
      `The list was not changed. ${(error as Error).message}`,
      undefined,
      error,
    );
  }
}

const isOther = ({ added, removed, before, name, date }: TrustListChange) =>
  added.length + removed.length > 0 || before?.name !== name || before.date !== date;

function textOf(change: TrustListChange, isTrial: boolean): string {
  const { name, date, path, certificates, before, added, removed, expired } = change;
  const from = before === null ? 'there was none' : `before: “${before.name}” of ${before.date}`;
  const done = isTrial
    ? 'Nothing was changed (--check).'
    : 'In force once the service is started again; images are then judged anew at their next scan.';
  const parts = [
    `${safe(`“${name}” of ${date}, ${certificates} ${certificates === 1 ? 'certificate' : 'certificates'} (${from})`)}\n${safe(path)}\n`,
    list('Added', added.map(told)),
    list('Removed: who was trusted through these is trusted no more', removed.map(told)),
    list('Expired: these vouch only for what has a time stamp from before', expired.map(told)),
    `${added.length + removed.length === 0 ? 'The certificates are the same. ' : ''}${done}\n`,
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function told({ subject, validFrom, validUntil }: ListedCertificate): string {
  return `${subject} (valid ${validFrom.slice(0, 10)} to ${validUntil.slice(0, 10)})`;
}
