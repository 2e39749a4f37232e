import type { Command } from 'commander';
import { cannotTell, EXIT } from '../cli-error.ts';
import { fromServer } from '../server.ts';
import type { Session } from '../session.ts';

export function addDatabase(program: Command, session: Session): void {
  program
    .command('database')
    .description('The database of the service on this machine, by the settings of `serve`.')
    .command('migrate')
    .description(
      'Bring the schema up to date and end, before nodes of a new version start. Each start does the same; the log says what was applied.',
    )
    .configureHelp({ showGlobalOptions: false })
    .action(() => migrate(session));
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
