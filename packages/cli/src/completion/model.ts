import type { Argument, Command, Option } from 'commander';
import { allCommands, wordsOf } from '../exits.ts';

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
  readonly subcommands: readonly { readonly name: string; readonly description: string }[];
  /** Its own and those of the commands around it. */
  readonly options: readonly CompletedOption[];
  /** What stands after it; `text` where nothing does. */
  readonly argument: Completable;
}

/** What can be typed, read off the definitions of the commands themselves, so that the two cannot differ. */
export function completionModel(program: Command): readonly CompletedCommand[] {
  return allCommands(program).map((command) => {
    const help = command.createHelp();
    return {
      words: wordsOf(command),
      subcommands: help
        .visibleCommands(command)
        .map((one) => ({ name: one.name(), description: one.description() })),
      options: [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)].map(optionOf),
      argument: argumentOf(command.registeredArguments[0]),
    };
  });
}

function optionOf(option: Option): CompletedOption {
  const flags = [option.long, option.short].filter((flag) => flag !== undefined && flag !== null);
  const { description, required, optional } = option;
  const value = option.argChoices ?? (/<file>/.test(option.flags) ? 'file' : 'text');
  return { flags, description, ...(required || optional ? { value } : {}) };
}

function argumentOf(argument: Argument | undefined): Completable {
  if (argument === undefined) return 'text';
  return argument.argChoices ?? (/^(file|target)\b/.test(argument.name()) ? 'file' : 'text');
}
