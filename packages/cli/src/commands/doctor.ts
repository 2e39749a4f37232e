import type { Finding } from '@touchstone/server';
import type { Command } from 'commander';
import { EXIT } from '../cli-error.ts';
import { counted, paintFor, type Style, safe } from '../output/text.ts';
import { fromServer } from '../server.ts';
import type { Session } from '../session.ts';
import type { GlobalOptions } from '../settings.ts';

interface DoctorOptions extends GlobalOptions {
  readonly backup?: string;
}

export function addDoctor(program: Command, session: Session): void {
  program
    .command('doctor')
    .description(
      'Examine the service on this machine and what it depends on: settings, disk, secrets, database, clock, DNS, TLS, proxy, keys, trust lists, backups. Run it with the settings of the service, as its user. Nothing is changed. Exits with 1 for a fault.',
    )
    .option('--backup <path>', 'file or folder of backups, whose age is told')
    // it examines the service on this machine, and needs its settings
    .configureHelp({ showGlobalOptions: false })
    .action((_: unknown, command: Command) => doctor(session, command.optsWithGlobals<DoctorOptions>()));
}

const LOOKS: Readonly<Record<Finding['state'], readonly [word: string, style: Style]>> = {
  ok: ['ok', 'good'],
  warning: ['warning', 'unsure'],
  fault: ['FAULT', 'bad'],
  unknown: ['unknown', 'dim'],
};

async function doctor(session: Session, options: DoctorOptions): Promise<void> {
  const { io } = session;
  const { examineService } = await fromServer(() => import('@touchstone/server'));
  const findings: Finding[] = [];
  const paint = paintFor(io.stdout, io.env);
  for await (const found of examineService({ settings: io.env, clock: io.now, backup: options.backup })) {
    findings.push(found);
    if (options.json !== true) io.stdout.write(textOf(found, paint));
  }
  const count = (state: Finding['state']) => findings.filter((found) => found.state === state).length;
  session.print(
    options,
    { findings },
    () =>
      `\n${counted(count('fault'), 'fault')}, ${counted(count('warning'), 'warning')}, ${count('unknown')} unknown.\n`,
  );
  session.exitCode = count('fault') > 0 ? EXIT.failed : EXIT.verified;
}

function textOf({ about, state, found, remedy }: Finding, paint: ReturnType<typeof paintFor>): string {
  const [word, style] = LOOKS[state];
  const advice = remedy === undefined ? '' : `\n${' '.repeat(9)}${safe(remedy)}`;
  return `${paint(style, word.padEnd(9))}${about}: ${safe(found)}${advice}\n`;
}
