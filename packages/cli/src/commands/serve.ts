import type { Command } from 'commander';
import { cannotTell, EXIT } from '../cli-error.ts';
import { commitOfProgram } from '../commit.ts';
import { fromServer } from '../server.ts';
import type { Session } from '../session.ts';

export function addServe(program: Command, session: Session): void {
  program
    .command('serve')
    .description(
      'Run the service until it is stopped. Settings: TOUCHSTONE_… in the environment (docs/settings.md).',
    )
    // it calls no service, and always logs JSON
    .configureHelp({ showGlobalOptions: false })
    .action(async () => {
      await serve(session);
    });
}

async function serve(session: Session): Promise<void> {
  // git is asked while the modules are loaded
  const commit = commitOfProgram();
  // loaded on demand: no other command needs the service and its database
  const { serveUntilStopped } = await fromServer(() => import('@touchstone/server/main'));
  await serveUntilStopped(session.io.stop, await commit).catch((error: unknown) => {
    // errors that the operator can fix are shown as they are; any other is a fault of the program
    if (!(error instanceof Error) || error.name !== 'StartError') throw error;
    throw cannotTell('service_not_started', `The service cannot start. ${error.message}`, undefined, error);
  });
  session.exitCode = EXIT.verified;
}
