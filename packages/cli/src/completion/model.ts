import type { Argument, Command, Option } from 'commander';
import { allCommands, wordsOf } from '../exits.ts';

/** Value of an option or argument. */
export type Completable = 'file' | 'text' | readonly string[];

export interface CompletedOption {
  /** With dashes: `--json`, `-h`. */
  readonly flags: readonly string[];
  readonly description: string;
  /** Absent if the option takes no value. */
  readonly value?: Completable;
}

export interface CompletedCommand {
  /** Words of the command, without the program's name; empty for the program itself. */
  readonly words: readonly string[];
  readonly subcommands: readonly { readonly name: string; readonly description: string }[];
  /** Options of the command and of its parents. */
  readonly options: readonly CompletedOption[];
  /** Its argument; `text` if it takes none. */
  readonly argument: Completable;
}

/** Completions, derived from the command definitions themselves, so that the two cannot differ. */
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
