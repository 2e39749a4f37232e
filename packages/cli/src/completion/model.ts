import type { Argument, Command, Option } from 'commander';

/** What may stand after an option, or as an argument. */
export type Completable = 'file' | 'text' | readonly string[];

export interface CompletedOption {
  /** With their dashes: `--json`, `-h`. */
  readonly flags: readonly string[];
  readonly description: string;
  /** Absent where nothing follows. */
  readonly value?: Completable;
}

export interface CompletedCommand {
  /** The words that lead to it, without the program's name; empty for the program itself. */
  readonly words: readonly string[];
  readonly description: string;
  readonly subcommands: readonly CompletedCommand[];
  /** Its own and those of the commands around it. */
  readonly options: readonly CompletedOption[];
  /** What stands after it; `text` where nothing does. */
  readonly argument: Completable;
}

/** What can be typed, read off the definitions of the commands themselves, so that the two cannot differ. */
export function completionModel(program: Command): CompletedCommand {
  return modelOf(program, [], []);
}

/** A command and all below it. */
export function flattened(command: CompletedCommand): CompletedCommand[] {
  return [command, ...command.subcommands.flatMap(flattened)];
}

function modelOf(
  command: Command,
  words: readonly string[],
  inherited: readonly CompletedOption[],
): CompletedCommand {
  const help = command.createHelp();
  const own = help.visibleOptions(command).map(optionOf);
  const passedOn = [...own.filter(({ flags }) => !flags.includes('--version')), ...inherited];
  return {
    words,
    description: command.description(),
    subcommands: help.visibleCommands(command).map((one) => modelOf(one, [...words, one.name()], passedOn)),
    options: [
      ...own,
      ...inherited.filter((option) => !own.some(({ flags }) => flags.join() === option.flags.join())),
    ],
    argument: argumentOf(command.registeredArguments[0]),
  };
}

function optionOf(option: Option): CompletedOption {
  const flags = [option.long, option.short].filter((flag) => flag !== undefined && flag !== null);
  const { description, required, optional } = option;
  const value = option.argChoices ?? (/<file>/.test(option.flags) ? 'file' : 'text');
  return { flags, description, ...(required || optional ? { value } : {}) };
}

function argumentOf(argument: Argument | undefined): Completable {
  if (argument === undefined) return 'text';
  return argument.argChoices ?? (/^(file|target)$/.test(argument.name()) ? 'file' : 'text');
}
