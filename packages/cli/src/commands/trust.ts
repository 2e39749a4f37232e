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
    .description('Lists of authorities whose image signatures the service on this machine trusts.')
    .command('update')
    .description(
      'Install a dated list, used from the next start of the service, and show what changes. Without a setting for it (TOUCHSTONE_C2PA_TRUST_FILE …), it is stored in the data folder (TOUCHSTONE_DATA_DIR).',
    )
    .argument('<file>', 'PEM certificates, or - for standard input')
    .addOption(
      new Option('--for <purpose>', 'the purpose for which the authorities are trusted')
        .choices(PURPOSES)
        .default('signers'),
    )
    .option('--name <text>', 'name of the list in verdicts (default: the name of the file)')
    .option('--date <YYYY-MM-DD>', 'date of the list (default: today)')
    .option('--check', 'change nothing; exit with 1 if another list is in use')
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
  const server = await fromServer(() => import('@touchstone/server'));
  const purpose = options.for === 'time-stamps' ? 'time_stamps' : options.for;
  try {
    server.certificatesOf(text);
  } catch (error) {
    throw usage(`${nameOf(file)} is not a list of PEM certificates: ${(error as Error).message}.`);
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
    : 'Used once the service is restarted; images are then evaluated again at their next scan.';
  const parts = [
    `${safe(`“${name}” of ${date}, ${certificates} ${certificates === 1 ? 'certificate' : 'certificates'} (${from})`)}\n${safe(path)}\n`,
    list('Added', added.map(certificateText)),
    list('Removed: signers trusted through these are no longer trusted', removed.map(certificateText)),
    list('Expired: these are valid only for files with an earlier time stamp', expired.map(certificateText)),
    `${added.length + removed.length === 0 ? 'The certificates are the same. ' : ''}${done}\n`,
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function certificateText({ subject, validFrom, validUntil }: ListedCertificate): string {
  return `${subject} (valid ${validFrom.slice(0, 10)} to ${validUntil.slice(0, 10)})`;
}
