import type { Command } from 'commander';
import { EXIT, type ExitCode } from '../cli-error.ts';
import type { ServiceClient } from '../client.ts';
import { registryClient } from '../registry-client.ts';
import type { Session } from '../session.ts';
import type { GlobalOptions } from '../settings.ts';

/** Output and exit code of a command. */
export interface CommandOutput {
  /** Printed with `--json`. */
  readonly value: unknown;
  readonly words: () => string;
  /** Default 0. */
  readonly exit?: ExitCode;
}

/** Input of a command. */
interface CommandInput<Options> {
  readonly client: ServiceClient;
  readonly options: Options & GlobalOptions;
  /** The positional arguments. */
  readonly args: readonly string[];
  readonly session: Session;
}

/** A command that calls the registry: its syntax, an example, and its action. */
interface RegistryCommand<Options> {
  /** In commander's syntax: `show <store-id>`. */
  readonly words: string;
  readonly description: string;
  readonly example: string;
  /** Adds options. */
  readonly options?: (command: Command) => Command;
  readonly run: (asked: CommandInput<Options>) => Promise<CommandOutput>;
}

/** Adds a command that calls the service with an API key, prints the result, and exits with 0 unless its output has another code. */
export function addRegistryCommand<Options = object>(
  parent: Command,
  session: Session,
  { words, description, example, options: further, run }: RegistryCommand<Options>,
): Command {
  const command = parent.command(words).description(description);
  (further?.(command) ?? command)
    .option('--key <key>', 'API key (TOUCHSTONE_KEY)')
    .addHelpText('after', `\nExample:\n  touchstone ${example}`)
    .action(async () => {
      const options = command.optsWithGlobals<Options & GlobalOptions & { key?: string }>();
      const client = registryClient(session, options);
      const output = await run({ client, options, args: command.args, session });
      session.print(options, output.value, output.words);
      session.exitCode = output.exit ?? EXIT.verified;
    });
  return command;
}

/** Without undefined values: an absent option changes nothing. */
export function compact<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}
