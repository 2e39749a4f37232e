import type { Command } from 'commander';
import { EXIT, usage } from '../cli-error.ts';
import type { Session } from '../session.ts';
import { type GlobalOptions, serviceUrl } from '../settings.ts';

export function addMcp(program: Command, session: Session): void {
  program
    .command('mcp')
    .description('Serve the companion tools to an agent over standard input and output.')
    .option(
      '--tools <names>',
      'list only these, separated by commas, for an agent that can hold few; core: those of the specification',
    )
    .action(async ({ tools }: { readonly tools?: string }, command: Command) => {
      const { io } = session;
      const baseUrl = serviceUrl(command.optsWithGlobals<GlobalOptions>(), io.env);
      if (io.stdout.isTerminal)
        io.stderr.write(
          `Speaking the Model Context Protocol for ${baseUrl}: an agent starts this, Ctrl-C ends it.\n`,
        );
      // loaded on demand: no other command needs the protocol library
      const { readToolChoice } = await import('@touchstone/mcp');
      const { serveToolsOverStdio } = await import('../mcp/serve.ts');
      const chosen = tools === undefined ? undefined : readToolChoice(tools);
      if (chosen !== undefined && 'fault' in chosen) throw usage(`--${chosen.fault}`);
      await serveToolsOverStdio(baseUrl, io, chosen?.names);
      session.exitCode = EXIT.verified;
    });
}
