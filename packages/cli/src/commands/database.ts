import type { Command } from 'commander';
import { cannotTell, EXIT } from '../cli-error.ts';
import { safe } from '../output/text.ts';
import { fromServer } from '../server.ts';
import type { Session } from '../session.ts';
import type { GlobalOptions } from '../settings.ts';

interface DistributeOptions extends GlobalOptions {
  readonly dryRun?: boolean;
}

export function addDatabase(program: Command, session: Session): void {
  const database = program
    .command('database')
    .description('The database of the service on this machine, by the settings of `serve`.');
  database
    .command('migrate')
    .description(
      'Bring the schema up to date and end, before nodes of a new version start. Each start does the same; the log says what was applied.',
    )
    .configureHelp({ showGlobalOptions: false })
    .action(() => migrate(session));
  database
    .command('distribute')
    .description(
      'Place the tables of merchants on the workers of a Citus cluster, by merchant; all others stay on its coordinator. Stop all nodes first. What is in its place is left alone: run it again after an upgrade.',
    )
    .option('--dry-run', 'print the statements, and run none')
    // it needs no running service
    .configureHelp({ showGlobalOptions: false })
    .action((_: unknown, command: Command) =>
      distribute(session, command.optsWithGlobals<DistributeOptions>()),
    );
}

async function migrate(session: Session): Promise<void> {
  const { io } = session;
  const server = await fromServer(() => import('@touchstone/server'));
  try {
    await server.migrateDatabase(server.readConfig(io.env));
  } catch (error) {
    // errors that the operator can fix are shown as they are; any other is a fault of the program
    if (!(error instanceof Error) || error.name !== 'StartError') throw error;
    const message = `The schema was not brought up to date. ${error.message}`;
    throw cannotTell('service_not_started', message, undefined, error);
  }
  io.stderr.write('The schema of the database is up to date.\n');
  session.exitCode = EXIT.verified;
}

async function distribute(session: Session, options: DistributeOptions): Promise<void> {
  const server = await fromServer(() => import('@touchstone/server'));
  const isTrial = options.dryRun === true;
  try {
    const { databaseUrl } = server.readConfig(session.io.env);
    if (databaseUrl === undefined)
      throw new server.StartError(
        'TOUCHSTONE_DATABASE_URL is not set: name the coordinator of the cluster there. The embedded database is one ' +
          'PostgreSQL, and stays so.',
      );
    const { statements, local } = await server.distribute({ connectionString: databaseUrl }, isTrial);
    session.print(options, { isTrial, statements, local }, () => {
      const lines = statements.map((statement) => `${safe(statement)};\n`).join('');
      if (statements.length === 0) return 'Every table is in its place.\n';
      return isTrial ? lines : `${lines}Every table is in its place now. Start the nodes.\n`;
    });
    session.exitCode = EXIT.verified;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw cannotTell('database_not_distributed', reasonOf(error), undefined, error);
  }
}

/** A fault of the database says why in its cause. */
const reasonOf = ({ message, cause }: Error) =>
  cause instanceof Error ? `${message} ${cause.message}` : message;
