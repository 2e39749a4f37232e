import type { Command } from 'commander';

/** A command and all below it, in the order of help. */
export function allCommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(allCommands)];
}

/** The words that lead to a command, without the program's name. */
export function wordsOf(command: Command): readonly string[] {
  return command.parent === null ? [] : [...wordsOf(command.parent), command.name()];
}
