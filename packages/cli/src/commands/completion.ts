import { Argument, type Command } from 'commander';
import { EXIT } from '../cli-error.ts';
import { completionModel } from '../completion/model.ts';
import { bashCompletion, fishCompletion, zshCompletion } from '../completion/scripts.ts';
import type { Session } from '../session.ts';
import type { GlobalOptions } from '../settings.ts';

const SHELLS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

export function addCompletion(program: Command, session: Session): void {
  program
    .command('completion')
    .description('Print the completion script for a shell: source <(touchstone completion bash).')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SHELLS)))
    .action((shell: keyof typeof SHELLS, _: unknown, command: Command) => {
      const script = SHELLS[shell](program.name(), completionModel(program));
      session.print(command.optsWithGlobals<GlobalOptions>(), { shell, script }, () => script);
      session.exitCode = EXIT.verified;
    });
}
