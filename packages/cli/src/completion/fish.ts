import type { Completable, CompletedCommand } from './model.ts';

/** A completion script for fish: a file `touchstone.fish` in its completions folder, or sourced. */
export function fishCompletion(name: string, commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap((command) => linesOf(name, command));
  return `# ${name} completion for fish: ~/.config/fish/completions/${name}.fish, or source it
# where the command line stands: the words that are commands, one after the other
function __${name}_at
    set -l at
    for word in (commandline -opc)[2..]
        contains -- "$at $word" ${commands
          .filter(({ words }) => words.length > 0)
          .map(({ words }) => quoted(`${words.slice(0, -1).join(' ')} ${words.at(-1)}`))
          .join(' ')}
        and set at (string trim -- "$at $word")
    end
    test "$at" = "$argv"
end
complete -c ${name} -f
${lines.join('\n')}
`;
}

function linesOf(name: string, { words, options, subcommands, argument }: CompletedCommand): string[] {
  const here = `complete -c ${name} -n ${quoted(`__${name}_at ${words.join(' ')}`.trim())}`;
  return [
    ...subcommands.map((one) => `${here} -a ${one.name} -d ${quoted(one.description)}`),
    ...options.map(({ flags, description, value }) => {
      const names = flags.map((flag) =>
        flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`,
      );
      return `${here} ${names.join(' ')}${value === undefined ? '' : following(value)} -d ${quoted(description)}`;
    }),
    ...(argument === 'text' ? [] : [here + standing(argument)]),
  ];
}

/** What follows an option. */
function following(value: Completable): string {
  return value === 'file' ? ' -r -F' : ` -x${standing(value)}`;
}

function standing(value: Completable): string {
  if (value === 'text') return '';
  return value === 'file' ? ' -F' : ` -a ${quoted(value.join(' '))}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
