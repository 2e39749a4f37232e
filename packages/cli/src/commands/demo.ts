import { type Command, InvalidArgumentError } from 'commander';
import { fromServer } from '../server.ts';
import type { Session } from '../session.ts';

interface DemoFlags {
  readonly once?: boolean;
  readonly port?: number;
}

export function addDemo(program: Command, session: Session): void {
  program
    .command('demo')
    .description('Start a service and a small demo shop, and show every verdict.')
    // it starts the service itself, so `--service` does not apply
    .configureHelp({ showGlobalOptions: false })
    .option('--once', 'stop after the last step; exit with 0 if every step passed')
    .option(
      '--port <number>',
      'port of the service; the shop uses the next one (default: 8787; with --once: free ports)',
      portOf,
    )
    .action(async (options: DemoFlags) => {
      // loaded on demand: it imports the whole service
      await fromServer(() => import('@touchstone/server'));
      const { runDemo } = await import('../demo/index.ts');
      session.exitCode = await runDemo(options, session.io);
    });
}

function portOf(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new InvalidArgumentError('Not a port number.');
  return port;
}
