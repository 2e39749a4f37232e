import type { Command } from 'commander';
import { EXIT } from '../cli-error.ts';
import type { Session } from '../session.ts';
import { type GlobalOptions, serviceUrl } from '../settings.ts';

export function addMcp(program: Command, session: Session): void {
  program
    .command('mcp')
    .description('Serve the companion tools to an agent over standard input and output.')
    .action(async (_: unknown, command: Command) => {
      const { io } = session;
      const baseUrl = serviceUrl(command.optsWithGlobals<GlobalOptions>(), io.env);
      if (io.stdout.isTerminal)
        io.stderr.write(
          `Speaking the Model Context Protocol for ${baseUrl}: an agent starts this, Ctrl-C ends it.\n`,
        );
      // loaded on demand: no other command needs the protocol library
      const { serveToolsOverStdio } = await import('../mcp/serve.ts');
      await serveToolsOverStdio(baseUrl, io);
      session.exitCode = EXIT.verified;
    });
}
