import { Command, CommanderError } from 'commander';
import { CliError, EXIT, type ExitCode, usage } from './cli-error.ts';
import { commitOfProgram } from './commit.ts';
import { allCommands, exitsText, wordsOf } from './exits.ts';
import type { Io } from './io.ts';
import { safe, safeJsonLine } from './output/text.ts';
import type { AddCommand } from './part.ts';
import { Session } from './session.ts';
import { DEFAULT_SERVICE } from './settings.ts';
import { VERSION } from './version.ts';

/**
 * Runs one command line.
 *
 * @param argv what follows the program's name
 * @returns the exit code; it never throws
 * @example
 * process.exitCode = await run(['check', 'https://shop.example/products/cup'], io);
 */
export async function run(argv: readonly string[], io: Io): Promise<ExitCode> {
  const session = new Session(io);
  try {
    const commands = await commandsFor(argv);
    const version = argv.some((word) => word === '--version' || word === '-V')
      ? await describedVersion()
      : VERSION;
    await createProgram(session, commands, version).parseAsync([...argv], { from: 'user' });
    return session.exitCode;
  } catch (error) {
    return explain(error, session, argv.includes('--json'));
  }
}

/** Creates the program with these commands, without running any. Settings of the program apply to them too. */
export function createProgram(session: Session, commands: readonly AddCommand[], version = VERSION): Command {
  const { io } = session;
  const program = new Command('touchstone')
    .description('Issues and verifies product certificates.')
    .version(version, '-V, --version', 'print the version, and the commit if it is known')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'Print help on a command.')
    .option('--service <url>', `the service to use (TOUCHSTONE_SERVICE; default ${DEFAULT_SERVICE})`)
    .option('--json', 'print JSON instead of text')
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .showHelpAfterError('(see --help)')
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      getOutHelpWidth: () => io.stdout.columns,
      getErrHelpWidth: () => io.stderr.columns,
      getOutHasColors: () => io.stdout.isTerminal,
      getErrHasColors: () => io.stderr.isTerminal,
    });
  program.hook('preAction', (_, command) => {
    session.command = command;
  });
  for (const add of commands) add(program, session);
  program.addHelpText(
    'after',
    '\nExit codes: 0 verified, 1 failed, 2 unverified, 3 undecided, 64 wrong usage.',
  );
  for (const command of allCommands(program)) command.addHelpText('after', exitsText(wordsOf(command)));
  return program;
}

async function describedVersion(): Promise<string> {
  const commit = await commitOfProgram();
  return commit === undefined ? VERSION : `${VERSION} (${commit})`;
}

/** Loads only the named command where possible, so that `serve` starts, and restarts, without the code of the others. */
async function commandsFor([name]: readonly string[]): Promise<readonly AddCommand[]> {
  if (name === 'serve') return [(await import('./commands/serve.ts')).addServe];
  if (name === 'witness') return [(await import('./parts/transparency-log/witness/commands.ts')).addWitness];
  return (await import('./commands/all-commands.ts')).COMMANDS;
}

function explain(error: unknown, session: Session, json: boolean): ExitCode {
  const { io, paintErr } = session;
  if (error instanceof CommanderError) {
    const asked = error.exitCode === 0;
    // commander has already printed its message as text
    if (!asked && json) writeError(session, usage(messageOf(error), 'See --help.'));
    return asked ? EXIT.verified : EXIT.usage;
  }
  const known = error instanceof CliError ? error : unexpected(error);
  const { message, hint } = known;
  if (json) writeError(session, known);
  const lines = message.split('\n').map(safe).join('\n');
  io.stderr.write(`${paintErr('bad', 'error:')} ${lines}\n${hint === undefined ? '' : `${safe(hint)}\n`}`);
  if (known !== error && io.env.TOUCHSTONE_DEBUG !== undefined && error instanceof Error)
    io.stderr.write(`${error.stack}\n`);
  return known.exitCode;
}

/** JSON output: a code of a closed list, and the parts of the message. */
function writeError({ io }: Session, { code, message, hint, details }: CliError): void {
  // the code has its own member here
  const sentence = message.replace(` (${code})`, '');
  const error = { code, message: sentence, hint, ...details };
  io.stdout.write(`${safeJsonLine({ error })}\n`);
}

function messageOf({ code, message }: CommanderError): string {
  return code === 'commander.help' ? 'No command was given.' : message.replace(/^error: /, '');
}

function unexpected(error: unknown): CliError {
  const message = `Unexpected: ${error instanceof Error ? error.message : String(error)}`;
  const hint = 'This is a bug in the program; please report it.';
  return new CliError(message, { exitCode: EXIT.cannotTell, code: 'internal', hint, cause: error });
}
