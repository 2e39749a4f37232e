import type { Command } from 'commander';
import { EXIT } from '../exit-codes.ts';
import type { Session } from '../session.ts';

export function addServe(program: Command, session: Session): void {
  program
    .command('serve')
    .description('Run the service. Settings come from TOUCHSTONE_… (docs: README, Settings).')
    .action(async () => {
      await serve(session);
    });
}

async function serve(session: Session): Promise<void> {
  // loaded only when asked for: every other command does without the service and its database
  const { serveUntilStopped } = await import('@touchstone/server/main');
  await serveUntilStopped();
  session.exitCode = EXIT.verified;
}
